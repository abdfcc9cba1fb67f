import CEL
import Diagnostics
import SourceText
import Values

/// `baton eval EXPR`: tries an expression.
public struct EvalCommand: Sendable {
  public var expression: String
  /// A YAML or JSON file whose members are the roots.
  public var dataFile: String?
  public var printsType: Bool

  public init(expression: String, dataFile: String? = nil, printsType: Bool = false) {
    self.expression = expression
    self.dataFile = dataFile
    self.printsType = printsType
  }

  public func execute(_ terminal: Terminal) -> Int {
    let file = SourceFile(path: "expression", text: expression)
    do throws(Findings) {
      let data = try dataFile.map { (path) throws(Findings) in try YAMLValues.map(of: path) } ?? ValueMap()
      let variables = data.enumerated().map {
        Variable(name: $1.key.text, type: $1.value.describedType(named: "`\($1.key.text)`"), slot: $0)
      }
      let compilation = Environment(variables: variables).compile(expression)
      let findings = compilation.issues.map { Diagnostic($0, in: file) }
      guard let program = compilation.program else { throw Findings(findings) }
      if !findings.isEmpty { terminal.show(findings) }
      if printsType {
        terminal.write("\(program.type)\n", to: .output)
        return 0
      }
      return try print(program, data.map(\.value), file, terminal)
    } catch {
      terminal.show(error.diagnostics)
      return 2
    }
  }

  private func print(_ program: Program, _ slots: [Value?], _ file: SourceFile, _ terminal: Terminal) throws(Findings) -> Int {
    do throws(EvaluationError) {
      terminal.write(try program.evaluate(slots).json(indent: 2) + "\n", to: .output)
      return 0
    } catch {
      throw Findings([Diagnostic(.invalidExpression, error.message, at: Place(file, error.span))])
    }
  }
}

extension Diagnostic {
  fileprivate init(_ issue: ExpressionIssue, in file: SourceFile) {
    self.init(
      issue.kind, issue.message, at: Place(file, issue.span), label: issue.label, severity: issue.severity,
      related: issue.related.map { Label(Place(file, $0.span), $0.text) }, notes: issue.notes, help: issue.help)
  }
}
