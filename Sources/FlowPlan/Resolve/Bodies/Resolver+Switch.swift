import CEL
import Diagnostics
import FlowSyntax
import SourceText
import Values

/// `switch`: the first true case, else the last one.
extension Resolver {
  mutating func resolveSwitch(_ cases: [CaseSyntax], at span: Span, _ name: String) -> ResolvedBodies {
    let before = state
    let guardCount = guards.count
    var ends: [(state: FlowState, guards: [Guard])] = []
    var plans: [CasePlan] = []
    for item in cases {
      state = before
      let condition = item.condition.flatMap { resolveCondition($0, Locals()) }
      if let condition { checkOpen(condition) }
      let (plan, known) = resolveCase(item, condition)
      plans.append(plan)
      if !item.body.steps.alwaysEnd { ends.append((state, guards[guardCount...] + known)) }
      // The cases below see its condition as false.
      if let condition = item.condition { assumeFalse(condition) }
    }
    guards.removeLast(guards.count - guardCount)
    state = ends.dropFirst().reduce(ends.first?.state ?? before) {
      $0.joined(with: $1.state, because: ("only some of the cases set it", span))
    }
    let outputs = joinedOutputs(zip(cases, plans).filter { !$0.0.body.steps.alwaysEnd }.map { ($0.0.body, $0.1.body.outputs) }, name)
    let secret = Set(plans.flatMap(\.body.outputs).filter(\.isSecret).map(\.name))
    return ResolvedBodies(
      action: .choose(plans), outputs: outputs, secretOutputs: secret, known: .common(to: ends.map(\.guards)))
  }

  /// - Returns: with what is known at its end, beside what is known before it.
  private mutating func resolveCase(_ item: CaseSyntax, _ condition: CompiledExpression?) -> (plan: CasePlan, known: [Guard]) {
    let outer = guards.count
    if let condition { assume(condition.program.expression, at: here) }
    defer { guards.removeLast(guards.count - outer) }
    let (steps, (outputs, known)) = resolveBody(item.body.steps) {
      ($0.resolveOutputs(item.body.outputs, Locals()), Array($0.guards[outer...]))
    }
    return (CasePlan(condition: condition, body: BodyPlan(steps: steps, outputs: outputs)), known)
  }

  /// A case whose condition is false already where it is tried.
  private mutating func checkOpen(_ condition: CompiledExpression) {
    guard proof.rulesOut(condition.program.expression, at: here) else { return }
    report(
      .unreachableBranch, "this case is never taken: its condition is false here", at: condition.text.trimmedFileSpan,
      label: "never true here", help: ["a case above, or an `if` around it, takes what it would take"])
  }

  // MARK: - outputs

  /// What all of the cases give.
  private mutating func joinedOutputs(_ cases: [(syntax: BodySyntax, outputs: [OutputPlan])], _ name: String) -> RecordType {
    var record = RecordType(name, [])
    for (syntax, outputs) in cases {
      for (output, place) in zip(outputs, syntax.outputs.map(\.value.span)) { join(output, at: place, into: &record) }
    }
    for (syntax, outputs) in cases {
      let missing = record.fields.map(\.name).filter { name in !outputs.contains { $0.name == name } }
      guard !missing.isEmpty else { continue }
      report(
        .missingKey, "this case lacks \(missing.count == 1 ? "the output" : "the outputs") \(quotedList(missing)) of the other cases",
        at: syntax.span.line(in: file, within: syntax.span),
        help: ["supply \(missing.count == 1 ? "it" : "them"), `null` if there is no value"]
      )
    }
    return record
  }

  private mutating func join(_ output: OutputPlan, at place: Span, into record: inout RecordType) {
    let type = output.value.type
    guard let position = record.fields.firstIndex(where: { $0.name == output.name }) else {
      record.fields.append(RecordType.Field(output.name, type))
      return
    }
    let earlier = record.fields[position].type
    if let joined = earlier.widened(by: type) {
      record.fields[position].type = joined
    } else {
      report(
        .typeMismatch, "`\(output.name)` is \(article(earlier)) in a case above, and \(article(type)) here", at: place, label: "\(type)",
        help: ["give \(article(earlier)), or `null`"])
    }
  }
}
