import Values

/// Data as YAML in block style, which reads back as the same data under the rules of flows.
enum ExampleText {
  /// The members of a map, one line or more for each.
  static func members(_ map: ValueMap, indent: Int) -> String {
    map.map { key, value in
      let name = "\(margin(indent))\(isPlain(key.text) ? key.text : Value.string(key.text).json()):"
      return name + member(value, indent: indent)
    }.joined()
  }

  /// What stands behind the colon.
  private static func member(_ value: Value, indent: Int) -> String {
    switch value {
    case .map(let map) where !map.isEmpty: "\n" + members(map, indent: indent + 2)
    case .list(let items) where !items.isEmpty: "\n" + items.map { item($0, indent: indent + 2) }.joined()
    default: " \(scalar(value))\n"
    }
  }

  private static func item(_ value: Value, indent: Int) -> String {
    switch value {
    case .map(let map) where !map.isEmpty:
      // The first member stands behind the dash.
      "\(margin(indent))- " + members(map, indent: indent + 2).dropFirst(indent + 2)
    case .list(let items) where !items.isEmpty:
      "\(margin(indent))-\n" + items.map { item($0, indent: indent + 2) }.joined()
    default: "\(margin(indent))- \(scalar(value))\n"
    }
  }

  /// JSON is YAML; a text is left without quotes where nobody could take it for anything else.
  private static func scalar(_ value: Value) -> String {
    if case .string(let text) = value, isPlain(text) { return text }
    return value.json()
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter, text.last != " ", !text.contains("  ") else { return false }
    guard !["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"].contains(text.lowercased()) else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " _-./@+".contains($0)) }
  }

  private static func margin(_ indent: Int) -> String { String(repeating: " ", count: indent) }
}
