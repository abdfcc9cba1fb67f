import FlowEngine
import FlowEvents
import Journal
import StepKit
import Values

/// A recorded run as the engine goes on with it.
struct RecordedNotes {
  let notes: [RunNote]
  /// What the run was given: `inputs` and `state`.
  let context: ValueMap

  /// What is secret in it, and must be hidden by whoever goes on with the run.
  var secretTexts: [String] {
    Value.map(context).secretTexts + notes.flatMap { Value.map($0.kept).secretTexts }
  }

  /// - Parameter seal: opens what holds secrets; nil for a journal that ends with the process.
  /// - Throws: `sealed` where the key is another one, `corrupt` for what cannot be read.
  init(_ record: RunRecord, seal: JournalSeal?) throws(JournalError) {
    var notes: [RunNote] = []
    var context = ValueMap()
    for entry in record.entries {
      let note = try RunNote(entry, ofRun: record.opening.id, seal)
      if note.kind == .checkpoint, note.path.isEmpty { context = note.kept } else { notes.append(note) }
    }
    self.notes = notes
    self.context = context
  }
}

extension RunNote {
  fileprivate init(_ entry: JournalEntry, ofRun runID: String, _ seal: JournalSeal?) throws(JournalError) {
    let details = entry.details.flatMap { try? JSON.parse($0, options: .tolerant) } ?? .null
    var shown = details["shown"]?.mapValue ?? ValueMap()
    var kept = ValueMap()
    if let text = details["kept"]?.stringValue { kept = try KeptText.value(of: text, seal, runID: runID, path: entry.path) }
    let outputs = kept["outputs"]?.mapValue
    switch entry.kind {
    case .settled: shown["settled"] = entry.status.map(Value.string) ?? .null
    case .finished: shown["verdict"] = entry.status.map(Value.string) ?? .null
    case .started, .checkpoint, .ended, .resumed: break
    }
    self.init(
      entry.kind, path: entry.path, at: entry.at, status: entry.status.flatMap(StepStatus.init), code: entry.code,
      outputs: outputs, details: shown, kept: kept)
  }
}
