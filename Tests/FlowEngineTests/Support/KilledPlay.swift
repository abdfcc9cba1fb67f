import FlowEngine
import FlowEvents
import FlowPlan
import StepKit
import Synchronization
import Values

/// A flow in a scripted world that lasts over the processes that run it: each can be killed, and the next goes on.
final class KilledPlay: Sendable {
  /// Keeps notes, and kills the run once it has so many.
  private final class Notes: JournalPort {
    struct State {
      var notes: [RunNote] = []
      var limit: Int?
      var kill: (@Sendable () -> Void)?
    }

    let state = Mutex(State())

    func write(_ notes: [RunNote], _ durability: Durability) async throws(StepFailure) {
      let kill = state.withLock { state -> (@Sendable () -> Void)? in
        for note in notes {
          if let limit = state.limit, state.notes.count >= limit { break }
          state.notes.append(note)
        }
        return state.limit.map { state.notes.count >= $0 } == true ? state.kill : nil
      }
      kill?()
    }
  }

  private let prepared: PreparedRun
  private let transport: ScriptedTransport
  private let disk = ScriptedDisk(isFull: false)
  private let notes = Notes()
  private let clock = VirtualClock()

  init(
    _ yaml: String, _ script: [String: [Answer]], inputs: [String: Value] = [:], secrets: [String: String] = [:],
    flows: [String: String] = [:]
  ) throws {
    var givens = RunGivens()
    givens.inputs = inputs.mapValues { .data($0) }
    givens.secrets = secrets
    prepared = try prepare(yaml, givens, flows: flows)
    transport = ScriptedTransport(script, clock: clock, raise: { _ in })
  }

  /// The routes that were asked, in order.
  var routes: [String] { transport.asked.map(\.route) }
  /// Each route with its body.
  var requests: [String] { transport.asked.map { "\($0.route) \(String(decoding: $0.body ?? [], as: UTF8.self))" } }
  var states: [ValueMap] { disk.states }
  var written: [RunNote] { notes.state.withLock(\.notes) }
  var history: RunHistory { RunHistory(written + [RunNote(.resumed, path: "", at: clock.now())]) }

  /// Says of a step what became of it.
  func settle(_ path: String, delivered: Bool, outputs: ValueMap? = nil) {
    let note = RunNote(
      .settled, path: path, at: clock.now(), outputs: outputs,
      details: ValueMap(members: ["settled": delivered ? "delivered" : "not_delivered"]))
    notes.state.withLock { $0.notes.append(note) }
  }

  /// Runs the flow, or goes on with it.
  /// - Parameter limit: how many notes are written before the process is killed; nil lets it live.
  /// - Returns: nil where it was killed.
  func run(killedAfter limit: Int? = nil, isResumed: Bool = false, triggers: any TriggerPort = NoTriggers()) async -> RunReport? {
    let state = disk.states.last
    var prepared = prepared
    if let state, !isResumed { prepared.state = .map(state) }
    let history = isResumed ? history : nil
    if isResumed { notes.state.withLock { $0.notes.append(RunNote(.resumed, path: "", at: clock.now())) } }
    let handle = Mutex<FlowRun?>(nil)
    notes.state.withLock {
      $0.limit = limit
      $0.kill = { handle.withLock { $0 }?.kill() }
    }
    let disk = disk
    let random = isResumed ? OtherRandom() as any RandomPort : FixedRandom()
    let run = FlowRun(
      prepared,
      world: RunWorld(
        transport: transport, clock: clock, random: random, prompt: ScriptedPrompt([], clock: clock), files: disk, activity: clock,
        saveState: { (state: ValueMap) throws(StepFailure) in try disk.save(state) }, journal: notes,
        triggers: triggers), runID: "7f3k-92mq", history: history)
    handle.withLock { $0 = run }
    let report = await run.runUnlessKilled()
    handle.withLock { $0 = nil }
    if let report {
      let end = RunNote(.finished, path: "", at: clock.now(), details: ValueMap(members: ["verdict": .string(report.verdict.rawValue)]))
      notes.state.withLock { $0.notes.append(end) }
    }
    return report
  }

  private struct OtherRandom: RandomPort {
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: 9, count: count) }
  }
}
