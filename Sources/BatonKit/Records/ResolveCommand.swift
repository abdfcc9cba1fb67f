import Diagnostics
import Journal
import Reporters
import Values

/// `baton resolve RUN`: says what became of something of which nobody knew it.
public struct ResolveCommand: Sendable {
  /// What is said.
  public enum Saying: Sendable {
    /// It happened; `outputs` is a YAML or JSON file of what it gave.
    case delivered(outputs: String?)
    /// It did not happen.
    case notDelivered
    /// Nobody knows, and it may be sent again nevertheless.
    case authoriseRetry

    var settling: Settling {
      switch self {
      case .delivered: .delivered
      case .notDelivered: .notDelivered
      case .authoriseRetry: .retry
      }
    }
  }

  /// A run's id, or a beginning of it that no other has.
  public var run: String
  public var saying: Saying
  /// Why; not blank.
  public var reason: String
  /// Which step, or which key, where more than one is open.
  public var step: String?
  public var printsJSON: Bool

  public init(run: String, _ saying: Saying, reason: String, step: String? = nil, printsJSON: Bool = false) {
    self.run = run
    self.saying = saying
    self.reason = reason
    self.step = step
    self.printsJSON = printsJSON
  }

  /// 0, or 2 where there is nothing to settle, it is settled otherwise, or it is not clear what is meant.
  public func execute(_ terminal: Terminal) async -> Int {
    await Answer.give(on: terminal, isRedacted: printsJSON) { records async throws(RecordsRefusal) in
      try await answer(records, by: OperatorName.current(terminal.environment))
    }
  }

  func answer(_ records: Records, by name: String) async throws(RecordsRefusal) -> Answer {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw RecordsRefusal(.invalidValue, "a reason is needed", help: "say how you know in a few words: `--reason TEXT`")
    }
    let outputs = try readOutputs()
    let id = try await records.runID(named: run)
    // Held to the end, so that nobody goes on with the run while it is settled.
    let hold = try await hold(id, records)
    defer { withExtendedLifetime(hold) {} }
    guard let reading = try await records.reading(id, isHeld: true) else { throw RecordsRefusal(.unknownName, "there is no run `\(run)`") }
    let chosen = try MeantDoubts(command: self, reading: reading).doubts
    let settlement = Settlement(
      settling: saying.settling, by: name, reason: reason.oneLine, outputs: outputs, records: records, reading: reading)
    var settled: [(doubt: Doubt, recorded: RecordedSettlement, isNew: Bool)] = []
    for doubt in chosen {
      let (recorded, isNew) = try await settlement.store(doubt)
      settled.append((doubt, recorded, isNew))
    }
    let left = try await records.reading(id, isHeld: true)?.openDoubts.count ?? 0
    let report = SettlementReport(
      runID: id, isJournaled: reading.opening != nil, left: left,
      settled: settled.map { .init(subject: reading.recorded($0.doubt), settlement: $0.recorded, isNew: $0.isNew) })
    return Answer(output: printsJSON ? RecordsJSON.text(RecordsJSON.value(of: report)) : report.text)
  }

  private func hold(_ id: String, _ records: Records) async throws(RecordsRefusal) -> RunHold {
    do throws(JournalError) {
      if let hold = try await records.journal.hold(id) { return hold }
    } catch {
      throw RecordsRefusal(error)
    }
    throw RecordsRefusal(
      .invalidValue, "run `\(id)` is still running, and may yet find out itself", help: "wait until it has ended: `baton show \(id)`")
  }

  private func readOutputs() throws(RecordsRefusal) -> Value? {
    guard case .delivered(let path?) = saying else { return nil }
    do throws(Findings) {
      return .map(try YAMLValues.map(of: path))
    } catch {
      throw RecordsRefusal(error)
    }
  }
}

/// Which doubts of a run a command means.
private struct MeantDoubts {
  let command: ResolveCommand
  let reading: RunReading

  /// The open one; else those that are settled the same way already.
  ///
  /// - Throws: why it is not clear, or cannot be.
  var doubts: [Doubt] {
    get throws(RecordsRefusal) {
      let all = reading.doubts
      let meant = command.step.map { named($0, all) } ?? all
      if let step = command.step, meant.isEmpty { throw nothing(at: step, all) }
      for doubt in meant where doubt.state == .underWay {
        throw RecordsRefusal(
          .invalidValue, "another process is sending `\(doubt.key ?? doubt.name)`", help: "wait until it has ended, and look again")
      }
      let open = meant.filter { $0.state == .open }
      if open.count > 1 {
        throw RecordsRefusal(
          .invalidValue, "\(open.count) things are open in run `\(reading.id)`",
          help: "say which with `--step`: \(open.map { "`\($0.name)`" }.joined(separator: ", "))")
      }
      // An authorised retry that was not used yet can still turn out otherwise.
      let settled = open.isEmpty ? meant.filter(\.isSettled) : []
      if open.isEmpty, settled.isEmpty {
        let ended = meant.filter { $0.state == .ended }
        if !ended.isEmpty { return ended }
        let unsent = meant.filter { $0.state == .unsent }
        if unsent.isEmpty { throw nothing }
        return try chosen(unsent: unsent)
      }
      for doubt in settled { try checkSameWay(doubt, of: settled.count) }
      return open + settled
    }
  }

  /// A step by its path; else what stands under a key.
  private func named(_ step: String, _ all: [Doubt]) -> [Doubt] {
    let found = all.filter { $0.path == step }
    return found.isEmpty ? all.filter { $0.key == step } : found
  }

  private func chosen(unsent: [Doubt]) throws(RecordsRefusal) -> [Doubt] {
    guard command.saying.settling != .delivered else {
      throw RecordsRefusal(
        .invalidValue, "`\(unsent[0].key ?? unsent[0].name)` was never sent, so that it cannot have been delivered",
        help: "`--not-delivered` lets it be sent anew")
    }
    return unsent
  }

  private func checkSameWay(_ doubt: Doubt, of count: Int) throws(RecordsRefusal) {
    guard case .settled(let settling, let by, _) = doubt.state, settling != command.saying.settling else { return }
    if settling == .retry, count == 1 || command.step != nil { return }
    let who = by.isEmpty ? "" : " by \(by)"
    throw RecordsRefusal(
      .invalidValue, "`\(doubt.name)` is settled already\(who): \(settling.title)",
      help: "what was said is never changed; `baton show \(reading.id)` tells the reason")
  }

  private var nothing: RecordsRefusal {
    let what =
      switch reading.standing {
      case .running: "is still running"
      case .interrupted: "was interrupted, and nothing in it is in doubt: go on with `baton resume \(reading.id)`"
      case .passed: "passed"
      case .failed: "failed"
      case .errored: "is errored"
      case .cancelled: "was cancelled"
      case .indeterminate: "is indeterminate, and nothing in it is open"
      }
    return RecordsRefusal(.invalidValue, "there is nothing to settle: run `\(reading.id)` \(what)")
  }

  private func nothing(at step: String, _ all: [Doubt]) -> RecordsRefusal {
    let names = all.filter { $0.state == .open }.map { "`\($0.name)`" }.joined(separator: ", ")
    let help = names.isEmpty ? "nothing in the run is open" : "open: \(names)"
    return RecordsRefusal(.unknownName, "nothing is in doubt at `\(step)` in run `\(reading.id)`", help: help)
  }
}

extension Doubt {
  fileprivate var isSettled: Bool { if case .settled = state { true } else { false } }
}

extension Settling {
  /// As it follows a colon.
  var title: String {
    switch self {
    case .delivered: "it was delivered"
    case .notDelivered: "it was not delivered"
    case .retry: "a retry is authorised"
    }
  }
}

extension String {
  /// Without blanks at its ends.
  fileprivate var oneLine: String {
    let rest = drop(while: \.isWhitespace)
    return String(rest.reversed().drop(while: \.isWhitespace).reversed())
  }
}
