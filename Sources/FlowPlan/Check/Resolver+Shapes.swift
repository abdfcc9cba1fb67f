import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// Types of every `with` against the shapes that handlers declare.
extension Resolver {
  mutating func checkLiteral(_ scalar: ScalarSyntax, _ value: Value, _ shape: Shape, named name: String) {
    if shape.takesText, !scalar.isQuoted, !shape.takesNumbers {
      switch value {
      case .int, .double:
        return report(
          .quoteThisNumber, "`\(name)` is text: a number here must be quoted", at: scalar.span, label: "a number to YAML",
          help: ["write `\"\(scalar.text.text)\"`"])
      case .bool:
        return report(
          .typeMismatch, "`\(name)` must be a string, not a bool", at: scalar.span, label: "a bool to YAML",
          help: ["write `\"\(scalar.text.text)\"`"])
      default: break
      }
    }
    for violation in shape.violations(in: value) {
      report(.invalidValue, violation.message(named: name), at: scalar.span, help: violation.help(for: value))
    }
  }

  /// The type of an expression against the shape of the place it stands in.
  mutating func checkType(_ type: ValueType, _ shape: Shape, named name: String, at span: Span) {
    guard let problem = mismatch(type, shape) else { return }
    var help: [String] = []
    if case .nullable = type { help = ["give it a fallback with `default(…, …)`"] }
    if shape.withoutMarks.isText, type == .int || type == .double || type == .uint { help = ["convert it: `string(…)`"] }
    if case .int = shape.withoutMarks, type == .string { help = ["convert it: `int(…)`"] }
    report(.typeMismatch, "`\(name)` must be \(shape.expectation), not \(problem)", at: span, label: problem, help: help)
  }

  /// What the type is instead; nil where it fits, or may.
  private func mismatch(_ type: ValueType, _ shape: Shape) -> String? {
    switch (type, shape) {
    case (.dyn, _), (.error, _), (.parameter, _), (_, .any), (.null, .nullable): return nil
    case (_, .secret(let inner)): return mismatch(type, inner)
    case (.nullable(let inner), .nullable(let shape)): return mismatch(inner, shape)
    case (_, .nullable(let inner)): return mismatch(type, inner)
    case (.string, .string), (.string, .choice), (.string, .numberOrText), (.bool, .bool): return nil
    case (.int, .int), (.uint, .int), (.int, .number), (.uint, .number), (.double, .number): return nil
    case (.int, .numberOrText), (.uint, .numberOrText), (.double, .numberOrText): return nil
    case (.list(let element), .list(let shape)): return mismatch(element, shape).map { "a list of \($0)" }
    case (.map, .map), (.map, .record), (.record, .map): return nil
    case (.record(let record), .record(let shape)):
      for field in shape.fields {
        guard let given = record.field(field.name) else {
          if field.isRequired, !record.isOpen { return "\(record.name), which lacks `\(field.name)`" }
          continue
        }
        if let inner = mismatch(given.type, field.shape) { return "one with \(inner) as `\(field.name)`" }
      }
      return nil
    default: return article(type)
    }
  }
}

extension ShapeViolation {
  /// The message under the name that the author knows.
  func message(named name: String) -> String {
    ShapeViolation([.member(name)] + path, reason).message
  }

  func help(for value: Value) -> [String] {
    guard case .notOneOf(let choices) = reason, let text = value.stringValue, let nearest = nearestName(to: text, among: choices) else { return [] }
    return ["did you mean `\(nearest)`?"]
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
