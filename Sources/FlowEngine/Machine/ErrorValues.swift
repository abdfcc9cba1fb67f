import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

extension Failed {
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
    map["cause"] = failure.cause.map { Failed(failure: $0, origin: origin, attempt: attempt).value } ?? .null
    return .map(map)
  }

  /// What reports show.
  var report: ErrorReport {
    ErrorReport(
      code: failure.code, title: failure.title, detail: failure.detail, stepID: origin.id, place: origin.place, attempt: attempt,
      sent: failure.sent.rawValue, isRejected: failure.isRejected, status: failure.answer?.status, body: failure.answer?.body.redacted,
      problems: failure.problems.map { .init(field: $0.field, message: $0.message) },
      causes: failure.causes.map { Failed(failure: $0, origin: origin, attempt: attempt).report })
  }
}

extension StepFailure.Answer {
  fileprivate var value: Value {
    let reply = HTTPReply(status: status, headers: headers, bytes: [], body: body, url: "", duration: .zero)
    return ["status": .int(Int64(status)), "headers": reply.value["headers"] ?? .null, "body": body]
  }
}
