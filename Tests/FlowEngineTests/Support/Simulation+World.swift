import FlowEvents
import FlowPlan
import StepKit
import Values

@testable import FlowEngine

/// The world of a simulated run: does what the machine decides.
extension Simulation {
  mutating func feed(_ input: MachineInput) {
    if case .timerFired(.undoGrace) = input, machine.stage == .undo { isGraceOver = true }
    if case .noted(let id, _?) = input { loseNote(of: id) }
    let decided = machine.handle(input, at: moment)
    for activation in machine.activations.values {
      executions[activation.identity.number] = Execution(path: activation.path, seed: activation.seed)
    }
    for decision in decided {
      if report != nil { violate("a decision behind the end") }
      obey(decision)
    }
    // Where `finally` has run meanwhile, it may have changed the verdict.
    if machine.stage != .steps, settled == nil { settled = hasFinallyStep ? .passed : machine.ending?.verdict }
  }

  private mutating func obey(_ decision: Decision) {
    switch decision {
    case .attempt(let order): attempt(order)
    case .cancelAttempt(let id): cancel(id)
    case .perform(let id, let effect): perform(effect, of: id)
    case .openScope(let id, let order):
      if !scopes.contains(order.parent) { violate("a scope lends that is not open") }
      if !scopes.insert(id).inserted { violate("a scope opens twice") }
    case .closeScope(let id):
      if scopes.remove(id) == nil { violate("a scope closes that is not open") }
    case .startTimer(let timer, let duration): schedule(.input(.timerFired(timer)), after: duration)
    case .cancelTimer(let timer):
      // A timer that has just fired cannot be taken back: one in four still arrives.
      if random.below(4) > 0 { pending.removeAll { $0.event.isTimer(timer) } }
    case .emit(let event):
      if tells { tell(event.line) }
      note(event)
    case .note(let note, let durability, let waiter): write(note, durability, waiter)
    case .callBack: schedule(.input(.goOn), after: .zero)
    case .hide, .recallSession: break
    case .finish(let final): finish(final)
    }
  }

  // MARK: - the network

  private mutating func attempt(_ order: AttemptOrder) {
    let id = order.activation
    if open[id] != nil { violate("`\(order.step.id)` has two attempts at once") }
    if !open.isEmpty, !isConcurrent { violate("`\(order.step.id)` starts beside another attempt") }
    if !scopes.contains(order.scope) { violate("`\(order.step.id)` starts in a scope that is not open") }
    guard let activation = machine.activations[id], let execution = executions[activation.identity.number] else {
      return violate("`\(order.step.id)` is sent by no step that runs")
    }
    violate(sends.begin(order, execution, isStartSynced: !fate.keepsNotes || disk.hasSynced(startOf: execution)))
    open[id] = order
    let owner = lookUp(of: activation)
    let exchange = server.send(order, execution, lookingUp: owner, at: elapsed)
    exchanges[id] = exchange.id
    if tells { tell("sends \(execution.path) \(order.attempt)") }
    schedule(.attemptEnd(id, exchange), after: exchange.duration)
  }

  /// The execution that a step looks up.
  private func lookUp(of activation: Activation) -> Execution? {
    guard case .reconcile(let owner)? = machine.bodies[activation.body]?.owner, let step = machine.activations[owner],
      step.plan.reconcile?.steps.first?.id == activation.plan.id
    else { return nil }
    return Execution(path: step.path, seed: step.seed)
  }

  mutating func endAttempt(_ id: ActivationID, _ exchange: SimulatedServer.Exchange) {
    guard let order = open.removeValue(forKey: id), let activation = machine.activations[id] else {
      return violate("an attempt ends that is not under way")
    }
    exchanges[id] = nil
    var outcome = exchange.outcome
    sends.end(Execution(path: activation.path, seed: activation.seed), outcome)
    if let owner = lookUp(of: activation), let body = outcome.response?.body, outcome.response?.isSuccess == true {
      sends.lookUp(owner, found: body["there"]?.boolValue)
      if body["there"] == false { noteFoundNothing() }
    }
    if fate.defect == .callsDoubtUnsent, case .failure(var failure) = outcome.result, failure.sent == .maybe {
      failure.sent = .no
      outcome.result = .failure(failure)
    }
    if tells { tell("ends \(activation.path): \(outcome.response.map { "\($0.status) \($0.body.json())" } ?? "\(outcome.result)")") }
    feed(.request(order.report, of: id))
    feed(.attemptEnded(id, outcome))
  }

  /// An attempt that is cancelled ends cancelled, or as it would have.
  private mutating func cancel(_ id: ActivationID) {
    guard open[id] != nil, let number = exchanges[id] else { return violate("an attempt is cancelled that is not under way") }
    guard Bool.random(using: &random) else { return }
    guard let index = pending.firstIndex(where: { $0.event.isEnd(of: id) }), case .attemptEnd(_, var exchange) = pending[index].event else {
      return
    }
    pending.remove(at: index)
    var failure = StepFailure.cancelled
    // What has not left is held back, or is under way and arrives all the same.
    if server.isTravelling(number), Bool.random(using: &random) { server.drop(number) } else { failure.sent = .maybe }
    exchange.outcome = AttemptOutcome(result: .failure(failure), response: nil, duration: .zero)
    schedule(.attemptEnd(id, exchange), after: .zero)
  }

  private mutating func perform(_ effect: WorldEffect, of id: ActivationID) {
    let hasFailed = !fate.isCalm && random.below(10) == 0
    switch effect {
    case .saveState(let new): if !hasFailed { commit(new) }
    case .saveFile, .settle: break
    }
    schedule(.input(.effectEnded(id, hasFailed ? StepFailure("config.file", title: "") : nil)), after: .milliseconds(5))
  }

  // MARK: - the disk

  private mutating func write(_ note: RunNote, _ durability: Durability, _ waiter: ActivationID?) {
    if let waiter, fate.defect == .forgetsToWait { schedule(.input(.noted(waiter, nil)), after: .zero) }
    if let duration = disk.add(note, durability, fate.defect == .forgetsToWait ? nil : waiter) { schedule(.diskEnd, after: duration) }
  }

  mutating func endWriting() {
    let (waiters, hasFailed, next) = disk.end()
    let failure = hasFailed ? StepFailure("config.journal", title: "the disk is full") : nil
    if let next { schedule(.diskEnd, after: next) }
    for waiter in waiters { schedule(.input(.noted(waiter, failure)), after: .zero) }
  }

  /// Of what must happen once, nobody will know the end.
  private mutating func loseNote(of id: ActivationID) {
    guard let activation = machine.activations[id], activation.phase == .closing, activation.effect == .once,
      activation.end?.status != .failed
    else { return }
    sends.loseEnd(of: Execution(path: activation.path, seed: activation.seed))
  }

  // MARK: - laws

  private mutating func note(_ event: RunEvent) {
    violate(laws.note(event))
    switch event {
    case .stepStarted(let start):
      if plan.finally.contains(where: { $0.id == start.step.id }) { hasFinallyStep = true }
    case .stepEnded(let report):
      // What is taken from the notes was judged when it ended.
      guard let execution = executions[report.step.number], !report.isGroup, !report.isRestored else { return }
      violate(
        sends.end(execution, report, received: server.received[execution, default: 0], isDone: server.hasDone(execution)))
    case .runStarted, .request, .retryScheduled, .pollScheduled, .branchTaken, .log, .runEnded: break
    }
  }

  mutating func checkEnd(_ report: RunReport) {
    violate(laws.end(isUndone: settled != .passed && !machine.isCutShort && !isGraceOver))
    if !machine.activations.isEmpty || !machine.bodies.isEmpty || !machine.armed.isEmpty || !machine.undoRuns.isEmpty
      || !machine.rounds.isEmpty || !machine.spreads.isEmpty || !machine.calls.isEmpty || machine.scopes.count != 1 || scopes != [.run]
    {
      violate("something is left over")
    }
    let isSignalled = machine.cancelExitCode != nil
    if !hasFinallyStep, !machine.isCutShort { violate("`finally` did not run") }
    if isSignalled, report.verdict != .cancelled, report.verdict != .indeterminate { violate("a signal ends \(report.verdict)") }
    if report.steps.contains(where: { $0.status == .indeterminate }) != (report.exitCode == 4) {
      violate("a doubt ends \(report.exitCode)")
    }
    if sends.hasDoubts, report.exitCode != 4 { violate("the doubts \(sends.doubts) end \(report.exitCode)") }
    if !sends.hasDoubts, report.exitCode == 4 { violate("no doubt, and it ends \(report.exitCode)") }
    if (report.verdict == .passed) != (report.code == nil) { violate("\(report.verdict) with the code \(report.code ?? "none")") }
    if report.verdict != .passed, !report.outputs.isEmpty { violate("outputs of a run that did not pass") }
    let own = report.steps.filter { $0.step.parent == nil }.map(\.requests).reduce(0, +)
    if own > report.requests { violate("steps have more requests than the run") }
    for input in pending.compactMap(\.event.input) + [.cancel(exitCode: 130)] where !machine.handle(input, at: moment).isEmpty {
      violate("a decision after the end")
    }
  }
}

extension Simulation.Event {
  fileprivate var input: MachineInput? {
    if case .input(let input) = self { input } else { nil }
  }

  fileprivate func isTimer(_ timer: TimerID) -> Bool {
    if case .input(.timerFired(timer)) = self { true } else { false }
  }

  fileprivate func isEnd(of id: ActivationID) -> Bool {
    if case .attemptEnd(id, _) = self { true } else { false }
  }
}

extension AttemptOrder {
  fileprivate var report: RequestReport {
    RequestReport(stepID: step.id, method: "GET", url: "https://api.test/", status: nil, sent: "maybe", duration: .zero)
  }
}

extension StepPlan {
  var isConcurrent: Bool {
    withCalled.contains { step in
      switch step.action {
      case .parallel: true
      case .forEach(let loop): loop.concurrency > 1
      case .handler, .group, .choose, .repeating, .call, .set, .wait, .fail, .end: false
      }
    }
  }
}
