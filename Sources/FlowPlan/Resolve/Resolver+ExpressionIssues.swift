import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// Findings about expressions, in the words of flows.
extension Resolver {
  mutating func report(_ issue: ExpressionIssue, in text: EmbeddedText, _ locals: Locals) {
    let span = text.fileSpan(of: issue.span)
    report(
      Diagnostic(
        issue.kind, message(of: issue), at: Place(file, span), label: issue.label, severity: issue.severity,
        related: issue.related.map { Diagnostic.Label(Place(file, text.fileSpan(of: $0.span)), $0.text) }, notes: issue.notes,
        help: issue.kind == .unknownName
          ? help(for: issue, file.text(of: span), locals) : issue.help))
  }

  /// In the words of flows.
  private func message(of issue: ExpressionIssue) -> String {
    for (record, word) in [(RecordType.inputsName, "input"), (RecordType.secretsName, "secret")] {
      let ending = " in \(record)"
      if issue.kind == .unknownName, issue.message.hasPrefix("no field "), issue.message.hasSuffix(ending) {
        return "unknown \(word) " + issue.message.dropFirst("no field ".count).dropLast(ending.count)
      }
    }
    return issue.message
  }

  /// What the checker of expressions cannot know: why a name is not there, and how it gets there.
  private func help(for issue: ExpressionIssue, _ name: String, _ locals: Locals) -> [String] {
    if issue.message == "unknown name `loop`" { return ["`loop` is known only inside of `for_each` and `repeat`"] }
    if issue.message == "unknown name `omit`" { return ["`${{ omit }}` stands alone: it leaves its key out"] }
    let general = issue.help
    if let declared = general.first, declared.hasPrefix("did you mean") { return general }
    if locals.isOfStateKey { return ["the state is chosen before the first step: `state_key` sees `inputs` alone"] }
    if locals.isOfConnection, ["steps", "run", "uuid", "now", "random_int", "response", "outputs"].contains(name) {
      return ["a connection is set up before the first step: it sees `inputs` and `secrets`"]
    }
    if let settings = settingsHelp(for: issue) { return settings }
    switch issue.message {
    case "unknown name `steps`": return ["no step has an `id` yet: give one to the step that is meant"]
    case "unknown name `response`", "unknown name `outputs`":
      return [
        locals.outputs == nil || name == "outputs"
          ? "it is known only in the `outputs` and `expect` of a step itself" : "a typed step shows its result as `outputs`"
      ]
    case "unknown name `loop`": return ["it is known only inside of `for_each` and `repeat`"]
    case "unknown name `error`": return ["`error` is known only in a branch of `on_error`"]
    case "no field `\(name)` in \(RecordType.inputsName)":
      return ["declare it under `inputs:`" + (inputs.isEmpty ? "" : ", or name one that is there: \(quotedList(inputs.map(\.name.value)))")]
    case "no field `\(name)` in \(RecordType.secretsName)":
      return [
        "declare it under `secrets:`"
          + (document.secrets.isEmpty ? "" : ", or name one that is there: \(quotedList(document.secrets.map(\.value)))")
      ]
    default: return general
    }
  }

  /// What a connection has, where a name is none of its settings: those of its system first, which are why there is such a
  /// connection, then those that every connection has.
  private func settingsHelp(for issue: ExpressionIssue) -> [String]? {
    guard let connection = connections.first(where: { issue.message.hasSuffix(" in \($0.openSettings.name)") }) else { return nil }
    let names = connection.openSettings.fields.map(\.name)
    let own = connection.system.ownSettings()
    let (system, every) = (names.filter { own.field($0) != nil }, names.filter { own.field($0) == nil })
    let rest = every.isEmpty ? "" : "\(system.isEmpty ? "" : "; ")as every connection it has \(quotedList(every))"
    return [(system.isEmpty ? "" : "its settings are \(quotedList(system))") + rest]
  }
}
