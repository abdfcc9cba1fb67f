import CEL
import Diagnostics
import FlowSyntax
import SourceText
import Values

extension ScenarioResolver {
  /// What an expression of a case sees.
  enum Scope {
    /// `request`: one that a fault may hit, or that is counted.
    case request
    /// `run`, `requests` and `sandbox`: what came of a case.
    case outcome
  }

  /// Compiles a condition and reports what is wrong with it.
  mutating func compile(_ syntax: ExpressionSyntax, _ scope: Scope, isCheck: Bool) -> CompiledExpression? {
    let text = syntax.text.withoutMarks
    guard !text.text.contains("${{") else {
      report(.invalidExpression, "`${{ }}` stands inside an expression", at: syntax.span, help: ["this is an expression already"])
      return nil
    }
    let compilation = Environment(variables: variables(scope)).compile(text.text)
    for issue in compilation.issues {
      report(
        Diagnostic(
          issue.kind, issue.message, at: located(text.fileSpan(of: issue.span)), label: issue.label, severity: issue.severity,
          related: issue.related.map { Diagnostic.Label(Place(file, text.fileSpan(of: $0.span)), $0.text) }, notes: issue.notes,
          help: issue.help))
    }
    guard let program = compilation.program else { return nil }
    guard program.type == .bool || program.type == .dyn || program.type == .error else {
      report(
        .typeMismatch, "a \(isCheck ? "check" : "condition") must be a bool, not \(article(program.type))", at: text.trimmedFileSpan,
        label: "\(program.type)")
      return nil
    }
    if program.expression.isConstant {
      report(.cannotFail, "this \(isCheck ? "check" : "condition") is the same at every run", at: text.trimmedFileSpan)
    }
    return CompiledExpression(program: program, text: text, file: file)
  }

  private func variables(_ scope: Scope) -> [Variable] {
    switch scope {
    case .request: [Variable(name: "request", type: .record(.scenarioRequest), slot: ScenarioSlots.request)]
    case .outcome:
      [
        Variable(name: "run", type: .record(.scenarioRun), slot: ScenarioSlots.run),
        Variable(name: "requests", type: .list(.record(.scenarioRequest)), slot: ScenarioSlots.requests),
        Variable(name: "sandbox", type: .record(.scenarioSandbox(sandbox.systems)), slot: ScenarioSlots.sandbox),
      ]
    }
  }
}

extension RecordType {
  /// A request as a case sees it; `status` is null until it is answered.
  fileprivate static let scenarioRequest = RecordType(
    "the request",
    [
      Field("system", .string), Field("method", .string), Field("path", .string), Field("query", .map(.string, .string)),
      Field("headers", .map(.string, .string)), Field("body", .dyn), Field("status", .nullable(.int)),
    ])

  /// `run`, once it is over.
  fileprivate static let scenarioRun = RecordType(
    "the run of a case",
    [
      Field("verdict", .string), Field("code", .nullable(.string)), Field("error", .record(scenarioError)),
      Field("outputs", .map(.string, .dyn)),
      Field(
        "steps",
        .map(.string, .record(RecordType("a step", [Field("status", .string), Field("attempts", .int), Field("requests", .int)])))),
      Field("requests", .int), Field("duration", .duration),
    ])

  /// `run.error`: the members of `error` that a report has. Of a run that has none the check fails when it looks, so
  /// that a case needs no guard.
  private static let scenarioError = RecordType(
    "the error of the run",
    [
      Field("code", .string), Field("title", .string), Field("detail", .string), Field("step", .string), Field("line", .int),
      Field("attempt", .int), Field("sent", .string), Field("rejected", .bool),
      Field("http", .record(RecordType("the answer", [Field("status", .int), Field("body", .dyn)]))),
      Field("errors", .list(.record(RecordType("a problem", [Field("field", .string), Field("message", .string)])))), Field("cause", .dyn),
    ])

  /// `sandbox`: what may be seen of each system, and the messages that went out.
  fileprivate static func scenarioSandbox(_ systems: [String]) -> RecordType {
    let sms = RecordType(
      "a message", [Field("to", .string), Field("text", .string), Field("code", .nullable(.string)), Field("at", .timestamp)])
    return RecordType("the sandbox", systems.map { Field($0, .dyn) } + [Field("sms", .list(.record(sms)))])
  }
}

extension EmbeddedText {
  /// The expression within `${{ }}` that stand around the whole of it; else the text as it is.
  fileprivate var withoutMarks: EmbeddedText {
    let bytes = Array(text.utf8)
    let lead = bytes.prefix { $0 == 0x20 || $0 == 0x0A }.count
    guard bytes.dropFirst(lead).starts(with: "${{".utf8), case .found(let end) = templateEnd(in: text, from: lead + 3),
      bytes.dropFirst(end + 2).allSatisfy({ $0 == 0x20 || $0 == 0x0A })
    else { return self }
    return slice(Span(lead + 3, end))
  }
}
