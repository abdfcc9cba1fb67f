import CEL

/// A regular expression of `pattern` or `patternProperties`, found anywhere in a text.
struct SchemaPattern: Sendable {
  let source: String
  private let pattern: TextPattern

  /// Nil where the pattern is not valid.
  init?(_ source: String) {
    guard let pattern = TextPattern(re2Syntax(ofECMAScript: source)) else { return nil }
    self.source = source
    self.pattern = pattern
  }

  func isFound(in text: String) -> Bool { pattern.isFound(in: text) }
}
