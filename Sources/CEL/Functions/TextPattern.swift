/// A compiled RE2 pattern, for modules that match texts outside of expressions.
package struct TextPattern: Sendable {
  private let pattern: Pattern

  /// Nil where the pattern is not valid in RE2's syntax.
  package init?(_ source: String) {
    guard let pattern = try? Pattern(source) else { return nil }
    self.pattern = pattern
  }

  /// Whether it matches anywhere in the text.
  package func isFound(in text: String) -> Bool { pattern.matches(text) }
}
