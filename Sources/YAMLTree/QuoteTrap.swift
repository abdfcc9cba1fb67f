internal import Diagnostics
internal import SourceText

/// A text that libyaml cannot read and that only lacks its quotes.
struct QuoteTrap {
  var reason: String
  /// Where libyaml stopped.
  var place: Span
  /// The text that wants quotes; it stands on one line.
  var span: Span

  /// The trap that explains a problem; nil where the problem is of another kind.
  ///
  /// - Parameter bytes: the file's, with the texts that were mended before this one blotted out.
  static func find(_ problem: SyntaxProblem, in file: SourceFile, bytes: [UInt8]) -> QuoteTrap? {
    guard let (reason, span) = reason(problem, file, bytes), span.length > 0 else { return nil }
    // A text that was mended once is not the cause.
    guard file.bytes[span.start..<span.end] == bytes[span.start..<span.end] else { return nil }
    let place = problem.offset < span.end ? Span(problem.offset, problem.offset + 1) : span
    return QuoteTrap(reason: reason, place: place, span: span)
  }

  /// - Parameter others: traps of the file; those of the same line are mended in the same line of help.
  func diagnostic(besides others: [QuoteTrap], in file: SourceFile) -> Diagnostic {
    let line = file.position(of: span.start).line
    let spans = others.map(\.span).filter { file.position(of: $0.start).line == line }.sorted { $0.start < $1.start }
    return Diagnostic(.quoteThisString, reason, at: Place(file, place), help: [QuoteAdvice.help(quoting: spans, in: file)])
  }

  private static func reason(_ problem: SyntaxProblem, _ file: SourceFile, _ bytes: [UInt8]) -> (String, Span)? {
    let offset = problem.offset
    guard offset < bytes.count else { return nil }
    if bytes[offset] == UInt8(ascii: "{"), offset > 0, bytes[offset - 1] == UInt8(ascii: "$"), byte(bytes, offset + 1) == UInt8(ascii: "{")
    {
      return ("YAML reads the braces of `${{ }}` as its own inside `{ }` or `[ ]`", flowItem(around: offset - 1, bytes))
    }
    if problem.context.contains("flow"), let open = openParenthesis(before: offset, bytes) {
      return ("YAML splits this call at its `,`", flowItem(around: open, bytes))
    }
    guard let value = value(at: offset, in: file), value.start <= offset, offset <= value.end, value.length > 0 else { return nil }
    if problem.problem.hasPrefix("mapping values are not allowed") {
      return ("YAML reads the `: ` in this text as the end of a key", value)
    }
    let first = bytes[value.start]
    let symbol = String(decoding: [first], as: UTF8.self)
    switch symbol {
    case "\"", "'":
      guard let end = closingQuote(value.start, value.end, bytes), hasText(after: end, value.end, bytes) else { break }
      return ("YAML ends this text at its second quote", value)
    case "[", "{":
      if let end = closingBracket(value.start, value.end, bytes) {
        guard hasText(after: end, value.end, bytes) else { break }
        return ("a text that begins with `\(symbol)` is a \(symbol == "[" ? "list" : "map") in YAML", value)
      }
    case "!": return ("a text that begins with `!` is a tag in YAML", value)
    case "*": return ("a text that begins with `*` is an alias in YAML", value)
    case "&": return ("a text that begins with `&` is an anchor in YAML", value)
    case "@": return ("no text may begin with `@` in YAML", value)
    case "`": return ("no text may begin with a backtick in YAML", value)
    case "%": return ("a text that begins with `%` is a directive in YAML", value)
    default: break
    }
    let isBracket = bytes[offset] == UInt8(ascii: "[") || bytes[offset] == UInt8(ascii: "{")
    // `x == [1]` has a blank before it, and is a text nevertheless.
    if isBracket, problem.context.contains("flow"), let before = bytes[value.start..<offset].lastIndex(where: { !ScalarText.isBlank($0) }),
      isPlain(bytes[before])
    {
      return ("YAML reads this bracket as the start of a list or a map", flowItem(around: before, bytes))
    }
    return nil
  }

  // MARK: lines

  /// The value on the line of `offset`, past its indentation, its `- ` and its `key: `, to the end of the line.
  static func value(at offset: Int, in file: SourceFile) -> Span? {
    let bytes = file.bytes
    var start = min(offset, bytes.count)
    while start > 0, !ScalarText.isBreak(bytes[start - 1]) { start -= 1 }
    let line = lineRest(from: start, in: file) ?? Span(start, start)
    start = skipBlanks(start, line.end, bytes)
    while start + 1 < line.end, bytes[start] == UInt8(ascii: "-"), ScalarText.isBlank(bytes[start + 1]) {
      start = skipBlanks(start + 1, line.end, bytes)
    }
    if let colon = keyEnd(start, line.end, bytes) { start = skipBlanks(colon + 1, line.end, bytes) }
    return Span(start, line.end)
  }

  /// From an offset to the end of its line, without blanks at the end.
  static func lineRest(from start: Int, in file: SourceFile) -> Span? {
    let bytes = file.bytes
    var end = start
    while end < bytes.count, !ScalarText.isBreak(bytes[end]) { end += 1 }
    while end > start, ScalarText.isBlank(bytes[end - 1]) { end -= 1 }
    return end > start ? Span(start, end) : nil
  }

  /// Where the `#` of a comment stands that ends the line after `offset`.
  static func comment(after offset: Int, in bytes: [UInt8]) -> Int? {
    let start = skipBlanks(offset, bytes.count, bytes)
    return start > offset && byte(bytes, start) == UInt8(ascii: "#") ? start : nil
  }

  /// The `:` that ends a key at `start`; nil where the line has none, or it stands inside an expression.
  private static func keyEnd(_ start: Int, _ end: Int, _ bytes: [UInt8]) -> Int? {
    guard start < end else { return nil }
    if bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
      guard let quote = closingQuote(start, end, bytes), byte(bytes, quote + 1) == UInt8(ascii: ":") else { return nil }
      return quote + 1
    }
    for offset in start..<end where bytes[offset] == UInt8(ascii: ":") {
      guard offset + 1 == end || ScalarText.isBlank(bytes[offset + 1]) else { continue }
      let key = String(decoding: bytes[start..<offset], as: UTF8.self)
      return key.contains("${{") || key.contains(" ? ") || key.contains("{") || key.contains("[") ? nil : offset
    }
    return nil
  }

  // MARK: pieces of a line

  /// The item of a flow list or map around an offset, on its line: between the commas and brackets outside of it.
  private static func flowItem(around offset: Int, _ bytes: [UInt8]) -> Span {
    let start = skipBlanks(flowItemStart(before: offset, bytes), offset, bytes)
    var depth = 0
    var end = offset
    loop: while end < bytes.count, !ScalarText.isBreak(bytes[end]) {
      switch bytes[end] {
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"):
        if depth == 0 { break loop }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: break loop
      // The end of a key, and not the colon of `a ? b : c`.
      case UInt8(ascii: ":") where depth == 0 && end > offset && isKeyEnd(end, bytes): break loop
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        let line = bytes[end...].firstIndex(where: ScalarText.isBreak) ?? bytes.count
        end = closingQuote(end, line, bytes) ?? end
      default: break
      }
      end += 1
    }
    while end > start, ScalarText.isBlank(bytes[end - 1]) { end -= 1 }
    return Span(start, end)
  }

  /// Past the comma, the bracket or the key before an offset, those within brackets and quotes left out.
  private static func flowItemStart(before offset: Int, _ bytes: [UInt8]) -> Int {
    var start = offset
    var depth = 0
    while start > 0 {
      let before = bytes[start - 1]
      if ScalarText.isBreak(before) { break }
      switch before {
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "(") where depth > 0: depth -= 1
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 0 { return start }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return start }
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        let line = bytes[..<(start - 1)].lastIndex(where: ScalarText.isBreak).map { $0 + 1 } ?? 0
        start = bytes[line..<(start - 1)].lastIndex(of: before).map { $0 + 1 } ?? start
      default:
        if depth == 0, ScalarText.isBlank(before), start > 1, bytes[start - 2] == UInt8(ascii: ":") { return start }
      }
      start -= 1
    }
    return start
  }

  private static func isKeyEnd(_ colon: Int, _ bytes: [UInt8]) -> Bool {
    !ScalarText.isBlank(bytes[colon - 1]) && (byte(bytes, colon + 1).map { ScalarText.isBlank($0) || ScalarText.isBreak($0) } ?? true)
  }

  /// The first `(` of a line that is not closed before `offset`.
  private static func openParenthesis(before offset: Int, _ bytes: [UInt8]) -> Int? {
    var start = offset
    while start > 0, !ScalarText.isBreak(bytes[start - 1]) { start -= 1 }
    var open: [Int] = []
    while start < offset {
      switch bytes[start] {
      case UInt8(ascii: "("): open.append(start)
      case UInt8(ascii: ")"): _ = open.popLast()
      case UInt8(ascii: "'"), UInt8(ascii: "\""): start = closingQuote(start, offset, bytes) ?? start
      default: break
      }
      start += 1
    }
    return open.first
  }

  private static func closingQuote(_ start: Int, _ end: Int, _ bytes: [UInt8]) -> Int? {
    let quote = bytes[start]
    var offset = start + 1
    while offset < end {
      if bytes[offset] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset += 2
      } else if bytes[offset] == quote {
        guard quote == UInt8(ascii: "'"), byte(bytes, offset + 1) == quote else { return offset }
        offset += 2
      } else {
        offset += 1
      }
    }
    return nil
  }

  private static func closingBracket(_ start: Int, _ end: Int, _ bytes: [UInt8]) -> Int? {
    var depth = 0
    for offset in start..<end {
      switch bytes[offset] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return offset }
      default: break
      }
    }
    return nil
  }

  /// Whether a line goes on after `offset` with more than a comment.
  private static func hasText(after offset: Int, _ end: Int, _ bytes: [UInt8]) -> Bool {
    let next = skipBlanks(offset + 1, end, bytes)
    return next < end && !(bytes[next] == UInt8(ascii: "#") && next > offset + 1)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    !ScalarText.isBlank(byte) && !ScalarText.isBreak(byte) && !",[]{}:\"'".utf8.contains(byte)
  }

  private static func skipBlanks(_ start: Int, _ end: Int, _ bytes: [UInt8]) -> Int {
    var offset = start
    while offset < end, ScalarText.isBlank(bytes[offset]) { offset += 1 }
    return offset
  }

  private static func byte(_ bytes: [UInt8], _ offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }
}
