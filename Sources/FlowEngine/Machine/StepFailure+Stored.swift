import HTTPTypes
import StepKit
import Values

/// An error as a run's notes keep it.
extension StepFailure {
  var stored: Value {
    var map = ValueMap(members: [
      "code": .string(code), "tags": .list(tags.map { .string($0) }), "title": .string(title), "detail": .string(detail),
      "sent": .string(sent.rawValue), "rejected": .bool(isRejected),
    ])
    if !help.isEmpty { map["help"] = .string(help) }
    if let answer {
      let fields = answer.headers.map { Value.list([.string($0.name.rawName), .string($0.value)]) }
      map["answer"] = ["status": .int(Int64(answer.status)), "headers": Value.list(fields).hidden(), "body": answer.body]
    }
    if !problems.isEmpty { map["problems"] = .list(problems.map { ["field": .string($0.field), "message": .string($0.message)] }) }
    if let retryAt { map["retry_at"] = .timestamp(retryAt) }
    if let cause { map["cause"] = cause.stored }
    return .map(map)
  }

  /// Nil for what is none.
  init?(stored value: Value) {
    guard let map = value.exposed.mapValue, let code = map["code"]?.stringValue, let title = map["title"]?.stringValue else { return nil }
    self.init(
      code, title: title, detail: map["detail"]?.stringValue ?? "", tags: map["tags"]?.listValue?.compactMap(\.stringValue) ?? [],
      sent: map["sent"]?.stringValue.flatMap(Sent.init) ?? .maybe, isRejected: map["rejected"]?.boolValue ?? false,
      answer: map["answer"].flatMap(Answer.init(stored:)),
      problems: map["problems"]?.listValue?.compactMap(Problem.init(stored:)) ?? [],
      cause: map["cause"].flatMap(StepFailure.init(stored:)))
    help = map["help"]?.stringValue ?? ""
    if case .timestamp(let moment)? = map["retry_at"] { retryAt = moment }
  }
}

extension StepFailure.Answer {
  fileprivate init?(stored value: Value) {
    guard let status = value["status"]?.intValue else { return nil }
    var headers = HTTPFields()
    for field in value["headers"]?.exposed.listValue ?? [] {
      let pair = field.listValue?.compactMap(\.stringValue) ?? []
      if pair.count == 2, let name = HTTPField.Name(pair[0]) { headers.append(HTTPField(name: name, value: pair[1])) }
    }
    self.init(status: Int(status), headers: headers, body: value["body"] ?? .null)
  }
}

extension StepFailure.Problem {
  fileprivate init?(stored value: Value) {
    guard let field = value["field"]?.stringValue, let message = value["message"]?.stringValue else { return nil }
    self.init(field: field, message: message)
  }
}
