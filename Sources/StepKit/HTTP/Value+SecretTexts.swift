package import Values

extension Value {
  /// The texts and numbers of its secrets, as they would turn up elsewhere.
  package var secretTexts: [String] {
    switch self {
    case .secret(let inner): inner.texts
    case .list(let items): items.flatMap(\.secretTexts)
    case .map(let map): map.flatMap(\.value.secretTexts)
    case .optional(let inner?): inner.secretTexts
    case .null, .bool, .int, .uint, .double, .decimal, .string, .bytes, .timestamp, .duration, .type, .optional: []
    }
  }

  /// Every text and number in it; of bytes the text that they are. A bool betrays nothing.
  private var texts: [String] {
    switch self {
    case .string(let text): text.searchable
    case .bytes(let bytes): String(validating: bytes, as: UTF8.self)?.searchable ?? []
    case .int, .uint, .double, .decimal: scalarText.map { [$0] } ?? []
    case .list(let items): items.flatMap(\.texts)
    case .map(let map): map.flatMap(\.value.texts)
    case .secret(let inner): inner.texts
    case .optional(let inner?): inner.texts
    case .null, .bool, .timestamp, .duration, .type, .optional: []
    }
  }
}

extension String {
  /// The text, or the lines of one that is too long to be looked for in one piece.
  fileprivate var searchable: [String] {
    utf8.count <= 4096
      ? [self] : split(whereSeparator: \.isNewline).filter { (8...4096).contains($0.utf8.count) }.prefix(1000).map(String.init)
  }
}
