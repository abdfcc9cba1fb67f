import FlowEngine
import FlowEvents
import FlowPlan
import FrontEnds
import SourceText
import StepKit
import Steps
import Synchronization
import Values

/// A flow that ran to its end in a scripted world, on a virtual clock.
struct Play: Sendable {
  let report: RunReport
  let events: [RunEvent]
  /// What reached the transport.
  let requests: [TransportRequest]
  /// What was written, by path.
  let files: [String: String]
  /// Each state that was committed.
  let states: [ValueMap]
  /// The texts that were to be hidden from some moment on.
  let hidden: [String]

  /// - Parameters:
  ///   - signals: asked at every event; a signal that it answers reaches the run there.
  init(
    _ yaml: String, _ script: [String: [Answer]] = [:], inputs: [String: Value] = [:], secrets: [String: String] = [:],
    answers: [String] = [], flows: [String: String] = [:], state: ValueMap? = nil, fullDisk: Bool = false,
    triggers: any TriggerPort = NoTriggers(),
    signals: @escaping @Sendable (RunEvent) -> Int? = { _ in nil }, signalBefore: Int? = nil
  ) async throws {
    var givens = RunGivens()
    givens.inputs = inputs.mapValues { .data($0) }
    givens.secrets = secrets
    givens.hasTerminal = true
    var prepared = try prepare(yaml, givens, flows: flows)
    if let state { prepared.state = .map(state) }
    let disk = ScriptedDisk(isFull: fullDisk)
    let clock = VirtualClock()
    let handle = Mutex<FlowRun?>(nil)
    let events = Mutex<[RunEvent]>([])
    let hidden = Mutex<[String]>([])
    let raise: @Sendable (Int) -> Void = { code in handle.withLock { $0 }?.cancel(exitCode: code) }
    let transport = ScriptedTransport(script, clock: clock, raise: raise)
    let world = RunWorld(
      transport: transport, clock: clock, random: FixedRandom(), prompt: ScriptedPrompt(answers, clock: clock), files: disk,
      activity: clock,
      saveState: { (state: ValueMap) throws(StepFailure) in try disk.save(state) }, triggers: triggers,
      hide: { texts in hidden.withLock { $0 += texts } },
      observe: { event in
        events.withLock { $0.append(event) }
        if let code = signals(event) { raise(code) }
      })
    let run = FlowRun(prepared, world: world, runID: "7f3k-92mq")
    handle.withLock { $0 = run }
    if let signalBefore { run.cancel(exitCode: signalBefore) }
    report = await run.run()
    handle.withLock { $0 = nil }
    self.events = events.withLock { $0 }
    requests = transport.asked
    files = disk.files
    self.hidden = hidden.withLock { $0 }
    states = disk.states
  }

  var routes: [String] { requests.map(\.route) }

  /// `register recovered`, in the order in which steps ended.
  var statuses: [String] { report.steps.map { "\($0.step.id) \($0.status.rawValue)" } }

  func step(_ id: String) -> StepReport? { report.steps.last { $0.step.id == id } }

  /// `failed http.404`, `passed`.
  var outcome: String { ([report.verdict.rawValue] + (report.code.map { [$0] } ?? [])).joined(separator: " ") }

  /// `create[ada] succeeded`, in the order in which steps ended.
  var titles: [String] { report.steps.map { "\($0.step.title) \($0.status.rawValue)" } }

  /// An output of the run as JSON; nil where there is none.
  func output(_ name: String) -> String? { report.outputs[name]?.json() }

  /// One line for each event.
  var story: [String] { events.map(\.line) }

  /// What retries waited, in the order in which they were scheduled.
  var delays: [Duration] {
    events.compactMap { if case .retryScheduled(_, _, _, let delay) = $0 { delay } else { nil } }
  }
}

/// A flow that the checker refuses, with its findings.
struct Refused: Error, CustomStringConvertible {
  let description: String
}

/// - Throws: `Refused`, for a flow that is none.
func prepare(_ yaml: String, _ givens: RunGivens, flows: [String: String] = [:]) throws -> PreparedRun {
  let (document, findings) = NativeFrontEnd.flow(from: SourceFile(path: "test.flow.yaml", bytes: Array(yaml.utf8)))
  guard let document else { throw Refused(description: "\(findings)") }
  let sources = PlanSources(
    file: { path, _ in
      flows[path].map { .success(SourceFile(path: path, bytes: Array($0.utf8))) } ?? .failure(PlanSources.Problem("there is no `\(path)`"))
    },
    flow: { file in
      let (document, findings) = NativeFrontEnd.flow(from: file)
      return (document, findings)
    })
  let (plan, more) = Planner.plan(document, catalogue: .standard, sources: sources)
  guard let plan else { throw Refused(description: "\(findings + more)") }
  let (prepared, last) = plan.prepare(givens)
  guard let prepared else { throw Refused(description: "\(last)") }
  return prepared
}

extension RunEvent {
  var line: String {
    switch self {
    case .runStarted: "run"
    case .stepStarted(let start): "\(indent(start.step))+ \(start.step.id)"
    case .request(let request):
      "> \(request.stepID) \(request.method) \(path(request.url)) \(request.status.map(String.init) ?? request.failure ?? "?")"
    case .retryScheduled(let step, let attempt, let error, let delay): "~ \(step.id) \(attempt) \(error.code) \(delay.text)"
    case .pollScheduled(let step, let attempt, let delay): "~ \(step.id) \(attempt) poll \(delay.text)"
    case .branchTaken(let step, let error, let then): "? \(step.id) \(error.code) \(then)"
    case .log(let step, let text): "# \(step.id) \(text)"
    case .stepEnded(let report): "\(indent(report.step))- \(report.step.id) \(report.status.rawValue)"
    case .runEnded(let report): "end \(report.verdict.rawValue)"
    }
  }

  private func indent(_ step: StepIdentity) -> String { String(repeating: "  ", count: step.depth) }
  private func path(_ url: String) -> String { (try? WebAddress(url))?.path ?? url }
}

/// A connection for plain requests, to put before a test's steps.
let api = "connections: { api: { system: http, base_url: https://api.test } }\n"

/// A connection of RapidSOS on loopback, whose tokens come from `POST /oauth/token`.
let rapidsos = """
  secrets: [client_id, client_secret]
  connections:
    rapidsos:
      client_id: ${{ secrets.client_id }}
      client_secret: ${{ secrets.client_secret }}
      base_url: http://127.0.0.1:1

  """

let rapidsosSecrets = ["client_id": "cid", "client_secret": "s3cr3t-client"]

extension Answer {
  /// A client token of an hour, made when the virtual clock starts.
  static func token(_ text: String = "t1") -> Answer {
    .json(200, #"{"access_token": "\#(text)", "token_type": "BearerToken", "issued_at": "1732150800000", "expires_in": "3599"}"#)
  }
}
