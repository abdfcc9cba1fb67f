import FlowEvents
import FlowPlan
import HTTPTypes
import StepKit
import Values

@testable import FlowEngine

/// One run of the machine alone, in a world whose answers, times and signals come from a seed.
struct Simulation {
  /// What was not as it must be; empty for a sound run.
  private(set) var violations: [String] = []
  private(set) var report: RunReport?
  private var machine: Machine
  private var random: SeededGenerator
  private var elapsed = Duration.zero
  private var pending: [(at: Duration, input: MachineInput)] = []
  private var open: [ActivationID: AttemptOrder] = [:]
  private var laws = StepLaws()
  private var spent: Set<String> = []
  private var scopes: Set<ScopeID> = [.run]
  private var hasFinallyStep = false
  private var wasCancelled = false
  private let plan: Plan
  /// Whether the flow has bodies that run beside each other.
  private let isConcurrent: Bool
  /// The verdict when the steps were over.
  private var settled: Verdict?
  private var isGraceOver = false

  init(_ prepared: PreparedRun, seed: UInt64) {
    plan = prepared.plan
    for step in (prepared.plan.steps + prepared.plan.finally).flatMap(\.withCalled) { laws.know(step) }
    isConcurrent = (prepared.plan.steps + prepared.plan.finally).contains(where: \.isConcurrent)
    machine = Machine(prepared, runID: "sim", environment: "", seed: seed, stepsAtOnce: seed % 2 == 0 ? 1 : 1000)
    random = SeededGenerator(seed &* 0x9E37_79B9 &+ 1)
  }

  /// Runs to the end, or gives up after more steps than any of these flows can take.
  mutating func run() {
    if Int.random(in: 0..<3, using: &random) == 0 { scheduleSignals() }
    feed(.start)
    var steps = 0
    while report == nil {
      steps += 1
      guard steps < 10_000, let index = pending.indices.min(by: { pending[$0].at < pending[$1].at }) else {
        return violate(steps < 10_000 ? "the run is stuck" : "the run does not end")
      }
      let next = pending.remove(at: index)
      if case .attemptEnded(let id, _) = next.input { open[id] = nil }
      elapsed = max(elapsed, next.at)
      feed(next.input)
    }
    checkEnd()
    for input in pending.map(\.input) + [.cancel(exitCode: 130)] where !machine.handle(input, at: moment).isEmpty {
      violate("a decision after the end")
    }
  }

  private var moment: Moment { Moment(elapsed: elapsed, wall: Timestamp(seconds: 1_732_150_800 + elapsed.components.seconds)) }

  private mutating func violate(_ what: String) { violations.append(what) }

  private mutating func scheduleSignals() {
    for _ in 0...Int.random(in: 0...1, using: &random) {
      pending.append((.milliseconds(Int.random(in: 0...20_000, using: &random)), .cancel(exitCode: 130)))
    }
  }

  private mutating func feed(_ input: MachineInput) {
    if case .cancel = input { wasCancelled = true }
    if case .timerFired(.undoGrace) = input, machine.stage == .undo { isGraceOver = true }
    for decision in machine.handle(input, at: moment) {
      if report != nil { violate("a decision behind the end") }
      obey(decision)
    }
    if machine.stage != .steps, settled == nil { settled = machine.ending?.verdict }
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
    case .startTimer(let timer, let duration): pending.append((elapsed + duration, .timerFired(timer)))
    case .cancelTimer(let timer):
      // A timer that has just fired cannot be taken back: one in four still arrives.
      if Int.random(in: 0..<4, using: &random) > 0 { pending.removeAll { $0.input.isTimer(timer) } }
    case .emit(let event): note(event)
    case .note(_, _, let waiter):
      if let waiter { pending.append((elapsed + .milliseconds(1), .noted(waiter, nil))) }
    case .callBack: pending.append((elapsed, .goOn))
    case .hide: break
    case .finish(let final): report = final
    }
  }

  // MARK: - the world

  private mutating func attempt(_ order: AttemptOrder) {
    if open[order.activation] != nil { violate("`\(order.step.id)` has two attempts at once") }
    if !open.isEmpty, !isConcurrent { violate("`\(order.step.id)` starts beside another attempt") }
    if !scopes.contains(order.scope) { violate("`\(order.step.id)` starts in a scope that is not open") }
    if [.once, .unsafe].contains(order.handler.effect), spent.contains(order.step.title) {
      violate("`\(order.step.title)` is sent again after it may have been")
    }
    open[order.activation] = order
    let outcome = outcome(order)
    let end = elapsed + .milliseconds(Int.random(in: 1...4000, using: &random))
    pending.append((end, .request(order.report, of: order.activation)))
    pending.append((end, .attemptEnded(order.activation, outcome)))
    switch outcome.result {
    case .success where order.handler.effect == .unsafe: break
    case .failure(let failure) where failure.sent == .no: break
    case .failure(let failure) where order.handler.effect == .unsafe && (failure.sent == .yes || failure.isRejected): break
    case .success, .failure: spent.insert(order.step.title)
    }
  }

  private mutating func perform(_ effect: WorldEffect, of id: ActivationID) {
    let failure = Int.random(in: 0..<10, using: &random) == 0 ? StepFailure("config.file", title: "") : nil
    pending.append((elapsed + .milliseconds(5), .effectEnded(id, failure)))
  }

  /// An attempt that is cancelled ends cancelled, or as it would have.
  private mutating func cancel(_ id: ActivationID) {
    guard let order = open[id] else { return violate("an attempt is cancelled that is not under way") }
    guard Bool.random(using: &random) else { return }
    pending.removeAll { $0.input.isEnd(of: id) }
    var failure = StepFailure.cancelled
    failure.sent = Bool.random(using: &random) ? .maybe : .no
    if failure.sent == .maybe { spent.insert(order.step.title) }
    let outcome = AttemptOutcome(result: .failure(failure), response: nil, duration: .zero)
    pending.append((elapsed, .attemptEnded(id, outcome)))
  }

  private mutating func outcome(_ order: AttemptOrder) -> AttemptOutcome {
    let result: Result<ValueMap, StepFailure>
    var reply: HTTPReply?
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      reply = Self.reply(200, isDone: Bool.random(using: &random))
      result = .success(ValueMap())
    case 4..<8:
      let failed = Self.reply([401, 404, 409, 429, 500, 503].randomElement(using: &random) ?? 500)
      reply = failed
      result = .failure(.http(failed))
    case 8: result = .failure(StepFailure("network.connect", title: "", sent: .no))
    default: result = .failure(StepFailure("timeout.attempt", title: "", sent: .maybe))
    }
    return AttemptOutcome(result: result, response: reply, duration: .milliseconds(1))
  }

  private static func reply(_ status: Int, isDone: Bool = false) -> HTTPReply {
    var headers: HTTPFields = status == 503 ? [.retryAfter: "2"] : [:]
    if let name = HTTPField.Name("x-done") { headers[name] = isDone ? "1" : "0" }
    return HTTPReply(
      status: status, headers: headers, bytes: [], body: .null, url: "https://api.test/", duration: .zero)
  }

  // MARK: - laws

  private mutating func note(_ event: RunEvent) {
    violations += laws.note(event)
    switch event {
    case .stepStarted(let start):
      if plan.finally.contains(where: { $0.id == start.step.id }) { hasFinallyStep = true }
    case .stepEnded, .runStarted, .request, .retryScheduled, .pollScheduled, .branchTaken, .log, .runEnded: break
    }
  }

  private mutating func checkEnd() {
    guard let report else { return }
    violations += laws.end(isUndone: settled != .passed && !machine.isCutShort && !isGraceOver)
    if !machine.activations.isEmpty || !machine.bodies.isEmpty || !machine.armed.isEmpty || !machine.undoRuns.isEmpty
      || !machine.rounds.isEmpty || !machine.spreads.isEmpty || !machine.calls.isEmpty || machine.scopes.count != 1 || scopes != [.run]
    {
      violate("something is left over")
    }
    let isSignalled = machine.cancelExitCode != nil
    if !hasFinallyStep, !machine.isCutShort { violate("`finally` did not run") }
    if isSignalled, report.verdict != .cancelled, report.verdict != .indeterminate { violate("a signal ends \(report.verdict)") }
    if report.verdict == .passed, report.steps.contains(where: { $0.status == .indeterminate }) { violate("passed over a doubt") }
    if report.steps.contains(where: { $0.status == .indeterminate }) != (report.exitCode == 4) {
      violate("a doubt ends \(report.exitCode)")
    }
    if (report.verdict == .passed) != (report.code == nil) { violate("\(report.verdict) with the code \(report.code ?? "none")") }
    if report.verdict != .passed, !report.outputs.isEmpty { violate("outputs of a run that did not pass") }
    let own = report.steps.filter { $0.step.parent == nil }.map(\.requests).reduce(0, +)
    if own > report.requests { violate("steps have more requests than the run") }
  }
}

extension MachineInput {
  fileprivate func isTimer(_ timer: TimerID) -> Bool {
    if case .timerFired(timer) = self { true } else { false }
  }

  fileprivate func isEnd(of id: ActivationID) -> Bool {
    if case .attemptEnded(id, _) = self { true } else { false }
  }
}

extension AttemptOrder {
  fileprivate var report: RequestReport {
    RequestReport(stepID: step.id, method: "GET", url: "https://api.test/", status: nil, sent: "maybe", duration: .zero)
  }
}

extension StepPlan {
  fileprivate var isConcurrent: Bool {
    withCalled.contains { step in
      switch step.action {
      case .parallel: true
      case .forEach(let loop): loop.concurrency > 1
      case .handler, .group, .choose, .repeating, .call, .set, .wait, .fail, .end: false
      }
    }
  }

  /// The step with all inside it, called flows included.
  fileprivate var withCalled: [StepPlan] {
    withInner.flatMap { step -> [StepPlan] in
      guard case .call(let call) = step.action else { return [step] }
      return [step] + (call.flow.steps + call.flow.finally).flatMap(\.withCalled)
    }
  }
}
