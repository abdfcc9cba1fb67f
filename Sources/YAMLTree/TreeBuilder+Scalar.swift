internal import Diagnostics
internal import SourceText

extension TreeBuilder {
  static var corePrefix: String { "tag:yaml.org,2002:" }

  // MARK: scalars

  mutating func scalar(_ event: Event, _ decoded: [UInt8], _ style: Scalar.Style, isInFlow: Bool) -> Node {
    let span = scalarSpan(event, style)
    let text = ScalarText.embedded(decoded, style: style, span: span, in: bytes)
    var meaning = Scalar.Meaning.string
    if let tag = event.tag {
      meaning = taggedMeaning(tag, text.text, style, event.span)
    } else if style == .plain {
      meaning = plainMeaning(text.text, span)
      checkCut(text.text, span)
    }
    return Node(.scalar(Scalar(text: text, style: style, meaning: meaning, isInFlow: isInFlow)), span)
  }

  /// Without the anchor, the tag, and the line breaks that libyaml counts to a block scalar.
  private func scalarSpan(_ event: Event, _ style: Scalar.Style) -> Span {
    let start = event.anchor == nil && event.tag == nil ? event.span.start : contentStart(event.span)
    var end = max(event.span.end, start)
    if style == .literal || style == .folded {
      while end > start, ScalarText.isBlank(bytes[end - 1]) || ScalarText.isBreak(bytes[end - 1]) { end -= 1 }
    }
    return Span(start, end)
  }

  /// Where a node's content begins, past `&anchor` and `!tag`.
  func contentStart(_ span: Span) -> Int {
    var offset = span.start
    while offset < span.end {
      let byte = bytes[offset]
      if ScalarText.isBlank(byte) || ScalarText.isBreak(byte) {
        offset += 1
      } else if byte == UInt8(ascii: "#") {
        while offset < span.end, !ScalarText.isBreak(bytes[offset]) { offset += 1 }
      } else if byte == UInt8(ascii: "&") {
        // libyaml ends the name where its letters end, so that `&a:x` is the anchor `a` of the text `:x`.
        offset += 1
        while offset < span.end, Self.isAnchorName(bytes[offset]) { offset += 1 }
      } else if byte == UInt8(ascii: "!") {
        while offset < span.end, !ScalarText.isBlank(bytes[offset]), !ScalarText.isBreak(bytes[offset]) { offset += 1 }
      } else {
        return offset
      }
    }
    return span.end
  }

  private static func isAnchorName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private mutating func plainMeaning(_ text: String, _ span: Span) -> Scalar.Meaning {
    switch CoreSchema.resolve(text) {
    case .meaning(let meaning): return meaning
    case .numberThatLosesDigits:
      let what = text.hasPrefix("+") ? "its `+`" : "its leading zero"
      report(
        .quoteThisNumber, "the number `\(text)` would lose \(what): a PIN or a phone number must be quoted", span,
        help: [QuoteAdvice.help(quoting: span, in: file, what: "number")])
    case .otherSpelling(let canonical):
      report(
        .quoteThisString, "`\(text)` is neither `\(canonical)` nor a string: YAML tools read it in two ways", span,
        help: ["write `\(canonical)`, or \(QuoteAdvice.help(quoting: span, in: file))"])
    case .notFinite:
      report(
        .quoteThisString, "`\(text)` is no number that JSON can hold", span, help: [QuoteAdvice.help(quoting: span, in: file)])
    }
    return .string
  }

  // MARK: tags

  /// Core tags mean what they say; every other one is refused.
  private mutating func taggedMeaning(_ tag: String, _ text: String, _ style: Scalar.Style, _ span: Span) -> Scalar.Meaning {
    let resolution = CoreSchema.resolve(text)
    switch tag {
    case "!", Self.corePrefix + "str": return .string
    case Self.corePrefix + "null": if resolution == .meaning(.null) { return .null }
    case Self.corePrefix + "bool": if case .meaning(.bool(let value)) = resolution { return .bool(value) }
    case Self.corePrefix + "int": if case .meaning(.int(let value)) = resolution { return .int(value) }
    case Self.corePrefix + "float":
      if case .meaning(.double(let value)) = resolution { return .double(value) }
      if case .meaning(.int(let value)) = resolution { return .double(Double(value)) }
    default:
      reportTag(tag, span)
      return .string
    }
    report(.invalidYAML, "`\(text)` is no `!!\(tag.dropFirst(Self.corePrefix.count))`", span)
    return .string
  }

  mutating func checkCollectionTag(_ event: Event, core: String) {
    guard let tag = event.tag, tag != "!", tag != Self.corePrefix + core else { return }
    reportTag(tag, event.span)
  }

  private mutating func reportTag(_ tag: String, _ span: Span) {
    let start = bytes[span.start..<span.end].firstIndex(of: UInt8(ascii: "!")) ?? span.start
    var end = start
    while end < span.end, !ScalarText.isBlank(bytes[end]), !ScalarText.isBreak(bytes[end]) { end += 1 }
    let written = file.text(of: Span(start, end))
    guard tag.hasPrefix("!"), let value = QuoteTrap.value(at: start, in: file), value.start == start else {
      report(.invalidYAML, "the tag `\(written)` is not allowed: a flow has no custom tags", Span(start, end))
      return
    }
    report(
      .quoteThisString, "`\(written)` is a tag here, and a flow has no custom tags", Span(start, end),
      help: [QuoteAdvice.help(quoting: value, in: file)])
  }

  // MARK: keys

  /// A key's text; nil, with the reason reported, for what is no text.
  mutating func key(_ event: Event, depth: Int, isInFlow: Bool) throws(Stop) -> Located<String>? {
    switch event.kind {
    case .scalar(let decoded, let style):
      let span = scalarSpan(event, style)
      let text = String(decoding: decoded, as: UTF8.self)
      if event.anchor != nil { _ = try node(event, depth: depth, isInFlow: isInFlow) }
      if let tag = event.tag, tag != Self.corePrefix + "str" { reportTag(tag, event.span) }
      guard style == .plain, event.tag == nil else { return Located(text, span) }
      return checkPlainKey(text, span) ? Located(text, span) : nil
    case .alias(let name):
      report(.invalidYAML, "a key must be text, not the alias `*\(name)`", event.span)
    case .sequenceStart, .mappingStart:
      _ = try node(event, depth: depth, isInFlow: isInFlow)
      report(.invalidYAML, "a key must be text, not a list or a map", event.span, help: ["quote the key"])
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd: throw Stop()
    }
    return nil
  }

  private mutating func checkPlainKey(_ text: String, _ span: Span) -> Bool {
    if text == "<<" {
      report(.invalidYAML, "`<<` does not merge: YAML 1.2 has no merge keys", span, help: ["write the keys out"])
      return false
    }
    if span.length == 0 {
      report(.invalidYAML, "a key is missing before this `:`", span)
      return false
    }
    if Self.isCutTemplate(text), let value = QuoteTrap.lineRest(from: span.start, in: file) {
      report(
        .quoteThisString, "YAML splits the expression at this `: `", Span(span.end, span.end + 1),
        help: [QuoteAdvice.help(quoting: value, in: file)])
      return false
    }
    let resolution = CoreSchema.resolve(text)
    if resolution == .meaning(.string) { return true }
    let isNumber = text.unicodeScalars.contains { ("0"..."9").contains($0) }
    report(
      isNumber ? .quoteThisNumber : .quoteThisString, "a key must be text, and `\(text)` is not", span,
      help: [QuoteAdvice.help(quoting: span, in: file, what: isNumber ? "number" : "string")])
    return false
  }
}
