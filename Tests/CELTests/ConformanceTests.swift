import CEL
import FoundationEssentials
import TestKit
import Testing
import Values

/// The official suite (cel-expr/cel-spec, `tests/simple`), less what needs protobuf and two libraries that are off.
@Suite struct ConformanceTests {
  /// Tests that must fail, each with the reason. One that passes is reported, so that the list stays honest.
  static let skipped: [String: String] = [:]

  /// Files of the suite about libraries that are not in the profile.
  static let filesLeftOut: Set<String> = ["block_ext.json", "network_ext.json", "counts.json"]

  @Test(.enabled(if: ProjectRoot.conformance("cel") != nil, "the suite is not there: ../shared/conformance/cel"))
  func suite() throws {
    let folder = try #require(ProjectRoot.conformance("cel"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".json") && !Self.filesLeftOut.contains($0) }.sorted()
    var count = 0
    var passed = 0
    for file in files {
      let data = try Data(contentsOf: folder.appending(path: file))
      for json in try JSON.parse(Array(data)).listValue ?? [] {
        let test = try ConformanceCase(json)
        count += 1
        let failure = test.failure()
        if failure == nil { passed += 1 }
        switch (failure, Self.skipped[test.id]) {
        case (let failure?, nil): Issue.record("\(test.id): `\(test.source)`: \(failure)")
        case (nil, .some): Issue.record("\(test.id) passes and must leave the list of skipped tests")
        case (nil, nil), (.some, .some): break
        }
      }
    }
    print("CEL conformance: \(passed) of \(count)")
    #expect(count == 1666)
  }
}
