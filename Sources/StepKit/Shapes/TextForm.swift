import Values

/// How a text is written that stands for something else, such as a moment.
///
/// A value that is no text is of another shape, and left to that.
package enum TextForm: Hashable, Sendable {
  /// A moment (RFC 3339).
  case time
  /// A moment, or the empty text that state is before it has been set.
  case timeOrEmpty
  /// A phone number: a plus, the country's code and the rest, fifteen digits at most (ITU-T E.164 §6.2.1).
  case phoneNumber

  /// Whether the text has the form.
  package func accepts(_ text: String) -> Bool {
    switch self {
    case .time: Timestamp(rfc3339: text) != nil
    case .timeOrEmpty: text.isEmpty || Timestamp(rfc3339: text) != nil
    case .phoneNumber:
      (3...16).contains(text.utf8.count) && text.hasPrefix("+") && !text.hasPrefix("+0")
        && text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }

  /// How it is written, for messages.
  package var phrase: String {
    switch self {
    case .time: "a time such as `2024-11-21T09:00:00Z`"
    case .timeOrEmpty: "a time such as `2024-11-21T09:00:00Z`, or empty"
    case .phoneNumber: "a phone number in E.164, such as `+61412345678`"
    }
  }

  /// The JSON Schema (2020-12) of a text, an optional one, or a list of them, with the form beside the type.
  func stated(in schema: Value) -> Value {
    guard case .map(var map) = schema else { return schema }
    if map["type"] == "string" { for (keyword, value) in keywords { map[keyword] = value } }
    map["items"] = map["items"].map { stated(in: $0) }
    map["anyOf"] = map["anyOf"]?.listValue.map { .list($0.map { stated(in: $0) }) }
    return .map(map)
  }

  private var keywords: ValueMap {
    switch self {
    case .time: ValueMap(members: ["format": "date-time"])
    case .timeOrEmpty: ValueMap(members: ["if": ["minLength": 1], "then": ["format": "date-time"]])
    case .phoneNumber: ValueMap(members: ["pattern": #"^\+[1-9][0-9]{1,14}$"#])
    }
  }

  func violations(in value: Value, at path: [ShapeViolation.Step]) -> [ShapeViolation] {
    switch value {
    case .string(let text): accepts(text) ? [] : [ShapeViolation(path, .rule("must be \(phrase)"))]
    case .list(let items): items.enumerated().flatMap { violations(in: $1, at: path + [.element($0)]) }
    default: []
    }
  }
}
