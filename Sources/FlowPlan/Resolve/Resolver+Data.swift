import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

extension Resolver {
  /// Compiles a tree of data and checks it against the shape that it must have; nil is any.
  /// `name` is what messages call it, such as `phone` or `contacts[0].name`.
  ///
  /// What is reported as wrong becomes `omit`, whose type silences what follows from it.
  mutating func resolveData(
    _ data: DataSyntax, _ shape: Shape?, named name: String, _ locals: Locals, mayBeOmitted: Bool = false
  ) -> DataPlan {
    switch data {
    case .scalar(let scalar):
      if scalar.isOmit {
        if !mayBeOmitted { reportOmit(name, at: scalar.span) }
        return .omit
      }
      return resolveScalar(scalar, shape, named: name, locals)
    case .list(let items, let span):
      let element = shape?.element
      if let shape, element == nil, !shape.isAny { reportWrongShape(name, shape, "a list", at: span.line(in: file, within: span)) }
      return .list(
        items.enumerated().map { resolveData($1, element ?? nil, named: "\(name)[\($0)]", locals, mayBeOmitted: true) })
    case .map(let entries, let span): return resolveMap(entries, at: span.line(in: file, within: span), shape, named: name, locals)
    }
  }

  /// - Parameter place: where a missing key is reported.
  mutating func resolveMap(
    _ entries: [DataSyntax.Entry], at place: Span, _ shape: Shape?, named name: String, _ locals: Locals
  ) -> DataPlan {
    var record: RecordShape?
    var member: Shape?
    switch shape?.withoutMarks {
    case .record(let known)?: record = known
    case .map(let shape)?: member = shape
    case .any?, nil: break
    case .some(let other): reportWrongShape(name, other, "a map", at: place)
    }
    if let record { checkMembers(entries, of: record, named: name, at: place) }
    return .map(
      entries.map { entry in
        let path = name.isEmpty ? entry.key.value : "\(name).\(entry.key.value)"
        let field = record?.field(entry.key.value)
        let shape = field?.constraint?.knownShape ?? field?.shape ?? member
        let findings = diagnostics.count
        let data = resolveMember(entry, shape, named: path, locals, mayBeOmitted: !(field?.isRequired ?? false))
        // What the shape finds has the better place; only data that fits it is held against all of the constraint.
        if let constraint = field?.constraint, diagnostics.count == findings { checkConstraint(constraint, entry) }
        return (entry.key.value, data)
      })
  }

  private mutating func resolveMember(
    _ entry: DataSyntax.Entry, _ shape: Shape?, named path: String, _ locals: Locals, mayBeOmitted: Bool
  ) -> DataPlan {
    // A block map begins at its first member; what it lacks is said of its key.
    if case .map(let inner, _) = entry.value { return resolveMap(inner, at: entry.key.span, shape, named: path, locals) }
    return resolveData(entry.value, shape, named: path, locals, mayBeOmitted: mayBeOmitted)
  }

  private mutating func checkMembers(_ entries: [DataSyntax.Entry], of record: RecordShape, named name: String, at span: Span) {
    let unknown = record.isOpen ? [] : entries.filter { record.field($0.key.value) == nil }
    let missing = record.fields.filter { field in field.isRequired && !entries.contains { $0.key.value == field.name } }
    let meant = Self.pairs(unknown.map(\.key.value), missing.map(\.name))
    for entry in unknown {
      let known = record.fields.map(\.name)
      if let field = meant[entry.key.value] {
        report(.unknownKey, "unknown key `\(entry.key.value)`", at: entry.key.span, help: ["did you mean `\(field)`? it is missing"])
      } else {
        reportUnknown(.unknownKey, "key", entry.key, among: known)
      }
    }
    for field in missing where !meant.values.contains(field.name) {
      report(
        .missingKey, "`\(name.isEmpty ? field.name : "\(name).\(field.name)")` is missing", at: span, label: "needs `\(field.name)`",
        help: field.about.isEmpty ? [] : ["`\(field.name)`: \(field.about.withoutStop)"])
    }
  }

  /// An unknown key and a missing one that are one mistake: alike, one a part of the other, or the only two.
  private static func pairs(_ unknown: [String], _ missing: [String]) -> [String: String] {
    var pairs: [String: String] = [:]
    for name in unknown {
      let free = missing.filter { !pairs.values.contains($0) }
      if let near = nearestName(to: name, among: free)
        ?? free.first(where: { $0.hasPrefix(name) || $0.hasSuffix(name) || name.hasPrefix($0) })
      {
        pairs[name] = near
      } else if unknown.count == 1, missing.count == 1 {
        pairs[name] = missing[0]
      }
    }
    return pairs
  }

  private mutating func reportWrongShape(_ name: String, _ shape: Shape, _ actual: String, at span: Span) {
    report(.typeMismatch, "`\(name)` must be \(shape.expectation), not \(actual)", at: span, label: "expected \(shape.expectation)")
  }

  private mutating func reportOmit(_ name: String, at span: Span) {
    report(
      .invalidValue, "`\(name)` cannot be omitted", at: span,
      help: ["`${{ omit }}` leaves out a key that is optional, or an item of a list"])
  }

  // MARK: - scalars

  private mutating func resolveScalar(_ scalar: ScalarSyntax, _ shape: Shape?, named name: String, _ locals: Locals) -> DataPlan {
    if let value = scalar.constant {
      if let shape { checkLiteral(scalar, value, shape, named: name) }
      return .constant(value)
    }
    let segments: [TemplateText.Segment]
    switch TemplateText.split(scalar.text) {
    case .segments(let found): segments = found
    case .unclosedString(let span):
      report(
        .invalidExpression, "a string in this expression does not end", at: scalar.text.fileSpan(of: span),
        help: ["close it with the quote that opened it"])
      return .omit
    case .missingEnd(let span):
      report(
        .invalidExpression, "`${{` has no `}}`", at: scalar.text.fileSpan(of: span),
        help: ["close it with `}}`; a literal `${{` is written `$${{`"])
      return .omit
    }
    if segments.count == 1, case .expression(let text) = segments[0] {
      guard let compiled = compile(text, locals) else { return .omit }
      if let shape {
        checkType(compiled.program.type, shape, named: name, at: text.trimmedFileSpan)
        checkSecret(compiled, shape, named: name)
      }
      return .expression(compiled)
    }
    if let shape, !shape.isAny, !shape.takesText { reportWrongShape(name, shape, "a string", at: scalar.span) }
    return resolveText(segments, shape, named: name, locals)
  }

  private mutating func resolveText(_ segments: [TemplateText.Segment], _ shape: Shape?, named name: String, _ locals: Locals) -> DataPlan {
    var parts: [DataPlan.TextSegment] = []
    for segment in segments {
      switch segment {
      case .literal(let text): parts.append(.literal(text))
      case .expression(let text):
        guard let compiled = compile(text, locals) else { continue }
        checkEmbeddable(compiled.program.type, at: text)
        if let shape { checkSecret(compiled, shape, named: name) }
        parts.append(.expression(compiled))
      }
    }
    return .text(parts)
  }

  private mutating func checkEmbeddable(_ type: ValueType, at text: EmbeddedText) {
    guard !type.isEmbeddable else { return }
    let source = text.text.trimmed
    var what = article(type)
    var help = "write it as JSON: `json.encode(\(source))`"
    switch type {
    case .nullable(let inner):
      what = "a value that may be null"
      if inner.isEmbeddable { help = "give it a fallback: `default(\(source), '')`" }
    case .optional:
      what = "an optional"
      help = "give it a fallback: `(\(source)).orValue('')`"
    case .null: help = "leave it out"
    case .list: what = "a list"
    case .map: what = "a map"
    default: break
    }
    report(.typeMismatch, "\(what) cannot stand inside text", at: text.trimmedFileSpan, label: "\(type)", help: [help])
  }
}

extension ValueType {
  /// Whether it reads as text, as far as is known.
  fileprivate var isEmbeddable: Bool {
    switch self {
    case .string, .bool, .int, .uint, .double, .timestamp, .duration, .dyn, .error, .parameter: true
    case .nullable, .null, .bytes, .list, .map, .record, .optional, .type, .abstract: false
    }
  }
}

extension DataPlan {
  /// The name of a function in it whose answer differs from run to run; nil where there is none.
  var hostCall: String? {
    switch self {
    case .constant, .omit: nil
    case .expression(let expression): expression.program.expression.hostCall
    case .text(let segments), .url(let segments):
      segments.lazy.compactMap { segment -> String? in
        if case .expression(let expression) = segment { expression.program.expression.hostCall } else { nil }
      }.first
    case .list(let items): items.lazy.compactMap(\.hostCall).first
    case .map(let members): members.lazy.compactMap(\.value.hostCall).first
    }
  }
}

extension Expression {
  fileprivate var hostCall: String? {
    if case .call(let function, _, _) = kind, function.isAnsweredByHost { return function.name }
    return children.lazy.compactMap(\.hostCall).first
  }
}

extension Span {
  /// The first line of it.
  func line(in file: SourceFile, within span: Span) -> Span {
    let line = line(in: file)
    return Span(line.start, min(line.end, span.end))
  }
}

extension String {
  var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
