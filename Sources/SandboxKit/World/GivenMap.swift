package import Values

/// Reads one map of what a scenario gives; every key must be read before `finish`.
package struct GivenMap: Sendable {
  package let path: String
  private let map: ValueMap
  private var known: [String] = []

  /// - Throws: `SandboxError` where the value is no map.
  package init(_ value: Value, at path: String) throws(SandboxError) {
    guard case .map(let map) = value.exposed else { throw SandboxError("expected a map, got \(value.typeName)", at: path) }
    self.path = path
    self.map = map
  }

  package mutating func value(_ key: String) -> Value? {
    known.append(key)
    guard let value = map[key]?.exposed, value != .null else { return nil }
    return value
  }

  package mutating func text(_ key: String) throws(SandboxError) -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value else { throw mismatch(key, "a string", value) }
    return text
  }

  package mutating func requiredText(_ key: String) throws(SandboxError) -> String {
    guard let text = try text(key), !text.isEmpty else { throw SandboxError("`\(key)` is missing", at: path) }
    return text
  }

  package mutating func flag(_ key: String) throws(SandboxError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard case .bool(let flag) = value else { throw mismatch(key, "a bool", value) }
    return flag
  }

  package mutating func int(_ key: String) throws(SandboxError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let int = value.intValue.flatMap({ Int(exactly: $0) }) else { throw mismatch(key, "an int", value) }
    return int
  }

  /// One of a few numbers.
  package mutating func int(_ key: String, of known: [Int]) throws(SandboxError) -> Int? {
    guard let int = try int(key) else { return nil }
    if known.contains(int) { return int }
    throw SandboxError("`\(int)` is none of \(known.map(String.init).joined(separator: ", "))", at: "\(path).\(key)")
  }

  /// One of the names that an enumeration has.
  package mutating func choice<Name: RawRepresentable & CaseIterable>(
    _ key: String, of _: Name.Type
  ) throws(SandboxError) -> Name? where Name.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let name = Name(rawValue: text) else {
      let known = Name.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw SandboxError("`\(text)` is none of \(known)", at: "\(path).\(key)")
    }
    return name
  }

  /// A length of time: seconds as a number, or a text such as `500ms`, `30s`, `5m` or `1h`.
  package mutating func span(_ key: String) throws(SandboxError) -> Duration? {
    guard let value = value(key) else { return nil }
    switch value {
    case .duration(let span) where span.nanoseconds >= 0: return span.duration
    case .int(let seconds) where seconds >= 0: return .seconds(seconds)
    case .double(let seconds) where seconds >= 0 && seconds < 1e9: return .seconds(seconds)
    case .string(let text): if let span = TimeSpan(text: text), span.nanoseconds >= 0 { return span.duration }
    default: break
    }
    throw mismatch(key, "a duration such as `30s`", value)
  }

  package mutating func list(_ key: String) throws(SandboxError) -> [Value]? {
    guard let value = value(key) else { return nil }
    guard case .list(let items) = value else { throw mismatch(key, "a list", value) }
    return items
  }

  package mutating func texts(_ key: String) throws(SandboxError) -> [String]? {
    guard let items = try list(key) else { return nil }
    var texts: [String] = []
    for item in items {
      guard case .string(let text) = item.exposed else { throw mismatch("\(key)[\(texts.count)]", "a string", item) }
      texts.append(text)
    }
    return texts
  }

  package mutating func maps(_ key: String) throws(SandboxError) -> [GivenMap]? {
    guard let items = try list(key) else { return nil }
    var maps: [GivenMap] = []
    for item in items { maps.append(try GivenMap(item, at: "\(path).\(key)[\(maps.count)]")) }
    return maps
  }

  /// Reads all of a map.
  /// - Throws: what `read` throws, or `SandboxError` for a key that it has not read.
  package static func read<Content>(
    _ value: Value, at path: String, _ read: (inout GivenMap) throws(SandboxError) -> Content
  ) throws(SandboxError) -> Content {
    var map = try GivenMap(value, at: path)
    let content = try read(&map)
    try map.finish()
    return content
  }

  /// The names of a map's keys in their order; an empty list for none.
  package var keys: [String] { map.map(\.key.text) }

  /// - Throws: `SandboxError` for the first key that nobody has read.
  package func finish() throws(SandboxError) {
    guard let unknown = keys.first(where: { !known.contains($0) }) else { return }
    throw SandboxError("unknown key `\(unknown)`; known are \(known.map { "`\($0)`" }.joined(separator: ", "))", at: path)
  }

  private func mismatch(_ key: String, _ expected: String, _ value: Value) -> SandboxError {
    SandboxError("expected \(expected), got \(value.typeName)", at: "\(path).\(key)")
  }
}
