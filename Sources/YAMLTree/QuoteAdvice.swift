package import SourceText

/// The mend for text that YAML reads otherwise than it was meant: the line as it should be, with quotes.
package enum QuoteAdvice {
  /// `quote this string: …` with the whole line, or a general word where the line is long or the text has several.
  package static func help(quoting span: Span, in file: SourceFile, what: String = "string") -> String {
    help(quoting: [span], in: file, what: what)
  }

  /// The same for several texts of one line, in their order.
  static func help(quoting spans: [Span], in file: SourceFile, what: String = "string") -> String {
    guard let first = spans.first, let last = spans.last, last.end - first.start <= longestLine,
      let around = line(around: first.joined(with: last), in: file)
    else {
      return "quote this \(what), from its first character to its last"
    }
    var line = around.before
    var offset = first.start
    for span in spans where span.start >= offset {
      line += file.text(of: Span(offset, span.start)) + quoted(file.text(of: span))
      offset = span.end
    }
    return "quote \(spans.count == 1 ? "this \(what)" : "these \(what)s"): `\(line)\(around.after)`"
  }

  /// Where the `#` of a comment stands that ends the line of a plain scalar; it may have cut the scalar.
  package static func comment(after span: Span, in file: SourceFile) -> Int? {
    QuoteTrap.comment(after: span.end, in: file.bytes)
  }

  /// From an offset to the end of its line, without blanks at the end; nil where nothing stands there.
  package static func restOfLine(from start: Int, in file: SourceFile) -> Span? {
    QuoteTrap.lineRest(from: start, in: file)
  }

  /// A text between double quotes, or single ones where it holds a double quote or a backslash.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    if !scalars.contains("\""), !scalars.contains("\\") { return "\"\(text)\"" }
    var doubled = ""
    for scalar in scalars {
      doubled.unicodeScalars.append(scalar)
      if scalar == "'" { doubled += "'" }
    }
    return "'\(doubled)'"
  }

  private static let longestLine = 160

  /// What stands before and after a span on its line, without indentation; nil if there are several lines or too long a one.
  private static func line(around span: Span, in file: SourceFile) -> (before: String, after: String)? {
    let bytes = file.bytes
    guard !bytes[span.start..<span.end].contains(0x0A) else { return nil }
    var start = span.start
    while start > 0, bytes[start - 1] != 0x0A {
      start -= 1
      if span.start - start > longestLine { return nil }
    }
    var end = span.end
    while end < bytes.count, bytes[end] != 0x0A {
      end += 1
      if end - start > longestLine { return nil }
    }
    while end > span.end, bytes[end - 1] == 0x0D || bytes[end - 1] == 0x20 { end -= 1 }
    while start < span.start, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    return (file.text(of: Span(start, span.start)), file.text(of: Span(span.end, end)))
  }
}
