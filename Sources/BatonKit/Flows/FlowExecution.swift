import Diagnostics
import FlowEngine
import FlowEvents
import FlowPlan
import HTTPTransport
import Journal
import SandboxServer
import SourceText
import StepKit
import Steps
import Values
import WebSocketTransport

/// One plan's way from what it is given to its report.
struct FlowExecution {
  let plan: Plan
  var givens: Givens
  let terminal: Terminal
  let usesSandbox: Bool
  /// A file with what each system of the sandbox has before the first request.
  var sandboxGiven: String?
  /// Whether a question may be put to the person at the terminal.
  let mayAsk: Bool
  /// `--live` and `--confirm KEY`.
  var live = LiveOptions()
  /// Whether it is a test, whose records end with it.
  var isTest = false
  /// What another process has done of the run; nil for one that begins.
  var resumption: Resumption?

  /// - Parameters:
  ///   - cancellation: ends the run early.
  ///   - asks: told when a question goes to the terminal, and when it is answered.
  /// - Throws: what refuses the run before its first request.
  func run(
    cancellation: Cancellation, asks: @escaping @Sendable (Bool) -> Void = { _ in }, observe: @escaping @Sendable (RunEvent) -> Void
  ) async throws(Findings) -> RunReport {
    let project = Project(of: plan.file.path)
    let environment = try givens.environment.map { name throws(Findings) in try RunEnvironment.load(name, of: project) }
    let values = environment.map { EnvironmentValues(environment: $0, variables: terminal.environment) }
    var (given, answers) = try await givens.read(for: plan, terminal, values: values)
    let commands = (values?.commands(of: plan) ?? [:]).filter { answers[$0.key] == nil }
    given.answers.formUnion(commands.keys)
    // Who was asked before is not asked again.
    if let past = resumption?.history { given.answers.formUnion(plan.prompts.map(\.stepID).filter(past.succeeded.contains)) }
    if let inputs = resumption?.context["inputs"]?.exposed.mapValue {
      given.inputs = [:]
      for (name, value) in inputs { given.inputs[name.text] = .data(value.fullyExposed) }
    }
    given.hasTerminal = mayAsk && terminal.canAsk
    given.isSandbox = usesSandbox

    let flows = [plan] + plan.calledPlans
    if let environment { given.adopt(environment, for: flows) }
    let sandbox = usesSandbox && flows.contains(where: LocalSandbox.serves) ? try await LocalSandbox.start(given: sandboxGiven) : nil
    let served = sandbox.map { given.redirect(flows, to: $0) } ?? [:]
    var prepared: PreparedRun
    let mayExec = givens.allowsExec || environment?.mayExec == true
    let files = ProjectFiles(of: plan.file.path)
    let places = TLSFilePlaces(files: ProjectFiles(root: project.folder), operatorPaths: environment?.tlsPaths ?? [])
    let notices = ProxyNotices(CurlTransport.shared, variables: .ofProcess) { [terminal] in
      terminal.print("note: \($0)", asError: true)
    }
    let transport = ProjectTransport(transport: notices, places: places)
    let gate = LiveGate(
      environment: environment, isAsked: live.isAsked, confirmed: live.confirmed, canAsk: mayAsk && terminal.canAsk,
      variables: terminal.environment, records: LiveRecords.standard)
    let checks = RunChecks(settings: SettingsCheck(project: project, environment: environment), mayExec: mayExec, gate: gate)
    let environmentName = usesSandbox ? "sandbox" : environment?.name ?? ""
    let runID = resumption?.runID ?? SystemRandom().runID()
    let state: RunState?
    let recording: RunRecording
    do throws(Findings) {
      prepared = try prepare(given, values, checks, served: Set(served.keys))
      terminal.hide(prepared.secrets.secretTexts + prepared.inputs.secretTexts)
      state = try RunState.open(&prepared, environment: environmentName)
      if let kept = resumption?.context["state"] { prepared.state = kept }
      recording = try await .open(
        prepared, id: runID, environment: environmentName, isSandbox: usesSandbox, isTest: isTest, terminal: terminal,
        resuming: resumption)
    } catch {
      await sandbox?.server.stop()
      throw error
    }

    let hosts = AllowedHosts(prepared, given: given, environment: environment, own: served.values.flatMap(\.addresses))
    let confirmation = LiveConfirmation(
      terminal, environment: environmentName, confirmed: live.confirmed, mayAsk: mayAsk, asks: asks)
    let clock = SystemClock()
    let emergencies = EmergencyRoutes.of(prepared, environment: environment)
    let world = RunWorld(
      transport: transport, sockets: ProjectSockets(transport: NIOWebSocketTransport(), places: places),
      sessionStores: RunTokens.stores(
        environment: environmentName, endsWithRun: usesSandbox || isTest, processes: Processes(folder: project.folder),
        variables: terminal.environment),
      clock: clock, random: SystemRandom(),
      prompt: Prompts(
        answers: answers, commands: commands, values: values, sandbox: sandbox?.sandbox, terminal: terminal, asks: asks),
      files: files,
      processes: mayExec ? Processes(folder: project.folder) : NoProcesses(),
      environment: environmentName, allows: { _, address in hosts.refusal(of: address) },
      saveState: { values throws(StepFailure) in try state?.save(values) }, journal: recording.recorder,
      triggers: RunTriggers(
        ledger: recording.records.ledger, sender: recording.sender, clock: clock,
        mayGoLive: environment?.isLive == true && live.isAsked && !usesSandbox,
        confirm: { (order: TriggerOrder) async throws(StepFailure) in try await confirmation.confirm(order) }),
      reserves: { emergencies.refusal($0, $1) }, hide: { [terminal] in terminal.hide($0) }, observe: observe)
    let run = FlowRun(prepared, world: world, runID: runID, history: resumption?.history)
    cancellation.attach { run.cancel(exitCode: $0) }
    let report = await run.run()
    await recording.close(report) { terminal.print("warning: \($0)", asError: true) }
    await sandbox?.server.stop()
    return report
  }

  /// Everything that refuses the run is told at once: what it lacks, which hosts its environment does not allow, and what
  /// it may not do.
  private func prepare(
    _ given: RunGivens, _ values: EnvironmentValues?, _ checks: RunChecks, served: Set<String>
  ) throws(Findings) -> PreparedRun {
    var (prepared, diagnostics) = plan.prepare(given)
    if let values {
      for secret in plan.secrets where given.secrets[secret.value] == nil {
        guard let better = values.unset(secret, in: plan.file) else { continue }
        for index in diagnostics.indices
        where diagnostics[index].kind == .missingSecret && diagnostics[index].place == better.related.first?.place {
          diagnostics[index] = better
        }
      }
      let check = HostCheck(environment: values.environment)
      diagnostics += check.findings(in: plan) { served.contains($0.alias) }
      if let prepared { diagnostics += check.findings(in: prepared) { served.contains($0.alias) } }
    }
    if let prepared { diagnostics += checks.findings(in: prepared) }
    guard let prepared, !diagnostics.hasErrors else { throw Findings(diagnostics.sortedByPlace()) }
    // What is no error is said all the same.
    if !diagnostics.isEmpty { terminal.show(diagnostics.sortedByPlace()) }
    return prepared
  }
}

extension RunGivens {
  /// The settings that the environment has for the connections of flows.
  fileprivate mutating func adopt(_ environment: RunEnvironment, for flows: [Plan]) {
    for connection in flows.flatMap(\.connections) where !connection.isBorrowed {
      if let own = environment.connection(for: connection) { connections[connection.alias] = own.settings }
    }
  }

  /// The sandbox's own addresses replace those of the connections that it serves; other settings stay.
  /// - Returns: what it replaces, by alias.
  fileprivate mutating func redirect(_ flows: [Plan], to sandbox: LocalSandbox) -> [String: ValueMap] {
    var own = RunGivens()
    for flow in flows { sandbox.redirect(flow, &own) }
    isSandbox = true
    for (alias, settings) in own.connections {
      for (key, value) in settings { connections[alias, default: ValueMap()][key] = value }
    }
    return own.connections
  }
}

extension ValueMap {
  /// The texts among its members.
  fileprivate var addresses: [String] { compactMap { $0.value.stringValue } }
}
