import Steps
import StepKit
import Values

/// `baton schema [KIND]`: the JSON Schema of what people write, or of what reports hold.
public struct SchemaCommand: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// `*.flow.yaml`
    case flow
    /// `*.scenarios.yaml`
    case scenarios
    /// `baton.yaml`
    case project
    /// The JSON report.
    case report
    /// What `baton plan --json` prints.
    case plan
  }

  public var kind: Kind

  public init(kind: Kind = .flow) { self.kind = kind }

  /// Prints the schema; always 0.
  public func execute(_ terminal: Terminal) -> Int {
    terminal.write(kind.text, to: .output)
    return 0
  }
}

extension SchemaCommand.Kind {
  var schema: Value {
    switch self {
    case .flow: FlowSchema(.standard).value
    case .scenarios: ScenariosSchema(.standard, systems: SandboxCatalogue.standard).value
    case .project: ProjectSchema(.standard).value
    case .report: ReportSchema().value
    case .plan: PlanSchema().value
    }
  }

  /// As it stands in `schemas/`.
  var text: String { schema.json(indent: 2) + "\n" }
  var fileName: String { "\(rawValue).schema.json" }
}
