/// A decoded text (of a YAML scalar, say) that knows where each of its bytes stands in the file.
package struct EmbeddedText: Hashable, Sendable {
  /// Bytes of the text and the bytes of the file that they were read from. Equal lengths stand byte for byte;
  /// unequal ones (an escape, a folded line break) belong together as a whole.
  package struct Piece: Hashable, Sendable {
    package var text: Span
    package var file: Span

    package init(text: Span, file: Span) {
      self.text = text
      self.file = file
    }
  }

  package let text: String
  /// In the order of the text, without gaps.
  package let pieces: [Piece]
  /// The whole of it in the file; for a quoted scalar without its quotes.
  package let fileSpan: Span

  package init(text: String, pieces: [Piece], fileSpan: Span) {
    self.text = text
    self.pieces = pieces
    self.fileSpan = fileSpan
  }

  /// A text that stands in the file byte for byte from `start`.
  package init(verbatim text: String, at start: Int) {
    let count = text.utf8.count
    self.init(
      text: text,
      pieces: count == 0 ? [] : [Piece(text: Span(0, count), file: Span(start, start + count))],
      fileSpan: Span(start, start + count))
  }

  /// Where a span of the text (UTF-8 offsets) stands in the file.
  package func fileSpan(of span: Span) -> Span {
    let start = fileStart(of: span.start)
    return Span(start, max(start, span.length > 0 ? fileEnd(of: span.end) : start))
  }

  /// A part of the text, with its own map.
  package func slice(_ span: Span) -> EmbeddedText {
    let utf8 = text.utf8
    let part = String(
      decoding: Array(utf8.dropFirst(span.start).prefix(span.length)), as: UTF8.self)
    let cut: [Piece] = pieces.compactMap { piece in
      let from = max(piece.text.start, span.start)
      let to = min(piece.text.end, span.end)
      guard from < to else { return nil }
      let isVerbatim = piece.text.length == piece.file.length
      let file =
        isVerbatim
        ? Span(piece.file.start + from - piece.text.start, piece.file.start + to - piece.text.start) : piece.file
      return Piece(text: Span(from - span.start, to - span.start), file: file)
    }
    return EmbeddedText(text: part, pieces: cut, fileSpan: fileSpan(of: span))
  }

  private func fileStart(of offset: Int) -> Int {
    guard let piece = pieces.first(where: { offset < $0.text.end }) else { return fileSpan.end }
    guard offset > piece.text.start, piece.text.length == piece.file.length else { return piece.file.start }
    return piece.file.start + offset - piece.text.start
  }

  private func fileEnd(of offset: Int) -> Int {
    guard let piece = pieces.first(where: { offset <= $0.text.end }) else { return fileSpan.end }
    guard offset < piece.text.end, piece.text.length == piece.file.length else { return piece.file.end }
    return piece.file.start + offset - piece.text.start
  }
}
