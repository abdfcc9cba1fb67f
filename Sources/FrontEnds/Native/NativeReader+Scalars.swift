internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

extension NativeReader {
  // MARK: text

  /// A literal string: no number, no bool, no `${{ }}`.
  mutating func text(_ node: Node, _ name: String) -> Located<String>? {
    guard case .scalar(let scalar) = node.content else {
      reportShape(name, "a string", node)
      return nil
    }
    let text = scalar.text.text
    switch scalar.meaning {
    case .string: break
    case .null:
      report(.typeMismatch, "\(ticked(name)) must be a string, and has no value", node.span)
      return nil
    case .int, .double:
      report(
        .quoteThisNumber, "\(ticked(name)) must be a string: a number there must be quoted", node.span,
        help: [QuoteAdvice.help(quoting: node.span, in: file, what: "number")])
      return nil
    case .bool:
      report(
        .quoteThisString, "\(ticked(name)) must be a string: `\(text)` there must be quoted", node.span,
        help: [QuoteAdvice.help(quoting: node.span, in: file)])
      return nil
    }
    guard isLiteral(scalar, name, node.span) else { return nil }
    if text.isEmpty {
      report(.invalidValue, "\(ticked(name)) is empty", node.span)
      return nil
    }
    return Located(text, node.span)
  }

  /// A text that says why: `skip: REASON`, `unverifiable: REASON`.
  mutating func reason(_ node: Node, _ name: String, such example: String) -> Located<String>? {
    if case .scalar(let scalar) = node.content, case .bool = scalar.meaning {
      reportShape(name, "the reason", node, help: ["say why, such as `\(example)`"])
      return nil
    }
    guard let reason = text(node, name) else { return nil }
    guard reason.value.contains(where: { !$0.isWhitespace }) else {
      report(.invalidValue, "`\(name)` is empty", node.span, help: ["say why, such as `\(example)`"])
      return nil
    }
    return reason
  }

  private mutating func isLiteral(_ scalar: Scalar, _ name: String, _ span: Span) -> Bool {
    guard scalar.text.text.contains("${{") else { return true }
    report(.invalidValue, "\(ticked(name)) is literal: it cannot hold `${{ }}`", span)
    return false
  }

  mutating func texts(_ node: Node, _ name: String) -> [Located<String>] {
    (items(node, name) ?? []).compactMap { text($0, "an item of `\(name)`") }
  }

  /// One of a few words.
  mutating func choice(_ node: Node, _ name: String, _ words: [String]) -> Located<String>? {
    guard let text = text(node, name) else { return nil }
    if words.contains(text.value) { return text }
    let near = nearest(to: text.value, among: words)
    report(
      .invalidValue, "\(ticked(name)) cannot be `\(text.value)`", text.span,
      help: [near.map { "did you mean `\($0)`?" } ?? "it is \(words.count > 1 ? "one of " : "")\(list(words, "or"))"])
    return nil
  }

  /// An id: it is read in expressions, so it is a plain name there.
  mutating func identifier(_ node: Node) -> Located<String>? {
    guard let id = text(node, "id") else { return nil }
    if Self.isSnakeCase(id.value) { return id }
    let folded = String(id.value.lowercased().map { $0 == "-" || $0 == " " || $0 == "." ? "_" : $0 })
    report(
      .invalidValue, "an id is snake_case: `\(id.value)` is not", id.span,
      help: [Self.isSnakeCase(folded) ? "write `\(folded)`" : "use `a` to `z`, `0` to `9` and `_`, a letter first"])
    return id
  }

  private static func isSnakeCase(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
  }

  /// One code or a list of them.
  mutating func codes(_ node: Node, _ name: String) -> [Located<String>] {
    switch node.content {
    case .scalar(let scalar):
      if case .int = scalar.meaning {
        report(.invalidValue, "\(ticked(name)) takes codes, not numbers", node.span, help: ["write `http.\(scalar.text.text)`"])
        return []
      }
      return text(node, name).map { [$0] } ?? []
    case .sequence(let items):
      if items.isEmpty { report(.invalidValue, "\(ticked(name)) is empty", node.span) }
      return items.flatMap { item in
        guard case .scalar = item.content else {
          reportShape("an item of `\(name)`", "a code", item)
          return [Located<String>]()
        }
        return codes(item, name)
      }
    case .mapping:
      reportShape(name, "a code or a list of codes", node)
      return []
    }
  }

  // MARK: numbers

  mutating func integer(_ node: Node, _ name: String, _ range: ClosedRange<Int>) -> Located<Int>? {
    guard case .scalar(let scalar) = node.content, case .int(let value) = scalar.meaning, let number = Int(exactly: value) else {
      if case .scalar(let scalar) = node.content, !isLiteral(scalar, name, node.span) { return nil }
      reportShape(name, "a whole number", node, help: quotedNumberHelp(node))
      return nil
    }
    if range.contains(number) { return Located(number, node.span) }
    let bounds = range.upperBound == .max ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    report(.invalidValue, "\(ticked(name)) must be \(bounds)", node.span)
    return nil
  }

  mutating func number(_ node: Node, _ name: String, atLeast least: Double) -> Located<Double>? {
    var value: Double?
    if case .scalar(let scalar) = node.content {
      if case .int(let whole) = scalar.meaning {
        value = Double(whole)
      } else if case .double(let double) = scalar.meaning {
        value = double
      }
    }
    guard let value else {
      if case .scalar(let scalar) = node.content, !isLiteral(scalar, name, node.span) { return nil }
      reportShape(name, "a number", node, help: quotedNumberHelp(node))
      return nil
    }
    if value >= least { return Located(value, node.span) }
    report(.invalidValue, "\(ticked(name)) must be at least \(least)", node.span)
    return nil
  }

  private func quotedNumberHelp(_ node: Node) -> [String] {
    guard case .scalar(let scalar) = node.content, scalar.style != .plain, Int(scalar.text.text) != nil else { return [] }
    return ["write `\(scalar.text.text)` without quotes"]
  }

  mutating func bool(_ node: Node, _ name: String) -> Bool? {
    if case .scalar(let scalar) = node.content, case .bool(let value) = scalar.meaning { return value }
    reportShape(name, "`true` or `false`", node)
    return nil
  }

  // MARK: durations

  mutating func duration(_ node: Node, _ name: String) -> Located<Duration>? {
    guard case .scalar(let scalar) = node.content else {
      reportShape(name, "a duration such as `30s`", node)
      return nil
    }
    let text = scalar.text.text
    switch scalar.meaning {
    case .int, .double:
      report(.invalidValue, "\(ticked(name)) needs a unit", node.span, help: ["write `\(text)s` for seconds, or use `ms`, `m` or `h`"])
    case .null, .bool:
      reportShape(name, "a duration such as `30s`", node)
    case .string:
      guard isLiteral(scalar, name, node.span) else { return nil }
      if let duration = DurationText.read(text) { return Located(duration, node.span) }
      report(.invalidValue, "`\(text)` is no duration", node.span, help: ["a duration reads `500ms`, `30s`, `5m` or `1h`"])
    }
    return nil
  }

  // MARK: expressions

  /// A bare expression.
  mutating func expression(_ node: Node, _ name: String) -> ExpressionSyntax? {
    guard case .scalar(let scalar) = node.content else {
      reportSplitExpression(node, name)
      return nil
    }
    if scalar.meaning == .null || scalar.text.text.isEmpty {
      report(.typeMismatch, "\(ticked(name)) must be an expression, and has no value", node.span)
      return nil
    }
    if scalar.style == .plain, Self.isUnbalanced(scalar.text.text), let comment = QuoteAdvice.comment(after: node.span, in: file) {
      report(
        .quoteThisString, "YAML cuts the expression at this ` #`, which begins a comment", Span(comment, comment + 1),
        help: [QuoteAdvice.help(quoting: node.span.joined(with: QuoteAdvice.restOfLine(from: comment, in: file) ?? node.span), in: file)])
      return nil
    }
    return ExpressionSyntax(text: scalar.text, span: node.span)
  }

  /// Text that YAML took for a list or a map; on one line, it only lacks its quotes.
  private mutating func reportSplitExpression(_ node: Node, _ name: String) {
    guard firstLine(of: node.span) == node.span, let rest = QuoteAdvice.restOfLine(from: node.span.start, in: file),
      rest.end >= node.span.end
    else {
      reportShape(name, "an expression", node)
      return
    }
    let isBracketed = file.text(of: Span(node.span.start, node.span.start + 1)).contains { $0 == "[" || $0 == "{" }
    let next = file.bytes[node.span.end..<rest.end].first { $0 != 0x20 }
    let isItem = next == UInt8(ascii: ",") || next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
    report(
      .quoteThisString, "\(ticked(name)) must be an expression, and YAML reads this one as \(node.shape)", node.span,
      help: [QuoteAdvice.help(quoting: isBracketed || isItem ? node.span : rest, in: file)])
  }

  /// Whether a quote or a bracket is left open.
  private static func isUnbalanced(_ text: String) -> Bool {
    var quote: Character?
    var depth = 0
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if "([{".contains(character) {
        depth += 1
      } else if ")]}".contains(character) {
        depth -= 1
      }
    }
    return quote != nil || depth > 0
  }

  mutating func expressions(_ node: Node, _ name: String) -> [ExpressionSyntax] {
    guard case .sequence(let items) = node.content else { return expression(node, name).map { [$0] } ?? [] }
    return items.compactMap { expression($0, "an item of `\(name)`") }
  }
}

/// A duration as the language writes it: `500ms`, `30s`, `5m`, `1h`, or several of them, as in `1m30s`.
enum DurationText {
  static func read(_ text: String) -> Duration? {
    var rest = text[...]
    var total = Duration.zero
    var largest = Int64.max
    repeat {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let milliseconds = milliseconds[String(unit)], milliseconds < largest, let part = part(digits, of: milliseconds) else {
        return nil
      }
      largest = milliseconds
      total += part
    } while !rest.isEmpty
    return total
  }

  private static let milliseconds: [String: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]

  private static func part(_ digits: Substring, of milliseconds: Int64) -> Duration? {
    guard let first = digits.first, first != ".", digits.last != ".", digits.count <= 12 else { return nil }
    if let whole = Int64(digits) { return whole <= 1_000_000_000 ? .milliseconds(whole * milliseconds) : nil }
    guard let value = Double(digits), value <= 1_000_000_000 else { return nil }
    return .microseconds(Int64(value * Double(milliseconds) * 1000))
  }
}
