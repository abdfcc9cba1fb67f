import Diagnostics
import FlowEngine
import FlowEvents
import FlowPlan
import HTTPTransport
import Journal
import Reporters
import SandboxKit
import StepKit

/// A flow without scenarios: it runs once, on a sandbox of its own, and must pass.
struct FlowTest {
  let plan: Plan
  let givens: Givens
  let terminal: Terminal
  let hidden: HiddenTexts
  let active: ActiveRuns
  let isStrict: Bool

  /// - Throws: what refuses the run before its first request.
  func run() async throws(Findings) -> TestRun {
    if givens.environment != nil { return try await runInEnvironment() }
    var (given, answers) = try await givens.read(for: plan, terminal)
    given.isSandbox = true
    given.connections = ScenarioSandbox.connections(of: plan)
    let (ready, diagnostics) = plan.prepare(given)
    guard var prepared = ready else { throw Findings(diagnostics) }
    hidden.hide(prepared.secrets.secretTexts + prepared.inputs.secretTexts)
    let world: ScenarioSandbox
    do throws(SandboxError) {
      world = try ScenarioSandbox(.untouched, flow: plan)
    } catch {
      throw Findings([Diagnostic(.invalidValue, "\(error)", at: nil)])
    }
    let recording: RunRecording
    let stateKey: String
    do {
      stateKey = try world.restoreState(of: &prepared)
      recording = try await world.recording(of: prepared, resuming: nil)
    } catch {
      throw Findings([Diagnostic(.invalidValue, "\(error)", at: nil)])
    }
    let story = RunStory()
    let watch = WallWatch()
    let emergencies = EmergencyRoutes.of(prepared)
    let hosts = AllowedHosts(prepared, given: given, environment: nil, own: [])
    let transport = ScenarioTransport(
      sandbox: world.sandbox, clock: world.clock, routes: [], real: CurlTransport.shared, log: ScenarioLog(keepsContent: false),
      activity: world.activity)
    let run = FlowRun(
      prepared,
      world: RunWorld(
        transport: transport, sockets: transport, sessionStores: world.tokens, clock: world.clock, random: SystemRandom(),
        prompt: Prompts(answers: answers, sandbox: world.sandbox, terminal: terminal, asks: { _ in }), files: world.files,
        environment: "sandbox", activity: world.activity,
        allows: { _, address in address.isOfSandbox ? nil : hosts.refusal(of: address) }, saveState: { world.keep($0, under: stateKey) },
        journal: recording.recorder,
        triggers: RunTriggers(ledger: world.records.ledger, sender: recording.sender, clock: world.clock),
        reserves: { emergencies.refusal($0, $1) },
        hide: { [hidden] in hidden.hide($0) },
        observe: { story.consume($0) }), runID: recording.opening.id)
    let report = await active.run(cancel: { run.cancel(exitCode: $0) }) { await run.run() }
    await recording.close(report) { _ in }
    var test = TestRun(report, isStrict: isStrict)
    test.story = story.text
    test.wall = watch.wall
    return test
  }

  /// Against the systems that the environment names.
  private func runInEnvironment() async throws(Findings) -> TestRun {
    let execution = FlowExecution(plan: plan, givens: givens, terminal: terminal, usesSandbox: false, mayAsk: false, isTest: true)
    let cancellation = Cancellation()
    let story = RunStory()
    let result = await active.run(cancel: { _ = cancellation.cancel(exitCode: $0) }) {
      await Result { () async throws(Findings) in try await execution.run(cancellation: cancellation) { story.consume($0) } }
    }
    var test = TestRun(try result.get(), isStrict: isStrict)
    test.story = story.text
    return test
  }
}

extension Result where Failure == Findings {
  fileprivate init(_ body: () async throws(Findings) -> Success) async {
    do throws(Findings) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
