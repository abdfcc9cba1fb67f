import Journal
import Values

/// Whose tokens an entry of the store holds: the digest of what tells one session from another, so that no name says it.
struct TokenEntry: Hashable, Sendable {
  /// Hexadecimal digits.
  let name: String

  /// - Parameters:
  ///   - system: the system's name.
  ///   - settings: of the connection: its URLs, its client, its user, its scopes count; how it is reached does not, nor do
  ///     secrets, which may change while the session goes on.
  ///   - environment: the environment's name; empty without one.
  init(system: String, settings: ValueMap, environment: String) {
    let whole: Value = ["system": .string(system), "environment": .string(environment), "settings": Self.identity(settings)]
    name = ContentDigest.of(Array(Self.sorted(whole).json().utf8))
  }

  private static let ways: Set<String> = [
    "proxy", "tls", "max_body", "connect_timeout", "rate", "token_store", "headers", "bearer", "basic", "digest", "cookies", "follow",
    "http_version", "compressed",
  ]

  private static func identity(_ settings: ValueMap) -> Value {
    var kept = ValueMap()
    for (key, value) in settings where !ways.contains(key.text) && !isSecret(key.text) {
      let value = value.fullyExposed
      if value == .null { continue }
      kept[key] = value.mapValue.map { identity($0) } ?? value
    }
    return .map(kept)
  }

  private static func isSecret(_ name: String) -> Bool {
    !name.hasSuffix("_url") && ["secret", "password", "token"].contains { name.contains($0) }
  }

  /// The order in which settings are written says nothing.
  private static func sorted(_ value: Value) -> Value {
    guard case .map(let map) = value else { return value }
    var ordered = ValueMap()
    for (key, member) in map.sorted(by: { $0.key.text < $1.key.text }) { ordered[key] = sorted(member) }
    return .map(ordered)
  }
}
