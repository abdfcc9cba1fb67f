import FlowEngine
import FlowEvents
import Journal
import Reporters
import StepKit
import Values

/// Writes down what happens in one run: what is told has its secrets hidden, what going on needs is sealed where it holds one.
struct RunRecorder: JournalPort {
  let journal: any RunJournal
  let runID: String
  /// Nil for a journal that ends with the process.
  let seal: JournalSeal?
  /// Hides what no record may show.
  let redactor: @Sendable () -> Redactor

  func write(_ notes: [RunNote], _ durability: Durability) async throws(StepFailure) {
    do throws(JournalError) {
      try await store(notes, durability)
    } catch {
      throw StepFailure("config.journal", title: "what happens cannot be written down", detail: error.description)
    }
  }

  func store(_ notes: [RunNote], _ durability: Durability) async throws(JournalError) {
    let redactor = redactor()
    var entries: [JournalEntry] = []
    for note in notes { entries.append(try entry(of: note, redactor)) }
    try await journal.append(entries, to: runID, durability)
  }

  /// Tells how the run ended.
  func finish(_ report: RunReport) async throws(JournalError) {
    let redactor = redactor()
    let shown = JSONReport.value(of: report).redacted(by: redactor)
    let entry = JournalEntry(
      .finished, at: LedgerClock.system.now(), status: report.verdict.rawValue, code: report.code,
      details: Value.map(ValueMap(members: ["shown": shown])).json())
    try await journal.append([entry], to: runID, .written)
  }

  private func entry(of note: RunNote, _ redactor: Redactor) throws(JournalError) -> JournalEntry {
    var kept = note.kept
    var outputs: String?
    if let values = note.outputs, !values.isEmpty {
      outputs = Value.map(values).redacted.redacted(by: redactor, isForeign: true).json()
      kept["outputs"] = .map(values)
    }
    var details = ValueMap()
    if !note.details.isEmpty { details["shown"] = Value.map(note.details).redacted.redacted(by: redactor) }
    if !kept.isEmpty { details["kept"] = .string(try keeping(.map(kept), at: note.path, redactor)) }
    return JournalEntry(
      note.kind, path: note.path, at: note.at, status: note.status?.rawValue, code: note.code, outputs: outputs,
      details: details.isEmpty ? nil : Value.map(details).json())
  }

  /// Sealed where it holds a secret, or a text that is one elsewhere.
  private func keeping(_ value: Value, at path: String, _ redactor: Redactor) throws(JournalError) -> String {
    guard let seal else { return KeptText.open(value.storedText) }
    let value = value.hidingTexts(of: redactor)
    let text = value.storedText
    guard value.containsSecret || redactor.redacted(text) != text else { return KeptText.open(text) }
    return KeptText.sealed(try seal.seal(text, for: KeptText.context(runID, path)))
  }
}

extension Value {
  /// With each text marked secret in which somebody else's secret stands, such as a token that a server said back: whoever
  /// goes on does not know that token any more.
  fileprivate func hidingTexts(of redactor: Redactor) -> Value {
    switch self {
    case .string(let text): redactor.redacted(text) == text ? self : hidden()
    case .list(let items): .list(items.map { $0.hidingTexts(of: redactor) })
    case .map(let map):
      map.contains { redactor.redacted($0.key.text) != $0.key.text } ? hidden() : .map(map.mapValues { $0.hidingTexts(of: redactor) })
    case .null, .bool, .int, .uint, .double, .decimal, .bytes, .timestamp, .duration, .type, .optional, .secret: self
    }
  }
}

/// How what going on needs is marked in the journal.
enum KeptText {
  private static let openMark = "open:"
  private static let sealedMark = "sealed:"

  static func open(_ text: String) -> String { openMark + text }
  static func sealed(_ text: String) -> String { sealedMark + text }
  static func context(_ runID: String, _ path: String) -> String { "\(runID)/\(path)" }

  /// - Throws: `sealed`, and `corrupt` for what is neither.
  static func value(of text: String, _ seal: JournalSeal?, runID: String, path: String) throws(JournalError) -> ValueMap {
    var stored = ""
    if text.hasPrefix(openMark) {
      stored = String(text.dropFirst(openMark.count))
    } else if text.hasPrefix(sealedMark), let seal {
      stored = try seal.open(String(text.dropFirst(sealedMark.count)), for: context(runID, path))
    }
    guard let value = try? Value(storedText: stored), let map = value.mapValue else {
      throw JournalError(.corrupt, "what the run `\(runID)` has kept of `\(path)` cannot be read")
    }
    return map
  }
}
