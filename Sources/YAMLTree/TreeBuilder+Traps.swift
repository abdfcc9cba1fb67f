internal import Diagnostics
internal import SourceText

/// Text that YAML reads without complaint, but not as it was meant.
extension TreeBuilder {
  /// Whether the last `${{` of a text is never closed.
  static func isCutTemplate(_ text: String) -> Bool {
    var isOpen = false
    var last: UInt8 = 0
    var beforeLast: UInt8 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "{"), last == byte, beforeLast == UInt8(ascii: "$") { isOpen = true }
      if byte == UInt8(ascii: "}"), last == byte { isOpen = false }
      (beforeLast, last) = (last, byte)
    }
    return isOpen
  }

  /// ` #` begins a comment in the middle of an expression.
  mutating func checkCut(_ text: String, _ span: Span) {
    guard Self.isCutTemplate(text), let comment = QuoteTrap.comment(after: span.end, in: bytes) else { return }
    report(
      .quoteThisString, "YAML cuts the expression at this ` #`, which begins a comment", Span(comment, comment + 1),
      help: [QuoteAdvice.help(quoting: span.joined(with: QuoteTrap.lineRest(from: comment, in: file) ?? span), in: file)])
  }

  /// `- a ? b : c` becomes a map with the key `a ? b`.
  mutating func checkTernary(_ item: Node, isInFlow: Bool) {
    guard case .mapping(let entries) = item.content, let entry = entries.first, entries.count == 1 else { return }
    let written = bytes[entry.key.span.start..<entry.key.span.end]
    guard entry.key.span.start == item.span.start, written.first != UInt8(ascii: "\""), written.first != UInt8(ascii: "'") else { return }
    guard entry.key.value.contains(" ? ") else { return }
    let value = isInFlow ? entry.key.span.joined(with: entry.value.span) : QuoteTrap.lineRest(from: item.span.start, in: file)
    guard let value else { return }
    report(
      .quoteThisString, "YAML splits `a ? b : c` at its `: `", Span(entry.key.span.end, entry.key.span.end + 1),
      help: [QuoteAdvice.help(quoting: value, in: file)])
  }

  /// `[ f(a, b) ]` becomes the items `f(a` and `b)`.
  mutating func checkSplitCalls(_ items: [Node]) {
    var open: (span: Span, count: Int)?
    for item in items {
      let plain = plainText(item)
      let parentheses = plain.map(Self.openParentheses) ?? 0
      guard let start = open else {
        if parentheses > 0 { open = (item.span, parentheses) }
        continue
      }
      open = closing(start, parentheses, item.span)
    }
  }

  /// `{ x: f(a, b) }` becomes `x: f(a` and the key `b)`.
  mutating func checkSplitCalls(_ entries: [Node.Entry]) {
    var open: (span: Span, count: Int)?
    for entry in entries {
      if let start = open {
        open = closing(start, Self.openParentheses(entry.key.value), entry.key.span)
      } else if let text = plainText(entry.value), Self.openParentheses(text) > 0 {
        open = (entry.value.span, Self.openParentheses(text))
      }
    }
  }

  private mutating func closing(_ open: (span: Span, count: Int), _ parentheses: Int, _ span: Span) -> (span: Span, count: Int)? {
    guard open.count + parentheses <= 0 else { return (open.span, open.count + parentheses) }
    report(
      .quoteThisString, "YAML splits this call at its `,`", open.span.joined(with: span),
      help: [QuoteAdvice.help(quoting: open.span.joined(with: span), in: file)])
    return nil
  }

  private func plainText(_ node: Node) -> String? {
    guard case .scalar(let scalar) = node.content, scalar.style == .plain else { return nil }
    return scalar.text.text
  }

  private static func openParentheses(_ text: String) -> Int {
    text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
  }
}
