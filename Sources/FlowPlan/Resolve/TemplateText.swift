import CEL
import FlowSyntax
import SourceText
import Values

/// A text cut at its `${{ }}`; `$${{` is a literal `${{`.
enum TemplateText {
  enum Segment {
    case literal(String)
    case expression(EmbeddedText)
  }

  enum Cut {
    case segments([Segment])
    /// Spans are those of the text.
    case unclosedString(Span)
    case missingEnd(Span)
  }

  static func split(_ text: EmbeddedText) -> Cut {
    let bytes = Array(text.text.utf8)
    let opening = Array("${{".utf8)
    var segments: [Segment] = []
    var literal: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      guard bytes[offset...].starts(with: opening) else {
        literal.append(bytes[offset])
        offset += 1
        continue
      }
      if literal.last == UInt8(ascii: "$") {
        literal.removeLast()
        literal += opening
        offset += 3
        continue
      }
      switch templateEnd(in: text.text, from: offset + 3) {
      case .found(let end):
        if !literal.isEmpty { segments.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
        segments.append(.expression(text.slice(Span(offset + 3, end))))
        offset = end + 2
      case .unclosedString(let string): return .unclosedString(string)
      case .missing: return .missingEnd(Span(offset, offset + 3))
      }
    }
    if !literal.isEmpty { segments.append(.literal(String(decoding: literal, as: UTF8.self))) }
    return .segments(segments)
  }
}

extension EmbeddedText {
  /// Its place without the spaces around it.
  var trimmedFileSpan: Span {
    let lead = text.utf8.prefix { $0 == 0x20 || $0 == 0x0A }.count
    let tail = text.utf8.reversed().prefix { $0 == 0x20 || $0 == 0x0A }.count
    let end = text.utf8.count - tail
    return lead < end ? fileSpan(of: Span(lead, end)) : fileSpan
  }
}

extension ScalarSyntax {
  /// `${{ omit }}` and nothing else.
  var isOmit: Bool {
    guard text.text.contains("omit"), case .segments(let segments) = TemplateText.split(text), segments.count == 1,
      case .expression(let expression) = segments[0]
    else { return false }
    return expression.text.trimmed == "omit"
  }

  /// Its value where it holds no expression; nil where it does.
  var constant: Value? {
    guard text.text.contains("${{") else { return value }
    guard case .segments(let segments) = TemplateText.split(text), segments.count == 1, case .literal(let only) = segments[0] else {
      return nil
    }
    return .string(only)
  }

  private var value: Value {
    switch literal {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .string: .string(text.text)
    }
  }
}

extension DataSyntax {
  /// The value of a tree without expressions; nil if it holds one.
  var constant: Value? {
    switch self {
    case .scalar(let scalar): return scalar.constant
    case .list(let items, _):
      let values = items.compactMap(\.constant)
      return values.count == items.count ? .list(values) : nil
    case .map(let entries, _):
      var map = ValueMap()
      for entry in entries {
        guard let value = entry.value.constant else { return nil }
        map[entry.key.value] = value
      }
      return .map(map)
    }
  }
}
