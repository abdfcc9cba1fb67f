import CEL
import SourceText
import TestKit
import Testing
import Values

/// An environment with a handful of names, as a flow has them.
enum Sample {
  static let user = RecordType(
    "the answer of `users/get`",
    [
      RecordType.Field("name", .string), RecordType.Field("age", .int), RecordType.Field("nickname", .string, isOptional: true),
      RecordType.Field("email", .nullable(.string)), RecordType.Field("address", .record(address), isOptional: true),
    ])
  static let address = RecordType("an address", [RecordType.Field("city", .string), RecordType.Field("zip", .string, isOptional: true)])

  static let environment = Environment(variables: [
    Variable(name: "username", type: .string, slot: 0),
    Variable(name: "amount", type: .int, slot: 1),
    Variable(name: "ratio", type: .double, slot: 2),
    Variable(name: "body", type: .dyn, slot: 3),
    Variable(name: "user", type: .record(user), slot: 4),
    Variable(name: "items", type: .list(.int), slot: 5),
    Variable(name: "maybe", type: .nullable(.int), slot: 6),
    Variable(name: "steps.log_in.outputs", type: .record(address), slot: 7),
    Variable(name: "steps.log_in.status", type: .string, slot: 8),
    Variable(name: "started", type: .timestamp, slot: 9),
  ])

  static func program(_ source: String, _ location: SourceLocation = #_sourceLocation) throws -> Program {
    let compilation = environment.compile(source)
    return try #require(
      compilation.program, "`\(source)`: \(compilation.issues.map(\.message).joined(separator: "; "))", sourceLocation: location)
  }

  /// The value of an expression; `values` by the slots of the sample environment.
  static func evaluate(_ source: String, _ values: [Int: Value] = [:], budget: Budget = Budget()) throws -> Value {
    let slots: [Value?] = (0..<10).map { values[$0] }
    return try program(source).evaluate(slots, budget: budget)
  }
}

/// What an author sees of an issue: its line, and everything that points.
func shown(_ issue: ExpressionIssue, in source: String) -> String {
  func text(_ span: Span) -> String { String(decoding: Array(source.utf8)[span.start..<span.end], as: UTF8.self) }
  var lines = ["\(issue.severity)[\(issue.kind)]: \(issue.message)", "at: \(text(issue.span))"]
  if !issue.label.isEmpty { lines[1] += " -- \(issue.label)" }
  lines += issue.related.map { "and: \(text($0.span)) -- \($0.text)" }
  lines += issue.help.map { "help: \($0)" }
  return lines.joined(separator: "\n")
}
