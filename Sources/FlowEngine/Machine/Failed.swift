import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// An error with where it came from.
struct Failed {
  var failure: StepFailure
  /// The innermost step that raised it.
  var origin: StepIdentity
  var attempt: Int
  /// An error of another step, or of an earlier moment, that led to it; at most one.
  var causes: [Failed] = []
  /// The verdict of the worst of several errors that this one stands for.
  var worst: Verdict?

  /// What a run comes to that ends with it.
  var verdict: Verdict { worst ?? failure.verdict }

  /// The error that led to this one: of another step, else of the step's own making.
  var cause: Failed? {
    causes.first ?? failure.cause.map { Failed(failure: $0, origin: origin, attempt: attempt) }
  }

  /// The same error, with another at the end of its chain of causes.
  func caused(by other: Failed) -> Failed {
    var copy = self
    copy.causes = [cause.map { $0.caused(by: other) } ?? other]
    return copy
  }

  /// The same as a doubt: what was sent may have been carried out.
  var asIndeterminate: Failed {
    Failed(failure: failure.asIndeterminate, origin: origin, attempt: attempt, causes: [self])
  }

  /// What expressions see as `error`.
  var value: Value {
    var map = ValueMap()
    map["code"] = .string(failure.code)
    map["tags"] = .list(failure.tags.map { .string($0) })
    map["title"] = .string(failure.title)
    map["detail"] = .string(failure.detail)
    map["step"] = .string(origin.id)
    map["line"] = .int(Int64(origin.place.start.line))
    map["attempt"] = .int(Int64(attempt))
    map["sent"] = .string(failure.sent.rawValue)
    map["rejected"] = .bool(failure.isRejected)
    map["http"] = failure.answer?.value ?? .null
    map["errors"] = .list(failure.problems.map { ["field": .string($0.field), "message": .string($0.message)] })
    map["cause"] = cause?.value ?? .null
    return .map(map)
  }

  /// What reports show.
  var report: ErrorReport {
    var report = ErrorReport(
      code: failure.code, title: failure.title, detail: failure.detail, stepID: origin.id, place: origin.place, attempt: attempt,
      sent: failure.sent.rawValue, isRejected: failure.isRejected, status: failure.answer?.status, body: failure.answer?.body.redacted,
      problems: failure.problems.map { .init(field: $0.field, message: $0.message) }, causes: cause.map { [$0.report] } ?? [])
    report.help = failure.help
    return report
  }
}

extension Failed {
  /// An expression of a step that has no value; it points at the expression.
  init(_ error: DataError, of activation: Activation) {
    self.init(failure: .expression(error), origin: activation.identity, attempt: activation.allAttempts)
    failure.sent = activation.sentSoFar
    origin.place = error.place
  }
}

extension StepFailure {
  static let cancelled = StepFailure("cancelled", title: "cancelled")

  static func overBudget(_ owner: String, sent: Sent = .no) -> StepFailure {
    StepFailure("budget.time", title: "\(owner) took longer than its budget", sent: sent)
  }

  /// An expression that could not be evaluated; never catchable.
  static func expression(_ error: DataError) -> StepFailure {
    StepFailure("expr.failed", title: "an expression has no value", detail: error.message)
  }
}

extension StepFailure.Answer {
  fileprivate var value: Value {
    let reply = HTTPReply(status: status, headers: headers, bytes: [], body: body, url: "", duration: .zero)
    return ["status": .int(Int64(status)), "headers": reply.value["headers"] ?? .null, "body": body]
  }
}
