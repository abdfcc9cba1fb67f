package import SourceText

/// A tree of data as the author wrote it; its scalars may be templates (text with `${{ }}` inside), which are
/// split and compiled later.
package indirect enum DataSyntax: Sendable {
  case scalar(ScalarSyntax)
  case list([DataSyntax], Span)
  case map([Entry], Span)

  package struct Entry: Sendable {
    package var key: Located<String>
    package var value: DataSyntax

    package init(key: Located<String>, value: DataSyntax) {
      self.key = key
      self.value = value
    }
  }

  package var span: Span {
    switch self {
    case .scalar(let scalar): scalar.span
    case .list(_, let span), .map(_, let span): span
    }
  }
}

/// One scalar: what YAML makes of it, and its text with the map back to the file.
package struct ScalarSyntax: Sendable {
  package enum Literal: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string
  }

  /// What it is if it holds no `${{ }}`.
  package var literal: Literal
  package var text: EmbeddedText
  /// With its quotes.
  package var span: Span
  package var isQuoted: Bool

  package init(literal: Literal, text: EmbeddedText, span: Span, isQuoted: Bool) {
    self.literal = literal
    self.text = text
    self.span = span
    self.isQuoted = isQuoted
  }
}

/// A bare expression (`if`, an item of `expect`, …): CEL, with or without one `${{ }}` around the whole of it.
package struct ExpressionSyntax: Sendable {
  package var text: EmbeddedText
  package var span: Span

  package init(text: EmbeddedText, span: Span) {
    self.text = text
    self.span = span
  }
}
