import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import StepKit
import Values

/// `state`: what lasts between runs of one flow.
extension Resolver {
  mutating func resolveState(_ syntax: InputSyntax) -> StatePlan? {
    let name = syntax.name.value
    if let earlier = document.state.first(where: { $0.name.value == name }), earlier.name.span != syntax.name.span {
      report(
        .duplicateKey, "the state `\(name)` is declared twice", at: syntax.name.span, label: "again",
        related: [(earlier.name.span, "first here")])
      return nil
    }
    guard let declared = readInput(syntax) else { return nil }
    if declared.isSecret {
      report(
        .secretExposed, "the state `\(name)` cannot be secret: it is kept in a file that nobody guards", at: syntax.name.span,
        help: ["keep what finds the secret again, such as an id"])
    }
    guard let fallback = declared.fallback else {
      report(
        .missingKey, "the state `\(name)` needs a `default`", at: syntax.name.span,
        help: ["say what it is before the first run: `default: \"\"`"])
      return nil
    }
    return StatePlan(
      name: syntax.name, schema: declared.schema, type: declared.schema.valueType(named: "the state `\(name)`"),
      fallback: fallback.typed(declared.type))
  }

  /// Known before the first step: a text over `inputs`.
  mutating func resolveStateKey(_ syntax: DataSyntax) -> DataPlan {
    if document.state.isEmpty {
      report(
        .invalidValue, "`state_key` parts a state that this flow does not have", at: syntax.span,
        help: ["declare `state:`, or leave it out"])
    }
    let key = resolveData(syntax, .secret(.string(TextRules())), named: "state_key", Locals(isOfStateKey: true))
    checkName(key, "`baton state list` shows it")
    return key
  }
}
