/// Why a text is no stored value. Never shows what the text holds, which may be secret.
package struct StoredValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Lower case, no full stop.
  package var message: String

  package var description: String { message }

  package init(_ message: String) {
    self.message = message
  }
}

extension Value {
  /// The value that `storedText` was made of; any JSON text without tagged maps is the value that it says.
  ///
  /// - Throws: where it is no JSON, nested more than 1024 deep, or holds a tag that this version does not know.
  package init(storedText: String) throws(StoredValueError) {
    let form: Value
    do throws(JSONError) {
      form = try JSON.parse(storedText, options: JSON.ReadOptions(maximumDepth: StoredValue.maximumDepth))
    } catch {
      throw StoredValueError("a stored value is not JSON at byte \(error.offset)")
    }
    self = try StoredValue.value(of: form)
  }
}

extension StoredValue {
  /// The value that a form says.
  static func value(of form: Value) throws(StoredValueError) -> Value {
    switch form {
    case .list(let items):
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for item in items { values.append(try value(of: item)) }
      return .list(values)
    case .map(let map):
      if let tag = map[mark] { return try value(tag, map) }
      var values = ValueMap()
      values.reserveCapacity(map.count)
      for (key, item) in map { values[key] = try value(of: item) }
      return .map(values)
    case .null, .bool, .int, .uint, .double, .decimal, .string, .bytes, .timestamp, .duration, .type, .optional, .secret:
      return form
    }
  }

  private static func value(_ name: Value, _ map: ValueMap) throws(StoredValueError) -> Value {
    guard let text = name.stringValue, let tag = Tag(rawValue: text) else {
      throw StoredValueError("a stored value has a tag that this version does not know")
    }
    let content = map[Self.content]
    guard map.count == (content == nil ? 1 : 2), let value = try value(tag, content) else {
      throw StoredValueError("a stored `\(tag.rawValue)` has another form")
    }
    return value
  }

  /// Nil where the content is none of the tag's.
  private static func value(_ tag: Tag, _ content: Value?) throws(StoredValueError) -> Value? {
    switch (tag, content) {
    case (.uint, .string(let text)?): UInt64(text).map(Value.uint)
    case (.double, .string(let text)?): notFinite[text].map(Value.double)
    case (.decimal, .string(let lexeme)?): .decimal(lexeme)
    case (.bytes, .string(let text)?): bytes(base64: text).map(Value.bytes)
    case (.timestamp, .string(let text)?): Timestamp(rfc3339: text).map(Value.timestamp)
    case (.timestamp, .list(let parts)?): timestamp(parts)
    case (.duration, .int(let count)?): .duration(TimeSpan(nanoseconds: count))
    case (.type, .string(let name)?): .type(name)
    case (.optional, nil): .optional(nil)
    case (.optional, let inner?): .optional(try value(of: inner))
    case (.secret, let inner?): .secret(try value(of: inner))
    case (.map, .list(let entries)?): try map(entries)
    case (.uint, _), (.double, _), (.decimal, _), (.bytes, _), (.timestamp, _), (.duration, _), (.type, _), (.secret, _), (.map, _): nil
    }
  }

  private static let notFinite: [String: Double] = ["NaN": .nan, "Infinity": .infinity, "-Infinity": -.infinity]

  private static func timestamp(_ parts: [Value]) -> Value? {
    guard parts.count == 2, case .int(let seconds) = parts[0], case .int(let rest) = parts[1], let nanoseconds = Int32(exactly: rest)
    else { return nil }
    return .timestamp(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  private static func map(_ entries: [Value]) throws(StoredValueError) -> Value? {
    var map = ValueMap()
    for entry in entries {
      guard case .list(let pair) = entry, pair.count == 2, let key = key(try value(of: pair[0])) else { return nil }
      map[key] = try value(of: pair[1])
    }
    return map.count == entries.count ? .map(map) : nil
  }

  private static func key(_ value: Value) -> ValueMap.Key? {
    switch value {
    case .string(let text): .string(text)
    case .int(let number): .int(number)
    case .uint(let number): .uint(number)
    case .bool(let flag): .bool(flag)
    case .null, .double, .decimal, .bytes, .list, .map, .timestamp, .duration, .type, .optional, .secret: nil
    }
  }

  /// RFC 4648 §4, with padding; nil for any other text.
  private static func bytes(base64 text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 4) else { return nil }
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var bits = 0
    for (position, digit) in digits.dropLast(padding).enumerated() {
      guard let sextet = sextet(digit) else { return nil }
      bits = bits << 6 | sextet
      guard position % 4 > 0 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (position % 4))))
    }
    return bytes
  }

  private static func sextet(_ digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
