import Diagnostics
import FlowEngine
import FlowEvents
import FlowPlan
import Journal
import Reporters
import Values

/// `baton resume RUN`: goes on with a run whose process died, or that did not pass, from the last step that has ended.
public struct ResumeCommand: Sendable {
  /// A run's id, or a beginning of it that no other has.
  public var run: String
  /// Secrets and answers; inputs and the environment are those of the run.
  public var givens: Givens
  public var live: LiveOptions
  public var reporting: Reporting

  public init(run: String, givens: Givens = Givens(), live: LiveOptions = LiveOptions(), reporting: Reporting = Reporting()) {
    self.run = run
    self.givens = givens
    self.live = live
    self.reporting = reporting
  }

  /// The exit code of the run; 4 where something must be settled first, 2 where it cannot be gone on with.
  public func execute(_ terminal: Terminal, cancellation: Cancellation) async -> Int {
    do {
      let files = try reporting.openFiles()
      let records = try await Self.records()
      let id = try await records.runID(named: run)
      guard let reading = try await records.reading(id), let opening = reading.opening else {
        throw RecordsRefusal(.unknownName, "there is no run `\(run)`")
      }
      if let over = try self.over(reading, opening, terminal) { return over }
      let flow = FlowFile.load(opening.flow)
      terminal.hide(flow.openSecrets)
      guard let plan = flow.plan else { throw Findings(flow.diagnostics) }
      guard plan.digest == opening.flowDigest else {
        throw RecordsRefusal(
          .invalidValue, "`\(opening.flow)`, or a flow that it calls, is not what it was when the run `\(id)` began",
          help: "put it back as it was, or run it anew")
      }
      var execution = FlowExecution(
        plan: plan, givens: givens, terminal: terminal, usesSandbox: false, mayAsk: true, live: live)
      execution.givens.environment = opening.environment.isEmpty ? nil : opening.environment
      execution.resumption = try await resumption(of: plan, opening, terminal)
      return try await execution.run(cancellation, reporting, files)
    } catch let findings as Findings {
      terminal.show(findings.diagnostics)
    } catch let refusal as RecordsRefusal {
      terminal.show(refusal.diagnostics)
    } catch {
      terminal.show([Diagnostic(.invalidValue, "\(error)", at: nil)])
    }
    return 2
  }

  private static func records() async throws(RecordsRefusal) -> Records {
    do throws(JournalError) { return try await .standard() } catch { throw RecordsRefusal(error) }
  }

  /// The exit code where there is nothing to go on with, or not yet.
  private func over(_ reading: RunReading, _ opening: RunOpening, _ terminal: Terminal) throws(RecordsRefusal) -> Int? {
    let id = reading.id
    switch reading.standing {
    case .running: throw RecordsRefusal(.invalidValue, "the run `\(id)` is still going on", help: "wait for it, or end its process")
    case .passed:
      terminal.write("the run `\(id)` has passed; nothing was sent\n", to: .output)
      return 0
    case .failed, .errored, .cancelled, .indeterminate, .interrupted: break
    }
    guard !opening.isSandbox else {
      throw RecordsRefusal(
        .invalidValue, "the sandbox of the run `\(id)` ended with it", help: "run the flow anew, or against a `baton sandbox` that stays")
    }
    // Whoever died while undoing goes on with that.
    guard !reading.isUndone || reading.standing == .interrupted else {
      throw RecordsRefusal(.invalidValue, "what the run `\(id)` had done was undone when it ended", help: "run the flow anew")
    }
    let doubts = reading.blockingDoubts
    guard !doubts.isEmpty else { return nil }
    guard doubts.contains(where: { $0.state == .open }) else {
      throw RecordsRefusal(
        .invalidValue, "step `\(doubts[0].name)` may have taken effect, so that it is not sent again",
        help: "say what became of it: `baton resolve \(id) --delivered`, `--not-delivered` or `--authorise-retry`, with `--reason TEXT`")
    }
    terminal.write(reading.story.text(style: terminal.style(.error), now: LedgerClock.system.now()), to: .error)
    if reporting.printsJSON { terminal.writeRedacted(RecordsJSON.text(RecordsJSON.value(of: reading.story)), to: .output) }
    return 4
  }

  /// What was delivered gives what whoever settled it says: steps that read it need it.
  private static func requireOutputs(_ history: RunHistory, _ plan: Plan, _ runID: String) throws(RecordsRefusal) {
    for (path, given) in history.delivered {
      let id = path.split(separator: "/").last.map { String($0.prefix { $0 != "[" }) } ?? path
      guard let step = plan.allSteps.first(where: { $0.id == id }) else { continue }
      let missing = step.outputs.map(\.name).filter { given[$0] == nil }
      guard !missing.isEmpty else { continue }
      let names = missing.map { "`\($0)`" }.joined(separator: ", ")
      throw RecordsRefusal(
        .invalidValue, "step `\(path)` was delivered, and nobody has said what it gave: \(names)",
        help:
          "say it: `baton resolve \(runID) --delivered --outputs FILE --reason TEXT`, with a YAML or JSON file such as `\(missing[0]): …`")
    }
  }

  private func resumption(of plan: Plan, _ opening: RunOpening, _ terminal: Terminal) async throws -> Resumption {
    let needsLedger = plan.allSteps.contains { $0.isEmergency }
    let records: RunRecords
    let notes: RecordedNotes
    do throws(JournalError) {
      records = try await .ofUser(runID: opening.id, needsLedger: needsLedger)
      guard let record = try await records.journal.run(opening.id) else {
        throw JournalError(.notFound, "there is no run `\(opening.id)`")
      }
      notes = try RecordedNotes(record, seal: records.seal)
    } catch {
      throw RecordsRefusal(error)
    }
    terminal.hide(notes.secretTexts)
    let history = RunHistory(notes.notes + [RunNote(.resumed, path: "", at: LedgerClock.system.now())])
    try Self.requireOutputs(history, plan, opening.id)
    return Resumption(runID: opening.id, records: records, history: history, context: notes.context)
  }
}
