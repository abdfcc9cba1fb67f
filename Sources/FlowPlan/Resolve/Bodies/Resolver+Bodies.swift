import CEL
import FlowSyntax
import SourceText
import StepKit
import Values

/// A loop around a point of a flow: the names that only its body sees.
struct Loop {
  /// The item's, in a `for_each`.
  var item: (name: String, type: ValueType)?
  /// What `loop` holds.
  var fields: [RecordType.Field]
  let slots: StepSlots

  var variables: [Variable] {
    (item.map { [Variable(name: $0.name, type: $0.type, slot: slots.item)] } ?? [])
      + [Variable(name: "loop", type: .record(RecordType("`loop`", fields)), slot: slots.loop)]
  }
}

/// An action with steps inside it, resolved.
struct ResolvedBodies {
  /// Nil where it is wrong, which is reported.
  var action: ActionPlan?
  /// What the rest of the flow sees of it.
  var outputs: RecordType
  /// Those that the plan of the step holds; of loops, cases and branches they stand in the bodies.
  var own: [OutputPlan] = []
  var secretOutputs: Set<String> = []
  /// Conditions that hold behind it, where nothing but its own end leads there.
  var known: [Guard] = []
}

extension Resolver {
  /// The action of a step with steps inside.
  mutating func resolveBodies(_ step: StepSyntax, _ index: Int) -> ResolvedBodies {
    switch step.action {
    case .group(let steps, _): resolveGroup(steps, step, index)
    case .choose(let cases, let span): resolveSwitch(cases, at: span, outputsName(step))
    case .forEach(let loop): resolveForEach(loop, step, index)
    case .repeating(let loop): resolveRepeat(loop, step, index)
    case .parallel(let parallel): resolveParallel(parallel, outputsName(step))
    case .uses, .http, .call, .set, .wait, .fail, .end: ResolvedBodies(action: nil, outputs: RecordType(outputsName(step), []))
    }
  }

  /// What messages call the outputs of a step.
  func outputsName(_ step: StepSyntax) -> String { "the outputs of \(step.id.map { "step `\($0.value)`" } ?? "this step")" }

  private mutating func resolveGroup(_ steps: [StepSyntax], _ step: StepSyntax, _ index: Int) -> ResolvedBodies {
    let outer = guards.count
    let (plans, (outputs, known)) = resolveBody(steps) { ($0.resolveOutputs(step.outputs, Locals()), Array($0.guards[outer...])) }
    return ResolvedBodies(
      action: .group(plans), outputs: record(outputsName(step), outputs), own: outputs,
      secretOutputs: Set(outputs.filter(\.isSecret).map(\.name)), known: known)
  }

  func record(_ name: String, _ outputs: [OutputPlan]) -> RecordType {
    RecordType(name, outputs.map { RecordType.Field($0.name, $0.value.type) })
  }

  // MARK: - bodies that run beside others

  /// Resolves what runs beside other steps: it has sessions of its own where it signs in.
  mutating func resolveConcurrent<Made>(
    _ steps: [StepSyntax], at span: Span, _ make: (inout Resolver, _ ownSessions: [Int]) -> Made
  ) -> Made {
    let outer = concurrent
    concurrent = concurrent ?? span
    defer { concurrent = outer }
    let own = signInConnections(of: steps)
    let (before, exitCount, outerOwn) = (state.sessions, exits.count, ownSessions)
    ownSessions.formUnion(own)
    defer { ownSessions = outerOwn }
    for connection in own { (state.signIns[connection], state.signOuts[connection]) = (nil, nil) }
    let made = make(&self, own)
    // What it signs in is its own; a log-out ends the session that it shares with the others.
    let after = state.signOuts
    state.sessions = before
    for (connection, signOut) in after where !own.contains(connection) && !signOut.isDoubtful {
      if before.signOuts[connection]?.step != signOut.step { state.signOut(signOut.step, on: connection) }
    }
    // A log-in in a session of its own is over where the flow ends in there.
    for exit in exits.indices.dropFirst(exitCount) {
      for connection in own {
        exits[exit].state.signIns[connection] = before.signIns[connection]
        exits[exit].state.signOuts[connection] = before.signOuts[connection]
      }
    }
    return made
  }

  /// The connections on which a step in there may sign in, in their order.
  mutating func signInConnections(of steps: [StepSyntax]) -> [Int] {
    var found: Set<Int> = []
    for step in steps.flatMap(\.withInner) {
      switch step.action {
      case .uses(let name):
        guard let handler = catalogue.step(name.value), handler.about.signsIn, let system = handler.about.system,
          handler.signsIn(constants(step.with)) != false
        else { continue }
        let named = step.connection?.value
        found.formUnion(
          connections.indices.filter { index in
            if let named { connections[index].alias == named } else { connections[index].system.name == system }
          })
      case .call(let call):
        guard let called = calledFlow(call.path) else { continue }
        let lent = call.connections.filter { called.mayChangeUser.contains($0.theirs.value) }.map(\.ours.value)
        found.formUnion(connections.indices.filter { lent.contains(connections[$0].alias) })
      case .http, .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: break
      }
    }
    return found.sorted()
  }
}
