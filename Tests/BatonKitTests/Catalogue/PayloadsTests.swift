import FoundationEssentials
import StepKit
import Steps
import TestKit
import Testing
import Values

/// The documents' example payloads, which `Scripts/replay` runs, fit the catalogue.
@Suite struct PayloadsTests {
  private static let systems = StepCatalogue.standard.systems.filter { $0.hasSandbox && !$0.steps.isEmpty }.map(\.name)

  /// The operations of one file.
  private func operations(_ system: String) throws -> [Value] {
    let file = try JSON.parse(Array(Data(contentsOf: URL(filePath: ProjectRoot.path + "Tests/Payloads/\(system).json"))))
    #expect(file["system"] == .string(system))
    return try #require(file["operations"]?.listValue)
  }

  private func step(_ operation: Value) throws -> AnyStep {
    let name = try #require(operation["step"]?.stringValue)
    return try #require(StepCatalogue.standard.step(name), "\(name)")
  }

  @Test(arguments: systems) func everyOperationIsAStepWithAnAnswer(_ system: String) throws {
    for operation in try operations(system) {
      #expect(try step(operation).about.system == system)
      #expect(operation["answers"]?.listValue?.isEmpty == false)
      #expect(operation["path"]?.stringValue?.hasPrefix("/") == true)
    }
  }

  @Test(arguments: systems) func theInputIsOneThatTheStepTakes(_ system: String) throws {
    for operation in try operations(system) {
      guard let with = operation["with"]?.mapValue, !operation.json().contains("{origin}") else { continue }
      let step = try step(operation)
      #expect(step.refine(with, ValueMap()).violations(in: with).map(\.message) == [], "\(step.about.name)")
    }
  }

  /// A refusal means an error that its step declares; that of a session may come from any request.
  @Test(arguments: systems) func everyRefusalIsDeclared(_ system: String) throws {
    for operation in try operations(system) {
      let step = try step(operation)
      for answer in operation["answers"]?.listValue ?? [] {
        guard let code = answer["code"]?.stringValue, code != "auth.expired" else { continue }
        #expect(step.errors.map(\.code).contains(code), "\(step.about.name): \(code)")
      }
    }
  }
}
