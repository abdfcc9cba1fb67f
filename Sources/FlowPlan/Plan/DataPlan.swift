package import CEL
package import SourceText
import StepKit
package import Values

/// An expression with its way back to the file.
package struct CompiledExpression: Sendable {
  package let program: Program
  package let text: EmbeddedText
  package let file: SourceFile

  package var place: Place { Place(file, text.fileSpan) }
  /// As the author wrote it, without the spaces around it.
  package var source: String { text.text.trimmed }

  /// - Throws: an evaluation error, with its place in the file.
  package func evaluate(_ frame: FlowFrame) throws(DataError) -> Value {
    do throws(EvaluationError) {
      return try program.evaluate(frame.slots, answer: frame.answer)
    } catch {
      throw DataError(message: error.message, place: Place(file, text.fileSpan(of: error.span)))
    }
  }
}

/// What expressions of a flow are evaluated over.
package struct FlowFrame {
  package var slots: [Value?]
  /// Answers `uuid()`, `now()` and `random_int()`; nil where there is nobody to ask.
  package var answer: Program.HostAnswer?

  package init(slots: [Value?], answer: Program.HostAnswer? = nil) {
    self.slots = slots
    self.answer = answer
  }
}

/// An expression that could not be evaluated.
package struct DataError: Error, Hashable, Sendable {
  package let message: String
  package let place: Place

  package init(message: String, place: Place) {
    self.message = message
    self.place = place
  }
}

/// A tree of data with expressions at its leaves.
package indirect enum DataPlan: Sendable {
  case constant(Value)
  /// A scalar that is one `${{ e }}` keeps the type of `e`.
  case expression(CompiledExpression)
  case text([TextSegment])
  /// Text whose expressions are percent-encoded as path or query components, but for one that leads.
  case url([TextSegment])
  case list([DataPlan])
  case map([(key: String, value: DataPlan)])
  /// `${{ omit }}` leaves its key, or its item, out.
  case omit

  package enum TextSegment: Sendable {
    case literal(String)
    case expression(CompiledExpression)
  }

  /// The value; nil for `omit`.
  package func evaluate(_ frame: FlowFrame) throws(DataError) -> Value? {
    switch self {
    case .constant(let value): return value
    case .expression(let expression): return try expression.evaluate(frame)
    case .omit: return nil
    case .text(let segments): return try Self.joined(segments, frame)
    case .url(let segments): return try Self.joined(segments, frame, isURL: true)
    case .list(let items):
      var values: [Value] = []
      for item in items { if let value = try item.evaluate(frame) { values.append(value) } }
      return .list(values)
    case .map(let members):
      var map = ValueMap()
      for (key, member) in members { map[key] = try member.evaluate(frame) }
      return .map(map)
    }
  }

  /// The members of a map; empty for anything else.
  package func evaluateMap(_ frame: FlowFrame) throws(DataError) -> ValueMap {
    try evaluate(frame)?.mapValue ?? ValueMap()
  }

  private static func joined(_ segments: [TextSegment], _ frame: FlowFrame, isURL: Bool = false) throws(DataError) -> Value {
    var text = ""
    var isSecret = false
    for segment in segments {
      switch segment {
      case .literal(let literal): text += literal
      case .expression(let expression):
        let value = try expression.evaluate(frame)
        if case .secret = value { isSecret = true }
        guard let part = value.exposed.templateText else {
          throw DataError(
            message: "a \(value.typeName) cannot stand inside text; use `json.encode(…)` or `default(…, '')`", place: expression.place)
        }
        text += isURL && !text.isEmpty ? try component(part, after: text, at: expression.place) : part
      }
    }
    return isSecret ? .secret(.string(text)) : .string(text)
  }

  /// A value inside a URL, encoded. Nothing, `.` and `..` as a segment of the path would name another path:
  /// `delete: /users/${{ id }}` with an empty id is not to delete them all.
  private static func component(_ part: String, after text: String, at place: Place) throws(DataError) -> String {
    guard text.hasSuffix("/"), !text.contains("?") else { return PercentEncoding.component(part) }
    guard let segment = PercentEncoding.pathSegment(part) else {
      throw DataError(message: "`\(part)` cannot be a segment of a path: it would name another path", place: place)
    }
    return segment
  }
}

extension Value {
  /// How it reads inside text; nil for what may not stand there.
  package var templateText: String? {
    switch self {
    case .string(let text): text
    case .bool(let flag): String(flag)
    case .int(let number): String(number)
    case .uint(let number): String(number)
    case .double(let number): ecmaScriptText(of: number)
    case .decimal(let lexeme): lexeme
    case .timestamp, .duration: json().trimmingQuotes
    case .null, .bytes, .list, .map, .type, .optional, .secret: nil
    }
  }
}

extension String {
  fileprivate var trimmingQuotes: String {
    hasPrefix("\"") && hasSuffix("\"") && count > 1 ? String(dropFirst().dropLast()) : self
  }
}
