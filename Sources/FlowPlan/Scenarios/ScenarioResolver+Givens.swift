import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import Values

/// What a case gives the flow: inputs, secrets, answers.
extension ScenarioResolver {
  mutating func resolveInputs(_ entries: [DataSyntax.Entry], of name: String, at place: Span) -> [String: RunGivens.Given] {
    var givens = RunGivens()
    var places: [String: Span] = [:]
    let known = flow.inputs.map(\.name.value)
    for entry in entries {
      let key = entry.key
      guard known.contains(key.value) else {
        reportUnknown(.unknownName, "the flow has no input `\(key.value)`", key, among: known, none: "this flow has no inputs")
        continue
      }
      places[key.value] = line(of: entry.value.span)
      guard let value = constant(entry.value, "an input of a case") else { continue }
      // A cell is read by the declared type, as `--input` is.
      if isTable, case .string(let text) = value { givens.inputs[key.value] = .text(text) } else { givens.inputs[key.value] = .data(value) }
    }
    checkInputs(givens, places, of: name, at: place)
    return givens.inputs
  }

  /// Validated as a run validates them; the places are those of the case.
  private mutating func checkInputs(_ givens: RunGivens, _ places: [String: Span], of name: String, at place: Span) {
    var preparation = Preparation(plan: flow, givens: givens)
    _ = preparation.resolveInputs()
    for finding in preparation.diagnostics {
      guard let input = flow.inputs.first(where: { Place(flow.file, $0.name.span) == finding.place }) else { continue }
      let key = input.name.value
      if finding.kind == .missingInput {
        // What was reported as wrong already is not missing as well.
        guard places[key] == nil else { continue }
        report(
          .missingInput, "the case `\(name)` gives no `\(key)`, which the flow needs", at: place,
          help: ["add it to the case's `inputs`, or to those of `defaults`"])
      } else if let span = places[key] {
        let isNumber = input.schema.valueType == .string && isNumber(givens.inputs[key])
        report(
          isNumber ? .quoteThisNumber : finding.kind,
          isNumber ? "the input `\(key)` is text: a number here must be quoted" : finding.message, at: span,
          help: isNumber ? ["write `\"\(file.text(of: span))\"`"] : finding.help)
      }
    }
  }

  private func isNumber(_ given: RunGivens.Given?) -> Bool {
    switch given {
    case .data(.int), .data(.double): true
    default: false
    }
  }

  mutating func resolveSecrets(_ entries: [DataSyntax.Entry]) -> [String: String] {
    var secrets: [String: String] = [:]
    let known = flow.secrets.map(\.value)
    for entry in entries {
      let key = entry.key
      guard known.contains(key.value) else {
        reportUnknown(.unknownName, "the flow has no secret `\(key.value)`", key, among: known, none: "this flow has no secrets")
        continue
      }
      guard let value = constant(entry.value, "a secret of a case") else { continue }
      guard case .string(let text) = value, !text.isEmpty else {
        let isNumber = value.intValue != nil
        report(
          isNumber ? .quoteThisNumber : .typeMismatch, "the secret `\(key.value)` must be text, not \(value.typeName)",
          at: line(of: entry.value.span), help: isNumber ? ["write `\"\(file.text(of: entry.value.span))\"`"] : [])
        continue
      }
      secrets[key.value] = text
    }
    return secrets
  }

  mutating func resolveAnswers(_ answers: [AnswerSyntax], of name: String, at place: Span) -> [String: ScenarioAnswer] {
    var resolved: [String: ScenarioAnswer] = [:]
    let prompts = flow.prompts
    for answer in answers {
      let id = answer.prompt
      guard let prompt = prompts.first(where: { $0.stepID == id.value }) else {
        reportUnknown(
          .unknownName, "the flow has no prompt `\(id.value)`", id, among: prompts.map(\.stepID), none: "this flow asks nothing")
        continue
      }
      switch answer.source {
      case .always(let text): resolved[id.value] = .always(text.value)
      case .each(let texts):
        resolved[id.value] = .each(texts.map(\.value))
        if texts.isEmpty { report(.invalidValue, "`\(id.value)` has no answers", at: id.span, help: ["one for each time that it asks"]) }
      case .outbox(let span):
        resolved[id.value] = .outbox
        if !prompt.readsOutbox {
          report(
            .invalidValue, "the prompt `\(id.value)` reads no SMS and no mail, so the sandbox's outbox cannot answer it", at: span,
            help: ["give the step `sms_to` or `mail_to`, or answer with a text"])
        }
      }
    }
    // A name that was reported as unknown is most likely that of a prompt without an answer.
    guard answers.allSatisfy({ answer in prompts.contains { $0.stepID == answer.prompt.value } }) else { return resolved }
    for prompt in prompts where !prompt.readsOutbox && !answers.contains(where: { $0.prompt.value == prompt.stepID }) {
      report(
        .missingAnswer, "the case `\(name)` has no answer for the prompt `\(prompt.stepID)`", at: place,
        help: ["add `answers: { \(prompt.stepID): … }`"])
    }
    return resolved
  }
}
