import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// Types of every `with` against the shapes that handlers declare.
extension Resolver {
  mutating func checkLiteral(_ scalar: ScalarSyntax, _ value: Value, _ shape: Shape, named name: String) {
    let quoted = "`\(name.split(separator: ".").last ?? ""): \"\(scalar.text.text)\"`"
    if shape.takesText, !scalar.isQuoted, !shape.takesNumbers {
      switch value {
      case .int, .double:
        return report(
          .quoteThisNumber, "`\(name)` is text: a number here must be quoted", at: scalar.span, label: "a number to YAML",
          help: ["write \(quoted)"])
      case .bool:
        return report(
          .quoteThisString, "`\(name)` is text: `\(scalar.text.text)` here must be quoted", at: scalar.span, label: "a bool to YAML",
          help: ["write \(quoted)"])
      default: break
      }
    }
    for violation in shape.violations(in: value) {
      report(
        violation.isOfType ? .typeMismatch : .invalidValue, violation.message(named: name), at: scalar.span,
        help: violation.help(for: value, scalar, shape))
    }
  }

  /// The type of an expression against the shape of the place it stands in.
  mutating func checkType(_ type: ValueType, _ shape: Shape, named name: String, at span: Span) {
    guard let mismatch = mismatch(type, shape, "`\(name)`") else { return }
    report(
      .typeMismatch, mismatch.message, at: span, label: "\(type)", help: help(for: type, shape.withoutMarks, file.text(of: span)))
  }

  private func help(for type: ValueType, _ shape: Shape, _ source: String) -> [String] {
    if case .nullable(let inner) = type, mismatch(inner, shape, "") == nil { return ["give it a fallback: `default(\(source), …)`"] }
    if case .optional = type { return ["give it a fallback: `(\(source)).orValue(…)`"] }
    let isScalar = [ValueType.int, .uint, .double, .bool, .timestamp, .duration].contains(type)
    if shape.isText, isScalar { return ["convert it: `string(\(source))`"] }
    if case .int = shape, type == .string || type == .double { return ["convert it: `int(\(source))`"] }
    if case .number = shape, type == .string { return ["convert it: `double(\(source))`"] }
    if case .bool = shape, type == .string { return ["compare it: `\(source) == 'true'`"] }
    if case .list(let element) = shape {
      if mismatch(type, element, "") == nil { return ["put it into a list: `[\(source)]`"] }
      if element.isText, case .list = type { return ["convert each: `\(source).map(item, string(item))`"] }
    }
    return []
  }

  /// How a type is not of a shape, with the part of it that is not.
  private struct Mismatch {
    let message: String

    init(_ part: String, _ shape: Shape, _ type: ValueType) {
      if case .nullable(let inner) = type, article(inner) == shape.expectation {
        message = "\(part) must be \(shape.expectation), and this may be null"
      } else {
        message = "\(part) must be \(shape.expectation), not \(article(type))"
      }
    }

    init(_ message: String) { self.message = message }
  }

  /// Nil where the type fits, or may.
  private func mismatch(_ type: ValueType, _ shape: Shape, _ part: String) -> Mismatch? {
    switch (type, shape) {
    case (.dyn, _), (.error, _), (.parameter, _), (_, .any), (.null, .nullable): return nil
    case (_, .secret(let inner)): return mismatch(type, inner, part)
    case (.nullable(let inner), .nullable(let shape)): return mismatch(inner, shape, part)
    case (_, .nullable(let inner)): return mismatch(type, inner, part)
    case (.string, .string), (.string, .choice), (.string, .numberOrText), (.bool, .bool): return nil
    case (.int, .int), (.uint, .int), (.int, .number), (.uint, .number), (.double, .number): return nil
    case (.int, .numberOrText), (.uint, .numberOrText), (.double, .numberOrText): return nil
    case (.list(let element), .list(let shape)): return mismatch(element, shape, "each item of \(part)")
    case (.map(_, let value), .map(let shape)): return mismatch(value, shape, "each member of \(part)")
    case (.map, .record): return nil
    case (.record(let record), .map(let shape)):
      return record.fields.lazy.compactMap { mismatch($0.type, shape, "`\($0.name)` of \(part)") }.first
    case (.record(let record), .record(let shape)): return mismatch(record, shape, part)
    default: return Mismatch(part, shape, type)
    }
  }

  private func mismatch(_ record: RecordType, _ shape: RecordShape, _ part: String) -> Mismatch? {
    for field in shape.fields {
      if let given = record.field(field.name) {
        if let inner = mismatch(given.type, field.shape, "`\(field.name)` of \(part)") { return inner }
      } else if field.isRequired, !record.isOpen {
        return Mismatch("\(part) needs `\(field.name)`, which \(record.name) lacks")
      }
    }
    return nil
  }
}

extension Resolver {
  /// Holds a member against what constrains it, where it has no expression.
  mutating func checkConstraint(_ constraint: FieldConstraint, _ entry: DataSyntax.Entry) {
    guard let value = entry.value.constant else { return }
    for violation in constraint.violations(in: value, at: [.member(entry.key.value)]) {
      let place = entry.value.span(of: violation.path.dropFirst()) ?? entry.key.span
      report(.invalidValue, violation.message, at: place)
    }
  }
}

extension DataSyntax {
  /// Where the data at a path stands; nil where it is missing, or is the map itself, whose key is pointed at.
  fileprivate func span(of path: ArraySlice<ShapeViolation.Step>) -> Span? {
    switch (self, path.first) {
    case (.map, nil): return nil
    case (_, nil): return span
    case (.map(let entries, _), .member(let name)?):
      guard let entry = entries.first(where: { $0.key.value == name }) else { return nil }
      return entry.value.span(of: path.dropFirst()) ?? entry.key.span
    case (.list(let items, _), .element(let index)?) where items.indices.contains(index): return items[index].span(of: path.dropFirst())
    default: return nil
    }
  }
}

extension ShapeViolation {
  var isOfType: Bool {
    if case .wrongType = reason { true } else { false }
  }

  /// The message under the name that the author knows.
  func message(named name: String) -> String {
    let whole = ShapeViolation([.member(name)] + path, reason)
    guard case .wrongType(let expected, let actual) = reason, actual != "null" else { return whole.message }
    return "`\(whole.pathText)` must be \(expected), not \("aeio".contains(actual.first ?? "x") ? "an" : "a") \(actual)"
  }

  func help(for value: Value, _ scalar: ScalarSyntax, _ shape: Shape) -> [String] {
    switch reason {
    case .notOneOf(let choices):
      guard let text = value.stringValue, let nearest = nearestName(to: text, among: choices) else { return [] }
      return ["did you mean `\(nearest)`?"]
    case .wrongType:
      // A number or a bool in quotes is text.
      guard scalar.isQuoted else { return [] }
      let text = scalar.text.text
      if shape.withoutMarks == .bool { return text == "true" || text == "false" ? ["write `\(text)` without quotes"] : [] }
      return Double(text) != nil ? ["write `\(text)` without quotes"] : []
    case .missing, .unknownKey, .rule, .schema, .secretNotAccepted: return []
    }
  }
}

extension Shape {
  /// The shape without `secret` and `nullable`.
  var withoutMarks: Shape {
    switch self {
    case .secret(let inner), .nullable(let inner): inner.withoutMarks
    default: self
    }
  }

  var isAny: Bool { withoutMarks == .any }

  /// The shape of a list's items: nil where it is no list; a nil inside where any item goes.
  var element: Shape?? {
    switch withoutMarks {
    case .list(let element): .some(element)
    case .any: .some(nil)
    default: nil
    }
  }

  var isText: Bool {
    switch withoutMarks {
    case .string, .choice: true
    default: false
    }
  }

  var takesText: Bool { isText || withoutMarks == .numberOrText }
  var takesNumbers: Bool { withoutMarks == .numberOrText }
}
