import FlowEngine
import FlowEvents
import FlowPlan
import Journal
import Reporters
import SourceText
import StepKit
import Values

/// The records of a case: each run is one in its journal, and the latest can be gone on with.
extension ScenarioSandbox {
  /// Opens the record of a run.
  func recording(of run: PreparedRun, resuming past: Resumption?) async throws -> RunRecording {
    let id = past?.runID ?? SystemRandom().runID()
    let opening = RunOpening(
      id: id, flow: run.plan.file.path, flowDigest: run.plan.digest, environment: "sandbox", startedAt: clock.now(), operator: "test",
      isSandbox: false, inputs: "{}")
    let recorder = RunRecorder(journal: records.journal, runID: id, seal: nil, redactor: { Redactor() })
    if past == nil {
      try await records.journal.begin(opening, .soon)
    } else {
      try await recorder.store([RunNote(.resumed, path: "", at: clock.now())], .soon)
    }
    return RunRecording(records: records, opening: opening, recorder: recorder)
  }

  /// What the latest run did.
  func resumption() async throws -> Resumption? {
    guard let latest = try await records.journal.runs(RunFilter(limit: 1)).first,
      let record = try await records.journal.run(latest.opening.id)
    else { return nil }
    let known = Records(journal: records.journal, ledger: records.ledger, now: clock.now())
    let notes = try RecordedNotes(record, seal: nil)
    var past = Resumption(
      runID: latest.opening.id, records: records, history: RunHistory(notes.notes + [RunNote(.resumed, path: "", at: clock.now())]),
      context: notes.context)
    past.openSteps = try await known.reading(latest.opening.id, isHeld: true)?.openDoubts.compactMap(\.path) ?? []
    return past
  }
}

extension Resumption {
  /// The steps of which nobody knows what became: until they are settled, nothing is gone on with.
  func doubts(_ run: PreparedRun) -> [StepReport] {
    openSteps.map { path in
      let step = run.plan.allSteps.first { path.split(separator: "/").last.map(String.init)?.hasPrefix($0.id) ?? false }
      let place = step?.place ?? Place(run.plan.file, Span(0, 0))
      let identity = StepIdentity(id: step?.id ?? path, depth: step?.depth ?? 0, place: place)
      let error = ErrorReport(
        code: "indeterminate", title: "nobody knows whether this happened", detail: "the process that sent it was killed",
        stepID: identity.id,
        place: place, attempt: 1, sent: Sent.maybe.rawValue, isRejected: false)
      return StepReport(
        step: identity, action: step?.action.label ?? "", isGroup: false, status: .indeterminate, attempts: 1, requests: 0, duration: .zero,
        error: error)
    }
  }
}
