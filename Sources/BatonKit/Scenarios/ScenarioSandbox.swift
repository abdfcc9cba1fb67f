import FlowEngine
import FlowEvents
import FlowPlan
import HTTPTypes
import Journal
import Reporters
import SandboxKit
import SourceText
import StepKit
import Steps
import Synchronization
import TokenStore
import Values

/// The world of one case: a sandbox, a clock and files of its own.
final class ScenarioSandbox: Sendable {
  let sandbox: Sandbox
  let clock: any ClockPort
  let activity: any ActivityPort
  let files: ScenarioFiles
  /// The tokens that outlive the runs of the case.
  let tokens: TokenMemory
  /// The journal and the ledger of the case.
  let records: RunRecords
  let kills: ScenarioKills
  private let faults: [ScenarioFault]
  private let events: Mutex<[PendingEvent]>
  /// What lasts between the runs of this case, by `state_key`.
  private let kept = Mutex<[String: ValueMap]>([:])

  private struct PendingEvent: Sendable {
    let event: ScenarioEvent
    /// Nil until its step has ended.
    var outcome: Result<Void, SandboxError>?
    /// How many requests had come in then.
    var requestsBefore = 0
  }

  /// - Throws: what the sandbox does not accept; the checker has found it before.
  init(_ scenario: ScenarioWorld, flow: Plan) throws(SandboxError) {
    // Whoever talks to real hosts has their time.
    if scenario.routes.isEmpty, flow.reachesRealHosts {
      clock = SystemClock()
      activity = NoActivity()
    } else {
      let virtual = VirtualClock()
      clock = virtual
      activity = virtual
    }
    tokens = TokenMemory(activity: activity)
    files = ScenarioFiles(project: ProjectFiles(of: flow.file.path))
    let time = clock
    records = .ofTest(
      clock: LedgerClock(
        sinceBoot: { ("case", Int64(time.elapsed() / .nanoseconds(1))) }, now: { time.now() }))
    kills = try ScenarioKills(scenario.faults)
    faults = scenario.faults.filter { $0.kill == nil }
    events = Mutex(scenario.events.map { PendingEvent(event: $0) })
    sandbox = try Self.sandbox(scenario, clock: clock)
  }

  /// Gives a run what an earlier one of its key has left; else it has what the flow declares.
  /// - Throws: where the key has no value.
  func restoreState(of run: inout PreparedRun) throws(FileFailure) -> String {
    let key = try run.stateKey()
    if let state = kept.withLock({ $0[key] }) { run.state = .map(state) }
    return key
  }

  func keep(_ state: ValueMap, under key: String) { kept.withLock { $0[key] = state } }

  private static func sandbox(_ scenario: ScenarioWorld, clock: any ClockPort) throws(SandboxError) -> Sandbox {
    var systems = SandboxCatalogue.standard
    var stubs: [StubbedRoute] = []
    for route in scenario.routes { stubs.append(try StubbedRoute(route.route, route.settings)) }
    let hosts = PlainHosts(stubs: stubs)
    if !stubs.isEmpty { systems.append(hosts) }
    let sandbox = try Sandbox(
      systems: systems, given: scenario.given, clock: SandboxClock(now: { clock.now() }, sleep: { try await clock.sleep(for: $0) }))
    // The case's own faults come first: of two delays on one route the first counts.
    for fault in scenario.faults where fault.kill == nil { sandbox.add(try Fault(fault)) }
    for delay in hosts.delays { sandbox.add(delay) }
    return sandbox
  }

  /// Where the connections of each system lead, in called flows too: to the sandbox of the case, under the address of
  /// `baton sandbox`.
  static func connections(of flow: Plan) -> [String: ValueMap] {
    var connections: [String: ValueMap] = [:]
    for system in StepCatalogue.standard.systems where system.hasSandbox {
      var settings = ValueMap()
      for url in system.urls { settings[url] = .string("\(LocalSandbox.address)/\(system.name)") }
      connections[system.name] = settings
      // An alias wins over its system.
      for connection in flow.connections where connection.system.name == system.name { connections[connection.alias] = settings }
    }
    return connections
  }

  // MARK: - faults

  /// The case's own faults that never happened: it has not tested what it says.
  var unusedFaults: [ExpectationReport] {
    let quiet = zip(faults, sandbox.faultUses).filter { $0.isOwn && $1.happened == 0 }.map { (fault: $0, matched: $1.matched) }
    return (quiet + kills.unused).map { fault, matched in
      let route = fault.settings["route"]?.stringValue ?? ""
      return ExpectationReport(
        expression: "fault on \(route)", place: fault.place, isMet: false, expected: "to be met",
        actual: matched == 0 ? "no such request came" : "never, though \(counted(matched, "such request")) came")
    }
  }

  // MARK: - events

  /// Changes the world once the step of an event has ended, before anything else is sent.
  func note(_ event: RunEvent) {
    guard case .stepEnded(let report) = event, report.status != .skipped, report.status != .notRun else { return }
    events.withLock { events in
      for index in events.indices where events[index].event.step == report.step.id && events[index].outcome == nil {
        let changes = events[index].event.changes
        events[index].requestsBefore = sandbox.requestCount
        events[index].outcome = Result { () throws(SandboxError) in try sandbox.change(changes) }
      }
    }
  }

  /// Events that did not come to pass: a case that meant them has not tested what it says.
  var unmetEvents: [ExpectationReport] {
    let count = sandbox.requestCount
    return events.withLock { events in
      events.compactMap { pending in
        let problem: String
        switch pending.outcome {
        case .success:
          if pending.requestsBefore < count { return nil }
          problem = "nothing was sent after the step `\(pending.event.step)`, so nobody has seen the change"
        case .failure(let error): problem = error.description
        case nil: problem = "the step `\(pending.event.step)` did not run, so nothing was changed after it"
        }
        return ExpectationReport(expression: "after \(pending.event.step)", place: pending.event.place, isMet: false, problem: problem)
      }
    }
  }
}

extension Fault {
  /// A fault of a case, with its condition.
  fileprivate init(_ fault: ScenarioFault) throws(SandboxError) {
    try self.init(fault.settings)
    guard let match = fault.match else { return }
    let system = route.system ?? ""
    condition = { request in
      let seen = ScenarioRequest(system: system, method: request.method.rawValue, path: request.path, content: request.content)
      return (try? match.evaluate(FlowFrame(slots: [seen.value]))) == .bool(true)
    }
  }
}

extension Plan {
  /// Whether some request of it leaves the sandbox where nothing else answers.
  var reachesRealHosts: Bool {
    (steps + finally).flatMap(\.withInner).contains { step in
      switch step.action {
      case .handler(let handler): leavesSandbox(handler)
      case .call(let call): call.flow.reachesRealHosts
      case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: false
      }
    }
  }

  private func leavesSandbox(_ handler: HandlerPlan) -> Bool {
    guard handler.isPlainHTTP || handler.step.about.system == "oauth" else { return false }
    if let index = handler.connection { return !connections[index].isOfSandbox }
    return !handler.with.startsAtSandbox
  }
}

extension ConnectionPlan {
  /// Whether it leads to the sandbox of a case: a system's, or a plain one that names its address.
  fileprivate var isOfSandbox: Bool {
    if system.hasSandbox { return true }
    guard case .map(let members) = settings else { return false }
    return members.first { $0.key == "base_url" }?.value.startsAtSandbox ?? false
  }
}

extension DataPlan {
  /// Whether it is a URL, or has a `url`, of the address of `baton sandbox`.
  fileprivate var startsAtSandbox: Bool {
    switch self {
    case .constant(let value): value.stringValue.flatMap { try? WebAddress($0) }?.isOfSandbox ?? false
    case .text(let segments), .url(let segments):
      if case .literal(let text)? = segments.first { text.hasPrefix(LocalSandbox.address + "/") } else { false }
    case .map(let members): members.contains { $0.key == "url" && $0.value.startsAtSandbox }
    case .expression, .list, .omit: false
    }
  }
}
