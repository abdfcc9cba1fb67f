import Diagnostics
import FlowEvents
package import Values

extension RecordedStory {
  /// The run told to people step by step, as it was told while it went on, and what to do next; every line ends with a
  /// line break.
  ///
  /// - Parameter now: what ages are counted to.
  package func text(style: ConsoleStyle, now: Timestamp) -> String {
    RunStoryText(story: self, style: style, now: now).text
  }
}

private struct RunStoryText {
  let story: RecordedStory
  let style: ConsoleStyle
  let now: Timestamp

  private var run: RecordedRun { story.run }
  private var lines: StepLines { StepLines(style: style) }

  private static let detailLimit = 400

  var text: String {
    let blocks = [head, steps, story.isJournaled ? [end] : [], triggers, next].filter { !$0.isEmpty }
    return blocks.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  // MARK: head

  private var head: [String] {
    var title = ["run \(shownText(run.id))", shownText(run.flow)]
    if !run.environment.isEmpty { title.append("in \(shownText(run.environment))") }
    guard story.isJournaled else {
      return [title.joined(separator: "  "), "this journal has no such run; what follows is from the ledger of triggers"]
    }
    return [
      title.joined(separator: "  "),
      "started \(run.startedAt.displayText) UTC, \(run.startedAt.age(at: now)) ago, by \(shownText(run.operator))",
    ]
  }

  // MARK: steps

  private var steps: [String] { story.events.flatMap(told) + open }

  private func told(_ event: RecordedStory.Event) -> [String] {
    switch event {
    case .groupStarted(let start): return [lines.started(start)]
    case .branchTaken(let step, let error, let then): return [lines.branch(of: step, error: error, then: then)]
    case .stepEnded(let report) where report.action.isEmpty: return [bare(report)] + details(of: report)
    case .stepEnded(let report): return [lines.ended(report)] + details(of: report)
    case .stepEndedSomehow(let step, let action, let status):
      let columns = [shownText(step.title), style.painted(shownText(action), .dim), "ended: \(shownText(status))"].filter { !$0.isEmpty }
      return ["\(indentation(step.depth))\(style.mark(.unknown)) \(columns.joined(separator: "  "))"]
    case .resumed(let moment, let by):
      return ["\(style.mark(.branch)) resumed \(moment.displayText) UTC" + (by.map { " by \(shownText($0))" } ?? "")]
    case .settled(let settlement): return [told(settlement)]
    }
  }

  /// A step of which only the end is known, such as one that was skipped.
  private func bare(_ report: StepReport) -> String {
    let mark: ConsoleStyle.Mark = report.status == .skipped || report.status == .notRun ? .skipped : .unknown
    return "\(indentation(report.step.depth))\(style.mark(mark)) \(shownText(report.step.title))  \(report.status.rawValue)"
  }

  /// What went wrong, below the line of the step in which it did.
  private func details(of report: StepReport) -> [String] {
    guard !report.isGroup, let error = report.error, report.status == .failed || report.status == .indeterminate else { return [] }
    let cause = error.code == Verdict.indeterminate.rawValue ? error.causes.first ?? error : error
    var details: [String] = []
    let what = cause.detail.isEmpty ? cause.title : cause.detail
    if !what.isEmpty { details.append(shownText(what.cut(at: Self.detailLimit))) }
    let sent = cause.sent.isEmpty ? "" : "request sent: \(shownText(cause.sent))"
    if let request = report.lastRequest {
      details.append(shownText("\(request.method) \(request.url)") + (sent.isEmpty ? "" : " (\(sent))"))
    } else if !sent.isEmpty {
      details.append(sent)
    }
    return details.map { "\(indentation(report.step.depth))    \($0)" }
  }

  /// Those that began and never ended; of a running one they may end yet.
  private var open: [String] {
    let all = story.steps.filter { $0.startedAt != nil && $0.status == nil }
    // A group is open because a step in it is.
    let steps = all.filter { !$0.isGroup }
    return (steps.isEmpty ? all : steps).map { step in
      let since = step.startedAt.map { " \($0.displayText.suffix(8))" } ?? ""
      let isDoubtful = run.doubts.contains { $0.path == step.path }
      let state: String
      if run.standing == .running {
        state = "running since\(since)"
      } else {
        state = "began\(since) and never ended" + (isDoubtful ? ": it may have happened" : "")
      }
      let columns = [shownText(step.step.title), style.painted(shownText(step.action), .dim), state]
      return indentation(step.step.depth) + style.mark(isDoubtful ? .unknown : .running) + " " + columns.joined(separator: "  ")
    }
  }

  private func told(_ settlement: RecordedSettlement) -> String {
    let subject = settlement.path.isEmpty ? "the run" : "step `\(shownText(settlement.path))`"
    let what: String
    switch settlement.how {
    case "delivered": what = "\(subject) was delivered"
    case "not_delivered": what = "\(subject) was not delivered"
    case "retry": what = "a retry of \(subject) is authorised"
    default: what = "\(subject) is settled: \(shownText(settlement.how))"
    }
    return "\(style.mark(.log)) \(what): \(shownText(settlement.reason)) (\(shownText(settlement.by)), \(settlement.at.displayText))"
  }

  private func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  // MARK: end

  /// `failed  flows/orders.flow.yaml  http.500  2 steps, 1.2 s`
  private var end: String {
    var columns = [style.painted(run.standing, as: run.standing.rawValue)]
    if let code = run.code, code != run.standing.rawValue { columns.append(shownText(code)) }
    switch run.standing {
    case .running: columns.append("a process is at it")
    case .interrupted: columns.append("its process ended before the run did")
    case .passed, .failed, .errored, .cancelled, .indeterminate: break
    }
    let count = story.steps.count { !$0.isGroup && $0.startedAt != nil }
    let duration = run.endedAt.flatMap { run.startedAt.duration(until: $0)?.text }
    columns.append([counted(count, "step"), duration].compactMap(\.self).joined(separator: ", "))
    return columns.joined(separator: "  ")
  }

  // MARK: triggers

  private var triggers: [String] {
    story.triggers.flatMap { trigger -> [String] in
      let attempt = trigger.attempt > 1 ? ", attempt \(trigger.attempt)" : ""
      let head = "trigger `\(shownText(trigger.key))`  \(TriggerTexts.scope(trigger))\(attempt)"
      let width = trigger.transitions.map(\.state.count).max() ?? 0
      let life = trigger.transitions.map { transition -> String in
        let state = shownText(transition.state)
        let who = transition.by.map { "by \(shownText($0))" }
        let why = [who, transition.reason.map(shownText)].compactMap(\.self).joined(separator: ": ")
        let gap = why.isEmpty ? "" : String(repeating: " ", count: max(width - transition.state.count, 0)) + "  \(why)"
        return "    \(transition.at.displayText)  \(state)\(gap)"
      }
      return ["\(style.mark(trigger.isUnresolved ? .unknown : .request)) \(head)"] + life
    }
  }

  // MARK: next

  private var next: [String] {
    let resume = "baton resume \(shownText(run.id))"
    guard run.doubts.isEmpty else { return doubtful }
    switch run.standing {
    case .running, .passed: return []
    case .interrupted: return ["go on with `\(resume)`"]
    case .failed, .errored, .cancelled: return ["go on from here with `\(resume)`"]
    case .indeterminate: return ["nothing is open any more; go on with `\(resume)`"]
    }
  }

  private var doubtful: [String] {
    run.doubts.flatMap { doubt -> [String] in
      let whom = doubt.system.map { "ask \(shownText($0))" } ?? "look with the provider"
      let reason = doubt.reason.isEmpty ? [] : ["    \(shownText(doubt.reason.cut(at: Self.detailLimit)))"]
      let step = run.doubts.count > 1 ? doubt.name : nil
      return ["nobody knows whether \(DoubtTexts.subject(doubt)) took effect"] + reason
        + ["    \(whom) whether it did, then say so:"] + DoubtTexts.settling(run.id, step: step).map { "      \($0)" }
    } + ["do not simply run the flow again: it could happen twice"]
  }
}
