import Diagnostics
import FlowEngine
import FlowEvents
import FlowPlan
import HTTPTransport
import Journal
import Reporters
import SandboxKit
import SourceText
import StepKit
import Steps
import Synchronization
import Values

/// One case, from its own sandbox to what came of it. Nothing of it is shared with any other case.
struct ScenarioRun {
  let table: ScenariosPlan
  let scenario: ScenarioPlan
  let hidden: HiddenTexts
  let active: ActiveRuns

  private var flow: Plan { table.flow }

  /// The case's test, whatever becomes of it.
  func run() async -> TestRun {
    var test = TestRun(
      file: table.file.path, caseName: scenario.name, reports: [], expectations: [], skipReason: scenario.skipReason,
      line: scenario.place.start.line, tableFile: scenario.tablePlace == nil ? nil : scenario.place.file.path, tags: scenario.tags)
    guard scenario.skipReason == nil else { return test }
    let watch = WallWatch()
    do throws(SandboxError) {
      let world = try ScenarioSandbox(scenario.world, flow: flow)
      for plan in scenario.runs {
        guard await run(plan, in: world, into: &test) else { break }
      }
      if active.exitCode == nil { test.expectations? += world.unusedFaults + world.unmetEvents }
    } catch {
      test.expectations?.append(problem("the sandbox of this case", error.description))
    }
    if let stated = scenario.tablePlace { test.expectations = test.expectations?.map { $0.moved(from: stated, to: scenario.place) } }
    test.wall = watch.wall
    return test
  }

  private func problem(_ what: String, _ text: String) -> ExpectationReport {
    ExpectationReport(expression: what, place: scenario.place, isMet: false, problem: text)
  }

  /// Whether the case may go on.
  private func run(_ plan: ScenarioRunPlan, in world: ScenarioSandbox, into test: inout TestRun) async -> Bool {
    var given = RunGivens()
    given.inputs = plan.inputs
    given.secrets = scenario.secrets
    given.answers = Set(plan.answers.keys)
    given.isSandbox = true
    given.connections = ScenarioSandbox.connections(of: flow)
    let (ready, findings) = flow.prepare(given)
    guard var prepared = ready else {
      for finding in findings { test.expectations?.append(problem("the run of this case", finding.message)) }
      return false
    }
    hidden.hide(prepared.secrets.secretTexts + prepared.inputs.secretTexts)
    let stateKey: String
    do throws(FileFailure) {
      stateKey = try world.restoreState(of: &prepared)
    } catch {
      test.expectations?.append(problem("the run of this case", error.message))
      return false
    }
    let log = ScenarioLog(keepsContent: plan.expect.readsRequests)
    let story = RunStory()
    let outcome = await run(prepared, stateKey, plan, given, world, log, story)
    test.story += story.text
    if !plan.isKilled || outcome.hasEnded { test.reports.append(outcome.report) }
    // Whoever ended it early has seen nothing of what it claims.
    if active.exitCode != nil { return false }
    if plan.isKilled, outcome.hasEnded {
      test.expectations?.append(problem("the run that is killed", "nothing killed it; it ended \(outcome.report.verdict.rawValue)"))
    }
    test.expectations? += ScenarioJudge(plan.expect, report: outcome.report, requests: log.requests, sandbox: world.sandbox).reports
    return plan.isKilled || outcome.report.verdict != .cancelled
  }

  /// What one run came to; of one that was killed, as much as was told.
  private struct Outcome {
    let report: RunReport
    let hasEnded: Bool
  }

  private func run(
    _ prepared: PreparedRun, _ stateKey: String, _ plan: ScenarioRunPlan, _ given: RunGivens, _ world: ScenarioSandbox, _ log: ScenarioLog,
    _ story: RunStory
  ) async -> Outcome {
    let hosts = AllowedHosts(prepared, given: given, environment: nil, own: [])
    let emergencies = EmergencyRoutes.of(prepared)
    let routes = scenario.world.routes.compactMap { try? RoutePattern($0.route) }
    let told = ToldSteps()
    let recording: RunRecording
    let past: Resumption?
    do {
      past = plan.isResume ? try await world.resumption() : nil
      if let doubts = past?.doubts(prepared), !doubts.isEmpty {
        return Outcome(report: told.report(of: prepared, runID: past?.runID ?? "", .indeterminate, adding: doubts), hasEnded: true)
      }
      recording = try await world.recording(of: prepared, resuming: past)
    } catch {
      return Outcome(report: told.report(of: prepared, runID: "", .errored, adding: []), hasEnded: true)
    }
    var prepared = prepared
    if let kept = past?.context["state"] { prepared.state = kept }
    let handle = Mutex<FlowRun?>(nil)
    var transport = ScenarioTransport(
      sandbox: world.sandbox, clock: world.clock, routes: routes, real: CurlTransport.shared, log: log, activity: world.activity)
    if plan.isKilled { transport.killing = (world.kills, { handle.withLock { $0 }?.kill() }) }
    let run = FlowRun(
      prepared,
      world: RunWorld(
        transport: transport, sockets: transport, sessionStores: world.tokens, clock: world.clock,
        random: SeededRandom(text: "\(table.name)/\(scenario.name)\(past == nil ? "" : "/again")"),
        prompt: ScenarioPrompts(plan.answers, sandbox: world.sandbox), files: world.files, environment: "sandbox",
        activity: world.activity,
        // With routes nothing leaves this process, and what has no route is refused by name there.
        allows: { _, address in !routes.isEmpty || address.isOfSandbox ? nil : hosts.refusal(of: address) },
        saveState: { world.keep($0, under: stateKey) }, journal: recording.recorder,
        triggers: RunTriggers(ledger: world.records.ledger, sender: recording.sender, clock: world.clock),
        reserves: { emergencies.refusal($0, $1) }, hide: { hidden.hide($0) },
        observe: { event in
          story.consume(event)
          told.note(event)
          world.note(event)
        }), runID: recording.opening.id, history: past?.history)
    handle.withLock { $0 = run }
    let report = await active.run(cancel: { run.cancel(exitCode: $0) }) { await run.runUnlessKilled() }
    handle.withLock { $0 = nil }
    guard let report else {
      return Outcome(report: told.report(of: prepared, runID: recording.opening.id, .cancelled, adding: []), hasEnded: false)
    }
    await recording.close(report) { _ in }
    return Outcome(report: report, hasEnded: true)
  }
}

/// The steps of a run as they were told, for one that has no report of its own.
private final class ToldSteps: Sendable {
  private let steps = Mutex<[StepReport]>([])

  func note(_ event: RunEvent) {
    if case .stepEnded(let report) = event { steps.withLock { $0.append(report) } }
  }

  func report(of run: PreparedRun, runID: String, _ verdict: Verdict, adding more: [StepReport]) -> RunReport {
    RunReport(
      runID: runID, flow: run.plan.name, file: run.plan.file.path, verdict: verdict,
      code: verdict == .cancelled ? nil : verdict == .indeterminate ? "indeterminate" : "config.journal", error: more.first?.error,
      outputs: ValueMap(), startedAt: Timestamp(seconds: 0), duration: .zero, requests: 0, steps: steps.withLock(\.self) + more)
  }
}

extension ExpectationReport {
  /// What a row of a table expects stands in its row; what the defaults expect stays where it is.
  fileprivate func moved(from stated: Place, to row: Place) -> ExpectationReport {
    guard place.file == stated.file, stated.span.start <= place.span.start, place.span.end <= stated.span.end else { return self }
    var copy = self
    copy.place = row
    return copy
  }
}
