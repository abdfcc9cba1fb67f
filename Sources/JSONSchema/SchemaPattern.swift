/// A regular expression of `pattern` or `patternProperties`, found anywhere in a text.
struct SchemaPattern: Sendable {
  let source: String
  private let find: @Sendable (String) -> Bool

  /// Nil where the pattern is not valid.
  init?(_ source: String) {
    guard let find = Self.compile(source) else { return nil }
    self.source = source
    self.find = find
  }

  func isFound(in text: String) -> Bool { find(text) }

  /// The one place that knows the engine.
  private static func compile(_ source: String) -> (@Sendable (String) -> Bool)? {
    guard let regex = try? Regex(source).matchingSemantics(.unicodeScalar) else { return nil }
    nonisolated(unsafe) let engine = regex
    return { unsafe $0.contains(engine) }
  }
}
