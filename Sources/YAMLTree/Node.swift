package import SourceText

/// A YAML node with its exact place.
package struct Node: Sendable {
  package indirect enum Content: Sendable {
    case scalar(Scalar)
    case sequence([Node])
    /// In the order of the file; keys are unique text scalars.
    case mapping([Entry])
  }

  package struct Entry: Sendable {
    /// The key's text and its span.
    package var key: Located<String>
    package var value: Node

    package init(key: Located<String>, value: Node) {
      self.key = key
      self.value = value
    }
  }

  package var content: Content
  /// The whole node: a scalar with its quotes, a collection with its brackets (block collections end after their
  /// last child).
  package var span: Span

  package init(_ content: Content, _ span: Span) {
    self.content = content
    self.span = span
  }
}

/// A scalar: its decoded text with the map back to the file, and what it means in the YAML 1.2 core schema.
package struct Scalar: Sendable {
  package enum Style: Sendable, Hashable { case plain, singleQuoted, doubleQuoted, literal, folded }

  package enum Meaning: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The lexeme of a decimal, `0x` or `0o` integer is in the text; the value is here if it fits.
    case int(Int64)
    /// A float, or an integer past int64.
    case double(Double)
    case string
  }

  package var text: EmbeddedText
  package var style: Style
  package var meaning: Meaning
  /// Whether it stands inside `{ }` or `[ ]`.
  package var isInFlow: Bool

  package init(text: EmbeddedText, style: Style, meaning: Meaning, isInFlow: Bool) {
    self.text = text
    self.style = style
    self.meaning = meaning
    self.isInFlow = isInFlow
  }
}
