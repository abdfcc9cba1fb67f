import CEL
import Diagnostics
import FlowSyntax
import SourceText
import Values

extension Resolver {
  mutating func resolveExpect(_ syntax: ExpectSyntax?, _ locals: Locals, _ action: ActionPlan?) -> ExpectPlan {
    var plan = ExpectPlan()
    guard let syntax else { return plan }
    if let action { checkAnswers(syntax, action) }
    plan.statuses = syntax.statuses.map { Located(StatusRange($0.value), $0.span) }
    var inner = locals
    if syntax.error != nil { inner = Locals(hasError: true) }
    plan.checks += syntax.that.compactMap { item in
      guard let compiled = resolveCondition(item, inner, isCheck: true) else { return nil }
      return CheckPlan(kind: .that(compiled), text: compiled.text.text.trimmed, place: Place(file, item.span))
    }
    plan.checks += syntax.headers.map { entry in
      let value = resolveData(entry.value, nil, named: entry.key.value, Locals())
      return CheckPlan(
        kind: .header(entry.key.value.lowercased(), value), text: "header \(entry.key.value)", place: Place(file, entry.value.span))
    }
    if let body = syntax.body {
      checkBody(body)
      plan.checks.append(
        CheckPlan(kind: .body(resolveData(body, nil, named: "body", Locals())), text: "body", place: Place(file, body.span)))
    }
    if let data = syntax.schema, let schema = current.flatMap({ table[$0].expectedSchema }) {
      let place = Place(file, data.span.line(in: file, within: data.span))
      plan.checks.append(CheckPlan(kind: .schema(schema), text: "schema", place: place))
    }
    if let limit = syntax.maxDuration {
      plan.checks.append(CheckPlan(kind: .maxDuration(limit.value), text: "max_duration", place: Place(file, limit.span)))
    }
    if let error = syntax.error { plan.error = Located(CodePattern(error.value), error.span) }
    return plan
  }

  /// Checks of an answer that a typed step does not show, and a status that an expected error rules out.
  private mutating func checkAnswers(_ syntax: ExpectSyntax, _ action: ActionPlan) {
    if let error = syntax.error, let status = syntax.statuses.first, action.isPlainHTTP {
      report(
        .invalidValue, "`status` has no place beside `error`: the step succeeds only if it raises `\(error.value)`", at: status.span,
        related: [(error.span, "the error")], help: ["name the status as the error, such as `error: http.404`, or leave `error` out"])
    }
    let answers: [(key: String, span: Span)] =
      (syntax.statuses.first.map { [("status", $0.span)] } ?? []) + (syntax.headers.first.map { [("headers", $0.key.span)] } ?? [])
      + (syntax.body.map { [("body", $0.span)] } ?? [])
    guard !action.isPlainHTTP else { return }
    for (key, span) in answers {
      report(
        .invalidValue, "`\(key)` is for plain requests: a typed step knows which answers are right", at: span,
        help: [
          key == "status"
            ? "to expect an error of it, write `expect: { error: CODE }`" : "check what it gives: `expect: [ outputs.NAME == … ]`"
        ])
    }
  }
}

extension StatusRange {
  init(_ pattern: StatusPattern) {
    switch pattern {
    case .exactly(let status): self.init(statuses: status...status, text: "\(status)")
    case .hundred(let hundred): self.init(statuses: hundred * 100...hundred * 100 + 99, text: "\(hundred)xx")
    }
  }
}
