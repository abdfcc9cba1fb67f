import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

extension Resolver {
  /// Compiles a tree of data and checks it against the shape that it must have; nil is any.
  /// `name` is what messages call it, such as `phone` or `contacts[0].name`.
  mutating func resolveData(_ data: DataSyntax, _ shape: Shape?, named name: String, _ locals: Locals) -> DataPlan {
    switch data {
    case .scalar(let scalar): return resolveScalar(scalar, shape, named: name, locals)
    case .list(let items, let span):
      let element = shape?.element
      if let shape, element == nil, !shape.isAny { reportWrongShape(name, shape, "a list", at: span) }
      return .list(items.enumerated().map { resolveData($1, element ?? nil, named: "\(name)[\($0)]", locals) })
    case .map(let entries, let span): return resolveMap(entries, span, shape, named: name, locals)
    }
  }

  mutating func resolveMap(_ entries: [DataSyntax.Entry], _ span: Span, _ shape: Shape?, named name: String, _ locals: Locals) -> DataPlan {
    var record: RecordShape?
    var member: Shape?
    switch shape?.withoutMarks {
    case .record(let known)?: record = known
    case .map(let shape)?: member = shape
    case .any?, nil: break
    case .some(let other): reportWrongShape(name, other, "a map", at: span)
    }
    if let record { checkMembers(entries, of: record, named: name, at: span) }
    return .map(
      entries.map { entry in
        let path = name.isEmpty ? entry.key.value : "\(name).\(entry.key.value)"
        let inner = record.flatMap { $0.field(entry.key.value)?.shape } ?? member
        return (entry.key.value, resolveData(entry.value, inner, named: path, locals))
      })
  }

  private mutating func checkMembers(_ entries: [DataSyntax.Entry], of record: RecordShape, named name: String, at span: Span) {
    for field in record.fields where field.isRequired && !entries.contains(where: { $0.key.value == field.name }) {
      let owner = name.isEmpty ? "" : " in `\(name)`"
      report(.missingKey, "`\(field.name)` is missing\(owner)", at: span, help: field.about.isEmpty ? [] : ["`\(field.name)`: \(field.about)"])
    }
    guard !record.isOpen else { return }
    for entry in entries where record.field(entry.key.value) == nil {
      reportUnknown(.unknownKey, "key", entry.key, among: record.fields.map(\.name))
    }
  }

  private mutating func reportWrongShape(_ name: String, _ shape: Shape, _ actual: String, at span: Span) {
    report(.typeMismatch, "`\(name)` must be \(shape.expectation), not \(actual)", at: span, label: "expected \(shape.expectation)")
  }

  private mutating func resolveScalar(_ scalar: ScalarSyntax, _ shape: Shape?, named name: String, _ locals: Locals) -> DataPlan {
    guard scalar.text.text.contains("${{") else {
      let value = scalar.value
      if let shape { checkLiteral(scalar, value, shape, named: name) }
      return .constant(value)
    }
    guard let segments = split(scalar.text, scalar.span) else { return .constant(.null) }
    if segments.count == 1, case .expression(let text) = segments[0] {
      if text.text.trimmed == "omit" { return .omit }
      guard let compiled = compile(text, locals) else { return .constant(.null) }
      if let shape { checkType(compiled.program.type, shape, named: name, at: text.fileSpan) }
      return .expression(compiled)
    }
    if let shape, !shape.isAny, !shape.takesText { reportWrongShape(name, shape, "a string", at: scalar.span) }
    var parts: [DataPlan.TextSegment] = []
    for segment in segments {
      switch segment {
      case .literal(let text): parts.append(.literal(text))
      case .expression(let text):
        guard let compiled = compile(text, locals) else { continue }
        checkEmbeddable(compiled.program.type, at: text)
        parts.append(.expression(compiled))
      }
    }
    if case .literal(let only)? = parts.first, parts.count == 1 { return .constant(.string(only)) }
    return .text(parts)
  }

  private enum Segment {
    case literal(String)
    case expression(EmbeddedText)
  }

  /// Cuts a text at its `${{ }}`; `$${{` is a literal `${{`.
  private mutating func split(_ text: EmbeddedText, _ span: Span) -> [Segment]? {
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
      case .unclosedString(let string):
        report(.invalidExpression, "a string in this expression does not end", at: text.fileSpan(of: string), help: ["close it with the quote that opened it"])
        return nil
      case .missing:
        report(.invalidExpression, "`${{` has no `}}`", at: text.fileSpan(of: Span(offset, bytes.count)), help: ["close it with `}}`; a literal `${{` is written `$${{`"])
        return nil
      }
    }
    if !literal.isEmpty { segments.append(.literal(String(decoding: literal, as: UTF8.self))) }
    return segments
  }

  private mutating func checkEmbeddable(_ type: ValueType, at text: EmbeddedText) {
    switch type {
    case .string, .bool, .int, .uint, .double, .timestamp, .duration, .dyn, .error, .parameter: return
    case .nullable:
      report(
        .typeMismatch, "a value that may be null cannot stand inside text", at: text.fileSpan, label: "\(type)",
        help: ["give it a fallback: `default(\(text.text.trimmed), '')`"])
    case .null, .bytes, .list, .map, .record, .optional, .type, .abstract:
      report(
        .typeMismatch, "\(article(type)) cannot stand inside text", at: text.fileSpan, label: "\(type)",
        help: ["write it as JSON: `json.encode(\(text.text.trimmed))`"])
    }
  }
}

extension ScalarSyntax {
  /// What it is, where it holds no expression.
  var value: Value {
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
    case .scalar(let scalar): return scalar.text.text.contains("${{") ? nil : scalar.value
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
