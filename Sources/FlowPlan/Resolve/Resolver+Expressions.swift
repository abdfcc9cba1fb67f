import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// The names that exist only in a step's own modifiers and branches.
struct Locals {
  var outputs: ValueType?
  var hasResponse = false
  var hasError = false
}

extension Resolver {
  /// Compiles a bare expression; `${{ }}` around the whole of it is allowed.
  mutating func resolveExpression(_ syntax: ExpressionSyntax, _ locals: Locals, isCondition: Bool = false) -> CompiledExpression? {
    var text = syntax.text
    let source = text.text
    if source.contains("${{") {
      let lead = source.utf8.prefix { $0 == 0x20 || $0 == 0x0A }.count
      guard source.utf8.dropFirst(lead).starts(with: "${{".utf8), case .found(let end) = templateEnd(in: source, from: lead + 3),
        source.utf8.dropFirst(end + 2).allSatisfy({ $0 == 0x20 || $0 == 0x0A })
      else {
        report(
          .invalidExpression, "`${{ }}` stands inside an expression", at: syntax.span,
          help: ["this is an expression already: leave `${{` and `}}` out, or put them around the whole of it"])
        return nil
      }
      text = text.slice(Span(lead + 3, end))
    }
    guard let compiled = compile(text, locals) else { return nil }
    let type = compiled.program.type
    if isCondition, type != .bool, type != .dyn, type != .error {
      report(
        .typeMismatch, "a condition must be a bool, not \(article(type))", at: text.fileSpan, label: "\(type)",
        help: type == .string ? ["compare it, such as `\(text.text.trimmed) == 'text'`"] : [])
      return nil
    }
    return compiled
  }

  /// Compiles the text of an expression, reports what is wrong with it, and checks what it refers to.
  mutating func compile(_ text: EmbeddedText, _ locals: Locals) -> CompiledExpression? {
    let environment = Environment(variables: variables(locals), functions: HostFunctions.all)
    let compilation = environment.compile(text.text, assuming: guards.map(\.expression))
    for issue in compilation.issues { report(issue, in: text) }
    guard let program = compilation.program else { return nil }
    checkReferences(in: program.expression, text)
    return CompiledExpression(program: program, text: text, file: file)
  }

  private mutating func report(_ issue: ExpressionIssue, in text: EmbeddedText) {
    diagnostics.append(
      Diagnostic(
        issue.kind, issue.message, at: Place(file, text.fileSpan(of: issue.span)), label: issue.label, severity: issue.severity,
        related: issue.related.map { Diagnostic.Label(Place(file, text.fileSpan(of: $0.span)), $0.text) }, notes: issue.notes,
        help: issue.help))
  }

  private func variables(_ locals: Locals) -> [Variable] {
    let slots = Slots(count: 0)
    var all = [
      Variable(name: "inputs", type: .record(inputsType), slot: slots.inputs),
      Variable(name: "secrets", type: .record(secretsType), slot: slots.secrets),
      Variable(name: "run", type: .record(RecordType.run), slot: slots.run),
    ]
    for entry in table.entries where entry.idSpan != nil {
      let name = "steps.\(entry.id)"
      all.append(Variable(name: "\(name).outputs", type: entry.outputs, slot: entry.slots.outputs))
      all.append(Variable(name: "\(name).status", type: .string, slot: entry.slots.status))
      if entry.hasResponse { all.append(Variable(name: "\(name).response", type: .record(.response), slot: entry.slots.response)) }
      all.append(Variable(name: "\(name).error", type: .nullable(.record(.error)), slot: entry.slots.error))
    }
    if let outputs = locals.outputs { all.append(Variable(name: "outputs", type: outputs, slot: slots.outputs)) }
    if locals.hasResponse { all.append(Variable(name: "response", type: .record(.response), slot: slots.response)) }
    if locals.hasError || errorDepth > 0 { all.append(Variable(name: "error", type: .record(.error), slot: slots.error)) }
    return all
  }

  private var inputsType: RecordType {
    RecordType(
      "the inputs",
      inputs.map { RecordType.Field($0.name.value, $0.type, isOptional: !$0.isRequired && $0.fallback == nil, about: $0.about) })
  }

  private var secretsType: RecordType {
    RecordType("the secrets", document.secrets.map { RecordType.Field($0.value, .string) })
  }
}

extension RecordType {
  /// `run`, in `finally` and everywhere else.
  static let run = RecordType(
    "the run",
    [
      Field("id", .string), Field("verdict", .string), Field("code", .nullable(.string)), Field("error", .nullable(.record(.error))),
      Field("started", .timestamp), Field("environment", .string),
    ])

  /// `response` of a plain HTTP step.
  static let response = RecordType(
    "the response",
    [
      Field("status", .int), Field("headers", .map(.string, .string)), Field("body", .dyn), Field("text", .string), Field("url", .string),
      Field("duration", .duration),
    ])

  /// `error`, as language.md §3 has it.
  static let error = RecordType(
    "the error",
    [
      Field("code", .string), Field("tags", .list(.string)), Field("title", .string), Field("detail", .string), Field("step", .string),
      Field("line", .int), Field("attempt", .int), Field("sent", .string), Field("rejected", .bool),
      Field("http", .nullable(.record(RecordType("the answer", [Field("status", .int), Field("headers", .map(.string, .string)), Field("body", .dyn)])))),
      Field("errors", .list(.record(RecordType("a problem", [Field("field", .string), Field("message", .string)])))), Field("cause", .dyn),
    ])
}

/// `a string`, `an int`.
func article(_ type: ValueType) -> String {
  let text = "\(type)"
  return ("aeiou".contains(text.first ?? "x") ? "an " : "a ") + text
}

extension String {
  var trimmed: String {
    String(drop { $0 == " " || $0 == "\n" }.reversed().drop { $0 == " " || $0 == "\n" }.reversed())
  }
}
