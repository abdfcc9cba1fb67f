import Diagnostics
import FlowEngine
import FlowEvents
import FlowPlan
import HTTPTransport
import SandboxServer
import StepKit
import Values

/// One plan's way from what it is given to its report.
struct FlowExecution {
  let plan: Plan
  let givens: Givens
  let terminal: Terminal
  let usesSandbox: Bool
  /// Whether a question may be put to the person at the terminal.
  let mayAsk: Bool

  /// - Parameters:
  ///   - cancellation: ends the run early.
  ///   - asks: told when a question goes to the terminal, and when it is answered.
  /// - Throws: what refuses the run before its first request.
  func run(
    cancellation: Cancellation, asks: @escaping @Sendable (Bool) -> Void = { _ in }, observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws(Findings) -> RunReport {
    var (given, answers) = try givens.read(for: plan, environment: terminal.environment)
    given.hasTerminal = mayAsk && terminal.canAsk
    given.isSandbox = usesSandbox
    let sandbox = usesSandbox && LocalSandbox.serves(plan) ? try await LocalSandbox.start() : nil
    sandbox?.redirect(plan, &given)
    let (prepared, diagnostics) = plan.prepare(given)
    guard let prepared else {
      await sandbox?.server.stop()
      throw Findings(diagnostics)
    }
    terminal.hide(prepared.secretTexts)
    let hosts = AllowedHosts(prepared, given: given)
    let world = RunWorld(
      transport: CurlTransport.shared, clock: SystemClock(), random: SystemRandom(),
      prompt: Prompts(answers: answers, sandbox: sandbox?.sandbox, terminal: terminal, asks: asks),
      environment: usesSandbox ? "sandbox" : "", allows: { _, address in hosts.refusal(of: address) },
      hide: { [terminal] in terminal.hide($0) }, observe: observe)
    let run = FlowRun(prepared, world: world, runID: SystemRandom().runID())
    cancellation.attach { run.cancel(exitCode: $0) }
    let report = await run.run()
    await sandbox?.server.stop()
    return report
  }
}

extension PreparedRun {
  /// The texts that are secret from the start.
  fileprivate var secretTexts: [String] {
    let values = (secrets.mapValue ?? ValueMap()).map(\.value) + (inputs.mapValue ?? ValueMap()).map(\.value)
    return values.filter(\.containsSecret).compactMap { $0.fullyExposed.stringValue }
  }
}
