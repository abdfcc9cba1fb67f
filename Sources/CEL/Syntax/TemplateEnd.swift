package import SourceText

/// What was found when looking for the end of a `${{ … }}`.
package enum TemplateEnd: Hashable, Sendable {
  /// The offset of the first of the two closing braces.
  case found(Int)
  /// A string in the expression does not end, so nothing behind it can be told apart; the span of the string.
  case unclosedString(Span)
  /// The text ends first.
  case missing
}

/// Where the `}}` stands that ends the expression starting at `start`, the offset behind `${{`.
///
/// Strings, comments and nested braces are read as an expression reads them, so `${{ {'a': {'b': 1}} }}` ends at the
/// last pair. Offsets are UTF-8 bytes of `text`.
package func templateEnd(in text: String, from start: Int) -> TemplateEnd {
  var lexer = Lexer(Array(text.utf8), at: start)
  var open: [Punctuation] = []
  while true {
    do throws(LexicalError) {
      let token = try lexer.next()
      guard case .punctuation(let mark) = token.kind else {
        if token.kind == .end { return .missing }
        continue
      }
      switch mark {
      case .openBrace, .openBracket, .openParenthesis: open.append(mark)
      case .closeBracket where open.last == .openBracket: open.removeLast()
      case .closeParenthesis where open.last == .openParenthesis: open.removeLast()
      case .closeBrace:
        // A ( or [ that is never closed must not hide the end.
        while let last = open.last, last != .openBrace { open.removeLast() }
        if open.popLast() == nil, lexer.byte(at: token.span.end) == UInt8(ascii: "}") { return .found(token.span.start) }
      default: break
      }
    } catch {
      if error.isUnclosed { return .unclosedString(error.span) }
    }
  }
}
