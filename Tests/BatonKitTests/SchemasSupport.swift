import Diagnostics
import FrontEnds
import JSONSchema
import SourceText
import Testing
import Values
import YAMLTree

@testable import BatonKit

/// Each generated schema, generated once.
enum SchemaValues {
  static let flow = SchemaCommand.Kind.flow.schema
  static let scenarios = SchemaCommand.Kind.scenarios.schema
  static let project = SchemaCommand.Kind.project.schema
  static let report = SchemaCommand.Kind.report.schema
  static let plan = SchemaCommand.Kind.plan.schema

  static func of(_ kind: SchemaCommand.Kind) -> Value {
    switch kind {
    case .flow: flow
    case .scenarios: scenarios
    case .project: project
    case .report: report
    case .plan: plan
    }
  }
}

/// A kind of file that people write: its schema, and the front end that reads it.
enum SchemaSubject: Sendable {
  case flow, scenarios, project

  private static let flowSchema = Result { try Schema.compile(SchemaValues.flow) }
  private static let scenariosSchema = Result { try Schema.compile(SchemaValues.scenarios) }
  private static let projectSchema = Result { try Schema.compile(SchemaValues.project) }

  func schema() throws -> Schema {
    switch self {
    case .flow: try Self.flowSchema.get()
    case .scenarios: try Self.scenariosSchema.get()
    case .project: try Self.projectSchema.get()
    }
  }

  /// What the schema has against a text, as `PATH: MESSAGE`.
  func violations(_ text: String) throws -> [String] {
    try found(text).map { "\($0.instancePath): \($0.message)" }
  }

  /// The instance paths at which the schema refuses a text.
  func paths(_ text: String) throws -> [String] { try found(text).map(\.instancePath) }

  private func found(_ text: String) throws -> [SchemaViolation] {
    let root = try #require(YAMLParse.document(SourceFile(path: "a.yaml", text: text)).root)
    return try schema().validate(root.value)
  }

  /// What the front end has against the form of a text.
  func errors(_ text: String) -> [String] {
    let file = SourceFile(path: "a.yaml", text: text)
    let found =
      switch self {
      case .flow: NativeFrontEnd.flow(from: file).diagnostics
      case .scenarios: NativeFrontEnd.scenarios(from: file).diagnostics
      case .project: NativeFrontEnd.project(from: file).diagnostics
      }
    return found.filter { $0.severity == .error }.map(\.message)
  }
}

/// A file with one mistake, and the place at which its schema must refuse it.
struct SchemaMistake: Sendable, CustomTestStringConvertible {
  let path: String
  let text: String

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }

  var testDescription: String { text }
}
