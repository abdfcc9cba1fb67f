internal import Diagnostics
internal import SourceText

extension SyntaxProblem {
  /// libyaml's finding in words that help, at the place where the mend belongs.
  func explained(in file: SourceFile) -> Diagnostic {
    let words = SyntaxWords(self, file)
    return Diagnostic(
      .invalidYAML, words.message, at: Place(file, words.span), label: words.label, related: words.related, help: words.help)
  }
}

/// The words for one finding of libyaml's scanner or parser (its texts as of 0.2.5).
private struct SyntaxWords {
  var message: String
  var span: Span
  var label = ""
  var related: [Diagnostic.Label] = []
  var help: [String] = []

  init(_ problem: SyntaxProblem, _ file: SourceFile) {
    let bytes = file.bytes
    let here = Span(problem.offset, min(problem.offset + 1, bytes.count))
    let opening = Span(problem.contextOffset, min(problem.contextOffset + 1, bytes.count))
    let symbol = file.text(of: opening)
    let isAtEnd = problem.offset >= bytes.count || bytes[problem.offset...].allSatisfy { ScalarText.isBlank($0) || ScalarText.isBreak($0) }
    message = "this is not YAML: \(problem.problem)"
    span = here

    switch problem.problem {
    case "could not find expected ':'":
      span = QuoteTrap.lineRest(from: problem.contextOffset, in: file) ?? opening
      message = "a key needs a `:` and a space after it"
      help = Self.colonHelp(span, file)
    case "mapping values are not allowed in this context":
      message = "a key cannot stand here"
      label = "this `:` makes it one"
      help = ["indent it like the other keys of its map, quote the text that holds the `:`, or write the `:` that the line above lacks"]
    case "block sequence entries are not allowed in this context":
      message = "a list cannot begin on the line of its key"
      help = ["put each `- ` on a line of its own below the key"]
    case "mapping keys are not allowed in this context":
      message = "a text cannot begin with `? `, which marks a key in YAML"
      help = ["quote the text"]
    case "found character that cannot start any token",
      "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      Self.explainCharacter(&self, bytes, problem.offset)
    case "found unexpected end of stream", "found unexpected document indicator":
      span = opening
      message = "this quote is never closed"
      help = ["close it with `\(symbol)`"]
    case "found unknown escape character":
      span = Span(here.start, min(here.start + 2, bytes.count))
      message = "`\(file.text(of: span))` is no escape"
      help = ["write a backslash as `\\\\`, or use single quotes, where it is plain"]
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      message = "this escape names no character"
      help = ["`\\x` takes 2 hexadecimal digits, `\\u` 4 and `\\U` 8"]
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      let closing = symbol == "[" ? "]" : "}"
      if isAtEnd || file.position(of: problem.offset).line > file.position(of: problem.contextOffset).line {
        span = opening
        message = "this `\(symbol)` is never closed"
        related = isAtEnd ? [] : [.init(Place(file, here), "YAML reads on up to here")]
        help = ["close it with `\(closing)`"]
      } else {
        message = "a `,` or the closing `\(closing)` is missing before this"
        related = [.init(Place(file, opening), "opened here")]
      }
    case "did not find expected key":
      Self.explainIndentation(&self, file, problem, "the map began here")
    case "did not find expected '-' indicator":
      message = "the list goes on with `- `, or its parent's next key is indented less than this"
      related = [.init(Place(file, opening), "the list began here")]
    case "did not find expected node content":
      message = "a value is missing before this"
    case "did not find expected <document start>":
      Self.explainIndentation(&self, file, problem, "")
    case "found undefined tag handle", "did not find expected whitespace or line break", "did not find the expected '>'":
      message = "a flow has no custom tags"
      help = ["quote a text that begins with `!`"]
    case "did not find expected alphabetic or numeric character":
      message = "`&` and `*` begin the name of an anchor or an alias"
      help = ["quote a text that begins with one of them"]
    case "found incompatible YAML document", "found duplicate %YAML directive":
      message = "the file is read as YAML 1.2"
      help = ["delete the line that begins with `%YAML`"]
    case "found unknown directive name", "could not find expected directive name":
      message = "a line cannot begin with `%`, which marks a directive in YAML"
    case "found an indentation indicator equal to 0", "did not find expected comment or line break":
      message = problem.context.contains("block scalar") ? "the text after `|` or `>` begins on the next line" : message
    case "found unexpected ':'":
      message = "this `:` reads as the end of a key"
      help = ["quote the text"]
    default: break
    }
  }

  private static func colonHelp(_ span: Span, _ file: SourceFile) -> [String] {
    let text = file.text(of: span)
    guard span.length < 80, let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      return ["write `key: value`, or indent the line to belong to the text above it"]
    }
    return ["write `\(text[..<colon]): \(text[text.index(after: colon)...])`"]
  }

  private static func explainCharacter(_ words: inout SyntaxWords, _ bytes: [UInt8], _ offset: Int) {
    // libyaml points at the text's first character in some of these.
    var line = min(offset, bytes.count)
    while line > 0, !ScalarText.isBreak(bytes[line - 1]) { line -= 1 }
    let tab = bytes[line...].prefix { ScalarText.isBlank($0) }.firstIndex(of: 0x09)
    if let tab = tab ?? (offset < bytes.count && bytes[offset] == 0x09 ? offset : nil) {
      words.span = Span(tab, tab + 1)
      words.message = "a tab cannot indent in YAML"
      words.help = ["indent with spaces"]
    } else {
      words.message = "no text can begin with this character in YAML"
      words.help = ["quote the text"]
    }
  }

  /// A line that fits no level above it, or text after the end of a value.
  private static func explainIndentation(_ words: inout SyntaxWords, _ file: SourceFile, _ problem: SyntaxProblem, _ label: String) {
    let bytes = file.bytes
    var line = min(problem.offset, bytes.count)
    while line > 0, ScalarText.isBlank(bytes[line - 1]) { line -= 1 }
    guard line == 0 || ScalarText.isBreak(bytes[line - 1]) else {
      words.message = "unexpected text after the value"
      words.help = ["quote the whole value, or put this on a line of its own"]
      return
    }
    words.span = QuoteTrap.lineRest(from: problem.offset, in: file) ?? words.span
    let first = file.text(of: Span(words.span.start, min(words.span.start + 1, words.span.end)))
    switch first {
    case "-" where bytes[words.span.start...].starts(with: "- ".utf8):
      words.message = "a list item cannot stand among the keys of a map"
      words.help = ["give the list a key of its own, or indent it below its key"]
    case ":":
      words.message = "a key is missing before this `:`"
    case "]", "}", ",":
      words.message = "nothing is open here that this `\(first)` could belong to"
    default:
      words.message = "this line is indented like nothing above it"
      words.help = ["indent it like the keys that it belongs to"]
    }
    if !label.isEmpty, problem.contextOffset < problem.offset {
      words.related = [.init(Place(file, Span(problem.contextOffset, problem.contextOffset + 1)), label)]
    }
  }
}
