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
  /// As far as `expect.schema` tells it.
  var responseBody = ValueType.dyn
  /// Besides in a branch of `on_error`.
  var hasError = false
  /// A connection's settings see inputs and secrets alone.
  var isOfConnection = false
  /// The key of the state sees inputs alone.
  var isOfStateKey = false
}

extension Locals {
  /// Of the modifiers of this step.
  init(of entry: StepTable.Entry) {
    self.init(outputs: entry.outputs, hasResponse: entry.hasResponse, responseBody: entry.responseBody)
  }
}

extension Resolver {
  /// Compiles a condition; with `isCheck` one that `expect` states.
  mutating func resolveCondition(_ syntax: ExpressionSyntax, _ locals: Locals, isCheck: Bool = false) -> CompiledExpression? {
    guard let text = bareText(of: syntax, reporting: true) else { return nil }
    let findings = diagnostics.count
    guard let compiled = compile(text, locals) else { return nil }
    let type = compiled.program.type
    if type != .bool, type != .dyn, type != .error {
      var help: [String] = []
      if type == .string { help = ["compare it, such as `\(text.text.trimmed) == 'text'`"] }
      if case .nullable(.bool) = type { help = ["say what null means: `default(\(text.text.trimmed), false)`"] }
      report(
        .typeMismatch, "\(isCheck ? "a check" : "a condition") must be a bool, not \(article(type))", at: text.fileSpan, label: "\(type)",
        help: help)
      return nil
    }
    guard compiled.program.expression.isConstant, diagnostics.count == findings else { return compiled }
    if isCheck {
      report(.cannotFail, "this check is the same at every run", at: text.fileSpan, help: ["compare something that the step gives"])
    } else {
      report(
        .constantCondition, "this condition is the same at every run", at: text.fileSpan, help: ["leave it out, or the step"],
        severity: .warning)
    }
    return compiled
  }

  /// The text of a bare expression; `${{ }}` around the whole of it is allowed.
  mutating func bareText(of syntax: ExpressionSyntax, reporting: Bool) -> EmbeddedText? {
    let source = syntax.text.text
    guard source.contains("${{") else { return syntax.text }
    let lead = source.utf8.prefix { $0 == 0x20 || $0 == 0x0A }.count
    if source.utf8.dropFirst(lead).starts(with: "${{".utf8), case .found(let end) = templateEnd(in: source, from: lead + 3),
      source.utf8.dropFirst(end + 2).allSatisfy({ $0 == 0x20 || $0 == 0x0A })
    {
      return syntax.text.slice(Span(lead + 3, end))
    }
    if reporting {
      report(
        .invalidExpression, "`${{ }}` stands inside an expression", at: syntax.span,
        help: ["this is an expression already: write `\(source.withoutMarks)`"])
    }
    return nil
  }

  /// Compiles the text of an expression, reports what is wrong with it, and checks what it refers to.
  mutating func compile(_ text: EmbeddedText, _ locals: Locals) -> CompiledExpression? {
    let compilation = environment(locals).compile(
      text.text, assuming: standing)
    for issue in compilation.issues { report(issue, in: text, locals) }
    guard let program = compilation.program else { return nil }
    checkReferences(in: program.expression, text)
    return CompiledExpression(program: program, text: text, file: file)
  }

  /// What can be named at this point. The steps stay declared from one expression to the next, and only those whose
  /// outputs have become known since are declared anew: a flow may have thousands.
  mutating func environment(_ locals: Locals) -> Environment {
    if locals.isOfConnection { return Environment(variables: rootVariables) }
    if locals.isOfStateKey { return Environment(variables: Array(rootVariables.prefix(1))) }
    var environment = declared ?? Environment(variables: rootVariables + connectionVariables + wrongSteps, functions: HostFunctions.all)
    declared = nil
    for index in table.takeChanges() {
      for variable in variables(of: table[index]) { environment.declare(variable) }
    }
    declared = environment
    return environment.adding(pointVariables(locals))
  }

  private var rootVariables: [Variable] {
    let slots = Slots(count: 0)
    return [
      Variable(name: "inputs", type: .record(inputsType), slot: slots.inputs),
      Variable(name: "secrets", type: .record(secretsType), slot: slots.secrets),
    ]
  }

  private var connectionVariables: [Variable] {
    guard !document.connections.isEmpty else { return [] }
    let broken = document.connections.map(\.alias.value).filter { alias in !connections.contains { $0.alias == alias } }
    let fields =
      connections.map { RecordType.Field($0.alias, .record($0.openSettings)) } + Set(broken).map { RecordType.Field($0, .error) }
    return [
      Variable(name: "connections", type: .record(RecordType("the connections", fields)), slot: Slots(count: 0).connections)
    ]
  }

  /// Those that only this point sees.
  private func pointVariables(_ locals: Locals) -> [Variable] {
    let slots = Slots(count: 0)
    var all = [Variable(name: "run", type: .record(isInFinally || isInUndo ? .runInFinally : .run), slot: slots.run)]
    all += flowVariables + loops.flatMap(\.variables)
    if let outputs = locals.outputs { all.append(Variable(name: "outputs", type: outputs, slot: slots.outputs)) }
    if locals.hasResponse {
      all.append(Variable(name: "response", type: .record(.response(body: locals.responseBody)), slot: slots.response))
    }
    if locals.hasResponse { all.append(Variable(name: "request", type: .record(.request), slot: slots.request)) }
    if locals.hasError || branch > 0 { all.append(Variable(name: "error", type: .record(.error), slot: slots.error)) }
    return all
  }

  private func variables(of entry: StepTable.Entry) -> [Variable] {
    guard entry.idSpan != nil, !table.ambiguousIDs.contains(entry.id) else { return [] }
    let name = "steps.\(entry.id)"
    let error = ValueType.record(.error)
    var all = [
      Variable(name: "\(name).outputs", type: entry.outputs, slot: entry.slots.outputs),
      Variable(name: "\(name).status", type: .string, slot: entry.slots.status),
      Variable(name: "\(name).error", type: entry.alwaysHasError ? error : .nullable(error), slot: entry.slots.error),
    ]
    if entry.hasResponse {
      all.append(Variable(name: "\(name).response", type: .record(.response(body: entry.responseBody)), slot: entry.slots.response))
    }
    return all
  }

  /// What refers to a step that is wrong already is no further error.
  private var wrongSteps: [Variable] {
    Set(document.unreadableSteps.map(\.value)).union(table.ambiguousIDs).map {
      Variable(name: "steps.\($0)", type: .error, slot: Slots(count: 0).outputs)
    }
  }

  private var inputsType: RecordType {
    RecordType(
      RecordType.inputsName,
      inputs.map { RecordType.Field($0.name.value, $0.type, isOptional: !$0.isRequired && $0.fallback == nil, about: $0.about) }
        + brokenInputs.map { RecordType.Field($0, .error) })
  }

  private var secretsType: RecordType {
    RecordType(RecordType.secretsName, document.secrets.map { RecordType.Field($0.value, .string) })
  }
}

/// `a string`, `an int`; a record by its name.
func article(_ type: ValueType) -> String {
  switch type {
  case .record(let record): return record.name
  case .null: return "null"
  default:
    let text = "\(type)"
    return ("aeio".contains(text.first ?? "x") ? "an " : "a ") + text
  }
}

extension String {
  /// Without `${{` and `}}`, and the spaces beside them.
  fileprivate var withoutMarks: String {
    var out = ""
    var rest = self[...]
    while let character = rest.first {
      if rest.hasPrefix("${{") {
        rest = rest.dropFirst(3).drop { $0 == " " }
      } else if rest.hasPrefix("}}") {
        rest = rest.dropFirst(2)
        while out.hasSuffix(" ") { out.removeLast() }
      } else {
        out.append(character)
        rest = rest.dropFirst()
      }
    }
    return out
  }

  var trimmed: String {
    String(drop { $0 == " " || $0 == "\n" }.reversed().drop { $0 == " " || $0 == "\n" }.reversed())
  }
}
