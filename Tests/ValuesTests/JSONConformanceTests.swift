import FoundationEssentials
import TestKit
import Testing
import Values

/// JSONTestSuite: `y_` must be read, `n_` refused, `i_` may be either.
@Suite struct JSONConformanceTests {
  @Test(.enabled(if: ProjectRoot.conformance("json/test_parsing") != nil, "the conformance data is absent"))
  func everyFileIsReadOrRefusedAsItMustBe() throws {
    let folder = try #require(ProjectRoot.conformance("json/test_parsing"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".json") }.sorted()
    var right = 0
    for file in files {
      let bytes = Array(try Data(contentsOf: folder.appending(path: file)))
      let value = try? JSON.parse(bytes, options: .tolerant)
      let isRight = file.hasPrefix("i_") || (value != nil) == file.hasPrefix("y_")
      #expect(isRight, "\(file) was \(value == nil ? "refused" : "read")")
      guard isRight else { continue }
      // A whole double is written without a fraction, so the texts are what must agree.
      if let value { #expect(try JSON.parse(value.jsonBytes()).json() == value.json(), "\(file) reads back as it was written") }
      right += 1
    }
    print("JSON: \(right) of \(files.count)")
    #expect(files.count == 318)
  }
}
