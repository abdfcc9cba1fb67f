import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// `poll`: the same request until its answer is as wished.
extension Resolver {
  mutating func resolvePoll(_ syntax: PollSyntax?, _ action: ActionPlan, _ codes: [String]?) -> PollPlan? {
    guard let syntax, case .handler(let handler) = action else { return nil }
    let place = syntax.span.line(in: file, within: syntax.span)
    guard handler.sendsRequests else {
      report(.invalidValue, "`poll` is for a step that sends a request", at: place, help: ["leave it out"])
      return nil
    }
    checkPolled(handler, at: place)
    for code in syntax.tolerate { checkPossible(code, codes) }
    // Asked of each answer, before the step's own `outputs` are made of the last one.
    let locals = Locals(outputs: ownOutputs(action), hasResponse: handler.isPlainHTTP, responseBody: responseBody)
    let until = syntax.until.flatMap { resolveCondition($0, locals) }
    let failIf = syntax.failIf.flatMap { resolveCondition($0, locals) }
    guard let until, let timeout = syntax.timeout else { return nil }
    for duration in [syntax.every, syntax.timeout] {
      guard let duration, duration.value <= .zero else { continue }
      report(.invalidValue, "a poll takes its time: this is no duration to wait", at: duration.span, help: ["write one such as `1s`"])
    }
    return PollPlan(
      every: syntax.every?.value ?? .seconds(1), timeout: timeout.value, until: until, failIf: failIf,
      tolerate: syntax.tolerate.map { CodePattern($0.value) })
  }

  /// To poll is to send again.
  private mutating func checkPolled(_ handler: HandlerPlan, at place: Span) {
    switch handler.effect {
    case .read, .idempotent, .keyed: return
    case .unsafe, .once: break
    }
    report(
      .unsafeRetry, "`\(handler.label)` may not be polled: each request may do it again", at: place,
      label: "its effect is `\(handler.effect.rawValue)`",
      help: handler.isPlainHTTP
        ? ["poll with a `get`; if this request changes nothing, write `effect: read` beside it"] : ["poll with a step that only reads"])
  }

  private var responseBody: ValueType { current.map { table[$0].responseBody } ?? .dyn }

  // MARK: - what else plain requests have

  /// `save`: the file that keeps the body.
  mutating func resolveSave(_ step: StepSyntax, _ action: ActionPlan?) -> DataPlan? {
    guard let syntax = step.save else { return nil }
    if case .handler(let handler)? = action, !handler.isPlainHTTP {
      report(.invalidValue, "`save` is for plain requests: it keeps the body of an answer", at: syntax.span, help: ["leave it out"])
    }
    let path = resolveData(syntax, .secret(.string(TextRules(minLength: 1))), named: "save", Locals())
    checkName(path, "files are listed in reports")
    if case .constant(.string(let text)) = path, text.hasPrefix("/") || text.split(separator: "/").contains("..") {
      report(
        .invalidValue, "`\(text)` leads out of the project's folder", at: syntax.span,
        help: ["name a file beneath it, such as `answers/job.json`"])
    }
    return path
  }

  /// `idempotency_key`: with it the request may be sent again.
  mutating func resolveIdempotency(_ syntax: IdempotencySyntax, _ with: [DataSyntax.Entry]) -> IdempotencyPlan {
    let header = syntax.header ?? Located("Idempotency-Key", syntax.value.span)
    let value = resolveData(syntax.value, .secret(.string(TextRules(minLength: 1))), named: "idempotency_key", Locals())
    if case .map(let headers, _)? = with.first(where: { $0.key.value == "headers" })?.value,
      let same = headers.first(where: { $0.key.value.lowercased() == header.value.lowercased() })
    {
      report(
        .duplicateKey, "the header `\(same.key.value)` is the idempotency key already", at: same.key.span, label: "again",
        related: [(header.span, "first here")])
    }
    let special = Set("!#$%&'*+-.^_`|~".utf8)
    if header.value.isEmpty || !header.value.utf8.allSatisfy({ special.contains($0) || $0.isAlphanumeric }) {
      report(.invalidValue, "`\(header.value)` is no name of a header", at: header.span, help: ["such as `Idempotency-Key`"])
    }
    return IdempotencyPlan(value: value, header: header.value)
  }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}
