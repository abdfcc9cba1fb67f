import Diagnostics
import FlowEngine
import FlowEvents
import FlowPlan
import Journal
import Reporters
import SourceText
import StepKit
import Values

/// One run on record: opened before its first step, closed with its report.
struct RunRecording: Sendable {
  let records: RunRecords
  let opening: RunOpening
  let recorder: RunRecorder

  /// - Throws: what refuses the run, since nothing could be recorded of it.
  static func open(
    _ run: PreparedRun, id: String, environment: String, isSandbox: Bool, isTest: Bool, terminal: Terminal, resuming resumption: Resumption?
  ) async throws(Findings) -> RunRecording {
    do throws(JournalError) {
      let needsLedger = run.plan.allSteps.contains { $0.isEmergency }
      let records: RunRecords
      if let resumption {
        records = resumption.records
      } else {
        records = isTest ? .ofTest() : try await .ofUser(runID: id, needsLedger: needsLedger && !isSandbox)
      }
      let opening = RunOpening(
        id: id, flow: FileAccess.resolved(run.plan.file.path), flowDigest: run.plan.digest, environment: environment,
        startedAt: LedgerClock.system.now(), operator: OperatorName.current(terminal.environment), isSandbox: isSandbox,
        inputs: run.inputs.redacted.redacted(by: terminal.redactor, isForeign: true).json())
      let recorder = RunRecorder(
        journal: records.journal, runID: id, seal: records.seal, redactor: { [terminal] in terminal.redactor })
      let recording = RunRecording(records: records, opening: opening, recorder: recorder)
      if resumption == nil { try await recording.begin(run) } else { try await recording.goOn() }
      return recording
    } catch {
      throw Findings([
        Diagnostic(.invalidValue, "the run cannot be recorded: \(error.message)", at: nil, help: error.mend.isEmpty ? [] : [error.mend])
      ])
    }
  }

  private func begin(_ run: PreparedRun) async throws(JournalError) {
    try await records.journal.begin(opening, .soon)
    let given = RunNote(
      .checkpoint, path: "", at: opening.startedAt, kept: ValueMap(members: ["inputs": run.inputs, "state": run.state]))
    // Whatever becomes of the process, the run is known from here on.
    try await recorder.store([given], .written)
  }

  private func goOn() async throws(JournalError) {
    let note = RunNote(.resumed, path: "", at: opening.startedAt, details: ValueMap(members: ["by": .string(opening.operator)]))
    try await recorder.store([note], .synced)
  }

  /// - Parameter warn: told of what could not be written; what the run came to stays true.
  func close(_ report: RunReport, warn: (String) -> Void) async {
    do throws(JournalError) {
      try await recorder.finish(report)
      try await records.close()
    } catch {
      warn("the end of the run could not be recorded: \(error)")
    }
  }

  var sender: RunTriggers.Sender {
    RunTriggers.Sender(
      environment: opening.environment, flow: opening.flow, flowDigest: opening.flowDigest, operator: opening.operator, runID: opening.id)
  }
}

/// A run that another process began.
struct Resumption: Sendable {
  let runID: String
  let records: RunRecords
  let history: RunHistory
  /// What the run was given: `inputs` and `state`.
  let context: ValueMap
  /// The paths of steps of which nobody knows what became.
  var openSteps: [String] = []
}

extension Plan {
  /// Of the flow's own text and, behind a point, of all the flows that it calls: a run goes on only with the same.
  var digest: String {
    let own = ContentDigest.of(file.bytes)
    let called = calledPlans.map { ContentDigest.of($0.file.bytes) }
    return called.isEmpty ? own : own + "." + ContentDigest.of(Array(called.joined().utf8))
  }
}

extension StepPlan {
  var isEmergency: Bool {
    if case .handler(let handler) = action { handler.step.about.isEmergency } else { false }
  }
}
