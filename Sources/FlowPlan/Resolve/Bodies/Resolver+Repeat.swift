import Diagnostics
import FlowSyntax
import SourceText
import Values

/// `repeat`: a loop with feedback.
extension Resolver {
  /// What is known of the carried values.
  private struct Carried: Equatable {
    var fields: [RecordType.Field]
    var secret: Set<String>
  }

  mutating func resolveRepeat(_ loop: RepeatSyntax, _ step: StepSyntax, _ index: Int) -> ResolvedBodies {
    checkUnique(loop.carry.map { ($0.key.value, $0.key.span) }, what: "carried value")
    for entry in loop.carry where entry.key.value == "index" {
      report(
        .duplicateKey, "`loop.index` is the number of the round already", at: entry.key.span, help: ["give what is carried another name"])
    }
    let first = loop.carry.map { (name: $0.key.value, value: resolveData($0.value, nil, named: "carry.\($0.key.value)", Locals())) }
    var carried = Carried(
      fields: first.map { RecordType.Field($0.name, $0.value.type.isNull ? .nullable(.dyn) : $0.value.type) },
      secret: Set(first.filter { firstSecret(in: $0.value) != nil }.map(\.name)))
    // What begins as null, or becomes secret on the way, is known only behind the body; then it is resolved again, one
    // round for each value that a secret is handed on through. Loops in loops would multiply the work at each level.
    var roundsLeft = repeatDepth < 3 ? loop.carry.count + 1 : 0
    repeatDepth += 1
    defer { repeatDepth -= 1 }
    let start = self
    var (plan, learned) = resolveRounds(loop, step, index, first, carried)
    while learned != carried, roundsLeft > 0 {
      roundsLeft -= 1
      self = start
      carried = learned
      (plan, learned) = resolveRounds(loop, step, index, first, carried)
    }
    var outputs = RecordType(outputsName(step), carried.fields)
    for (output, syntax) in zip(plan.body.outputs, step.outputs) {
      if outputs.field(output.name) != nil {
        report(
          .duplicateKey, "`\(output.name)` is carried, and so an output already", at: syntax.name.span, help: ["give this one another name"]
        )
      }
      outputs.fields.append(RecordType.Field(output.name, output.value.type))
    }
    let secret = learned.secret.union(plan.body.outputs.filter(\.isSecret).map(\.name))
    return ResolvedBodies(action: .repeating(plan), outputs: outputs, secretOutputs: secret)
  }

  private mutating func resolveRounds(
    _ loop: RepeatSyntax, _ step: StepSyntax, _ index: Int, _ first: [(name: String, value: DataPlan)], _ carried: Carried
  ) -> (RepeatPlan, learned: Carried) {
    table[index].secretCarry = carried.secret
    loops.append(Loop(fields: [RecordType.Field("index", .int)] + carried.fields, slots: table[index].slots))
    defer { loops.removeLast() }
    let (steps, (next, until, outputs)) = resolveBody(loop.steps) { resolver in
      let next = resolver.resolveNext(loop, carried.fields)
      // What is carried is another value from here on.
      for name in loop.next.map(\.key.value) { resolver.versions.note(name, in: resolver.table[index].slots.loop) }
      return (
        next, loop.until.flatMap { resolver.resolveCondition($0, Locals()) },
        resolver.resolveOutputs(step.outputs, Locals())
      )
    }
    var learned = carried
    for (name, value) in next {
      if firstSecret(in: value) != nil { learned.secret.insert(name) }
      if let position = learned.fields.firstIndex(where: { $0.name == name }), case .nullable(.dyn) = learned.fields[position].type,
        let type = ValueType.null.widened(by: value.type), type != .error
      {
        learned.fields[position].type = type == .dyn ? .nullable(.dyn) : type
      }
    }
    let plan = RepeatPlan(
      max: loop.max?.value ?? 1, every: loop.every?.value, until: until, carry: first, next: next,
      body: BodyPlan(steps: steps, outputs: outputs)
    )
    return (plan, learned)
  }

  /// What is carried on must be what was carried.
  private mutating func resolveNext(_ loop: RepeatSyntax, _ fields: [RecordType.Field]) -> [(name: String, value: DataPlan)] {
    checkUnique(loop.next.map { ($0.key.value, $0.key.span) }, what: "carried value")
    return loop.next.map { entry in
      let value = resolveData(entry.value, nil, named: "next.\(entry.key.value)", Locals())
      if let field = fields.first(where: { $0.name == entry.key.value }), !value.type.fits(field.type) {
        report(
          .typeMismatch, "`\(field.name)` is \(article(field.type)) at first, and \(article(value.type)) here", at: entry.value.span,
          label: "\(value.type)",
          related: loop.carry.first { $0.key.value == field.name }.map { [($0.value.span, "its first value")] } ?? [],
          help: ["carry a value of one type"])
      }
      return (entry.key.value, value)
    }
  }
}
