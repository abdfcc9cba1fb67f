import FoundationEssentials
import JSONSchema
import TestKit
import Testing
import Values

/// JSON-Schema-Test-Suite, draft 2020-12.
@Suite(.enabled(if: ProjectRoot.conformance("json-schema/draft2020-12") != nil, "the conformance data is absent"))
struct JSONSchemaConformanceTests {
  @Test func everyRequiredTestPasses() throws {
    let registry = try remotes()
    var passed = 0
    var count = 0
    for file in try files("json-schema/draft2020-12") {
      try run(file, registry, .init(assertsFormats: false), &passed, &count)
    }
    print("JSON Schema: \(passed) of \(count)")
    #expect(passed == count)
    #expect(count == 1299)
  }

  @Test func theFormatsOfTheLanguagePassTheirOptionalTests() throws {
    var passed = 0
    var count = 0
    let named = ["email", "uri", "uuid", "date", "time", "date-time", "hostname", "ipv4", "ipv6"]
    for file in try files("json-schema/draft2020-12/optional/format") where named.contains(file.deletingPathExtension().lastPathComponent) {
      try run(file, .standard, .init(), &passed, &count)
    }
    print("JSON Schema formats: \(passed) of \(count)")
    #expect(passed == count)
  }

  private func run(
    _ file: URL, _ registry: SchemaRegistry, _ options: Schema.Options, _ passed: inout Int, _ count: inout Int
  ) throws {
    let groups = try #require(try parse(file).listValue)
    for group in groups {
      let name = "\(file.lastPathComponent): \(group["description"]?.stringValue ?? "")"
      let tests = group["tests"]?.listValue ?? []
      count += tests.count
      do {
        let schema = try Schema.compile(try #require(group["schema"]), registry: registry, options: options)
        for test in tests {
          let data = try #require(test["data"])
          let violations = schema.validate(data)
          let isRight = violations.isEmpty == test["valid"]?.boolValue && violations.isEmpty == schema.accepts(data)
          #expect(isRight, "\(name): \(test["description"]?.stringValue ?? "") \(violations.map(\.message))")
          if isRight { passed += 1 }
        }
      } catch let error as SchemaError {
        Issue.record("\(name): \(error.message) at \(error.pointer)")
      }
    }
  }

  /// What the suite serves at http://localhost:1234, of this draft.
  private func remotes() throws -> SchemaRegistry {
    var registry = SchemaRegistry()
    let root = try #require(ProjectRoot.conformance("json-schema/remotes")).path()
    for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(".json") {
      guard !path.hasPrefix("draft") || path.hasPrefix("draft2020-12/"), !path.hasPrefix("v1/") else { continue }
      registry.add(try parse(URL(filePath: root).appending(path: path)), at: "http://localhost:1234/\(path)")
    }
    return registry
  }

  private func files(_ folder: String) throws -> [URL] {
    let root = try #require(ProjectRoot.conformance(folder))
    return try FileManager.default.contentsOfDirectory(atPath: root.path()).filter { $0.hasSuffix(".json") }.sorted()
      .map { root.appending(path: $0) }
  }

  private func parse(_ file: URL) throws -> Value {
    try JSON.parse(Array(try Data(contentsOf: file)), options: .tolerant)
  }
}
