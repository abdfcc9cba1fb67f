/// The lossless JSON text of a value, for what is stored and read back.
///
/// What JSON can say stands as plain JSON. Anything else is a map with the name `$baton`, such as
/// `{"$baton":"timestamp","value":"2026-03-01T09:30:00Z"}`; so is a map that has that name itself, or keys that are no texts.
enum StoredValue {
  /// The name that marks a tagged map.
  static let mark = "$baton"
  static let content = "value"
  /// Of the text: each level of a value takes three at most, and readers of flows take 128.
  static let maximumDepth = 1024

  enum Tag: String {
    case uint, double, decimal, bytes, map, timestamp, duration, type, optional, secret
  }

  /// The value as one whose plain JSON text says all of it.
  static func form(of value: Value) -> Value {
    switch value {
    case .null, .bool, .int, .string: value
    case .uint(let number): tagged(.uint, .string(String(number)))
    // Swift's text always has a point or an exponent, so that it reads back as a double, and never rounds.
    case .double(let number) where number.isFinite: .decimal(number.description)
    case .double: tagged(.double, value)
    case .decimal(let lexeme): isPlain(lexeme) ? value : tagged(.decimal, .string(lexeme))
    case .bytes: tagged(.bytes, value)
    case .list(let items): .list(items.map(form))
    case .map(let map): form(of: map)
    case .timestamp(let time): tagged(.timestamp, form(of: time))
    case .duration(let span): tagged(.duration, .int(span.nanoseconds))
    case .type(let name): tagged(.type, .string(name))
    case .optional(let inner): tagged(.optional, inner.map(form))
    case .secret(let inner): tagged(.secret, form(of: inner))
    }
  }

  /// Whether a reader of JSON finds the same decimal in it.
  private static func isPlain(_ lexeme: String) -> Bool { (try? JSON.parse(lexeme)) == .decimal(lexeme) }

  private static func form(of map: ValueMap) -> Value {
    let isPlain = map.allSatisfy { entry in if case .string(let name) = entry.key { !name.isSameText(as: mark) } else { false } }
    if isPlain { return .map(map.mapValues(form)) }
    return tagged(.map, .list(map.map { .list([form(of: $0.key.value), form(of: $0.value)]) }))
  }

  /// RFC 3339 where it can name the moment, else seconds and nanoseconds.
  private static func form(of time: Timestamp) -> Value {
    if Timestamp.secondsRange.contains(time.seconds), 0...999_999_999 ~= time.nanoseconds { return .string(time.text) }
    return .list([.int(time.seconds), .int(Int64(time.nanoseconds))])
  }

  private static func tagged(_ tag: Tag, _ content: Value?) -> Value {
    var map = ValueMap()
    map[mark] = .string(tag.rawValue)
    map[Self.content] = content
    return .map(map)
  }
}

extension Value {
  /// The value as JSON text from which `Value(storedText:)` makes the same value, marks of secrecy included.
  ///
  /// What is secret stands in it readable: the text is for sealing, or for values without secrets.
  package var storedText: String { StoredValue.form(of: self).json(secrets: .exposed) }
}
