import Diagnostics
import SourceText
import YAMLTree

/// Findings as one line each: `kind line:column message`, then what stands beside them.
func described(_ diagnostics: [Diagnostic]) -> [String] {
  diagnostics.flatMap { diagnostic in
    let at = diagnostic.place.map { "\($0.start.line):\($0.start.column)" } ?? "-"
    return ["\(diagnostic.kind.rawValue) \(at) \(diagnostic.message)"]
      + diagnostic.related.map { "  \($0.place.start.line):\($0.place.start.column) \($0.text)" }
      + diagnostic.help.map { "  help: \($0)" }
  }
}

func findings(_ text: String) -> [String] {
  described(YAMLParse.document(SourceFile(path: "f", text: text)).diagnostics)
}

extension Node {
  /// This node and every one below it.
  var all: [Node] {
    switch content {
    case .scalar: [self]
    case .sequence(let items): [self] + items.flatMap(\.all)
    case .mapping(let entries): [self] + entries.flatMap(\.value.all)
    }
  }

  var scalar: Scalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  subscript(_ key: String) -> Node? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key.value == key }?.value
  }

  /// As JSON, so that a test can read it.
  var json: String {
    switch content {
    case .scalar(let scalar):
      switch scalar.meaning {
      case .null: "null"
      case .bool(let value): "\(value)"
      case .int(let value): "\(value)"
      case .double(let value): "\(value)"
      case .string: scalar.text.text.debugDescription
      }
    case .sequence(let items): "[" + items.map(\.json).joined(separator: ", ") + "]"
    case .mapping(let entries): "{" + entries.map { "\($0.key.value): \($0.value.json)" }.joined(separator: ", ") + "}"
    }
  }
}

/// What is wrong with a text's map to its file: every part must stand for itself, or for one character or fold.
func mapFault(_ text: EmbeddedText, in file: SourceFile) -> String? {
  let utf8 = Array(text.text.utf8)
  var offset = 0
  for piece in text.pieces {
    if piece.text.start != offset || piece.text.end <= offset { return "gap at \(offset)" }
    offset = piece.text.end
    if piece.file.start < 0 || piece.file.end > file.bytes.count || piece.file.start > piece.file.end { return "outside of the file" }
    let part = utf8[piece.text.start..<piece.text.end]
    let isVerbatim = part.elementsEqual(file.bytes[piece.file.start..<piece.file.end])
    if !isVerbatim, String(decoding: part, as: UTF8.self).unicodeScalars.count != 1 {
      return "\(String(decoding: part, as: UTF8.self).debugDescription) is not what stands at \(piece.file)"
    }
  }
  return offset == utf8.count ? nil : "ends at \(offset) of \(utf8.count)"
}
