import Diagnostics
import FlowEvents
import Values

/// The lines that tell of steps, without their line breaks.
struct StepLines {
  var style: ConsoleStyle

  /// `▸ verify  group`
  func started(_ start: StepStart) -> String {
    line(start.step, .group, action: start.action, [])
  }

  /// `✓ register  rapidsos/register  201 12 ms`
  func ended(_ report: StepReport) -> String {
    line(report.step, mark(of: report.status), action: report.action, facts(of: report))
  }

  /// `→ POST https://api.shop.test/v1/charges  201 12 ms`
  func sent(_ request: RequestReport, depth: Int) -> String {
    let outcome = request.status.map(String.init) ?? request.failure ?? "no answer"
    let text = "\(request.method) \(request.url)"
    return "\(indentation(depth))  \(style.mark(.request)) \(shownText(text))  \(shownText(outcome)) \(request.duration.text)"
  }

  /// `↻ charge  retry in 500 ms (http.503, attempt 1)`
  func retry(of step: StepIdentity, attempt: Int, error: ErrorReport, delay: Duration) -> String {
    line(step, .retry, action: nil, ["retry in \(delay.text) (\(shownText(error.code)), attempt \(attempt))"])
  }

  /// `↻ export  not yet (attempt 3), again in 2 s`
  func poll(of step: StepIdentity, attempt: Int, delay: Duration) -> String {
    line(step, .retry, action: nil, ["not yet (attempt \(attempt)), again in \(delay.text)"])
  }

  /// `↪ register  rapidsos.username_taken: continue`
  func branch(of step: StepIdentity, error: ErrorReport, then: String) -> String {
    line(step, .branch, action: nil, ["\(shownText(error.code)): \(shownText(then))"])
  }

  /// Each line of the text on a line of its own: no line break of it can start one of ours.
  func log(of step: StepIdentity, text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.map { "\(indentation(step.depth))  \(style.mark(.log)) \(shownText(String($0)))" }.joined(separator: "\n")
  }

  private func line(_ step: StepIdentity, _ mark: ConsoleStyle.Mark, action: String?, _ facts: [String]) -> String {
    let columns = [shownText(step.title) + step.part.suffix] + (action.map { [style.painted(shownText($0), .dim)] } ?? []) + facts
    return "\(indentation(step.depth))\(style.mark(mark)) \(columns.joined(separator: "  "))"
  }

  private func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private func mark(of status: StepStatus) -> ConsoleStyle.Mark {
    switch status {
    case .succeeded: .passed
    case .recovered: .recovered
    case .skipped, .notRun: .skipped
    case .failed: .failed
    case .cancelled: .cancelled
    case .indeterminate: .unknown
    case .replayed: .replayed
    }
  }

  private func facts(of report: StepReport) -> [String] {
    let code = report.error?.tellingCode.map(shownText)
    switch report.status {
    case .skipped: return ["skipped"]
    case .notRun: return ["not run"]
    case .succeeded: return [report.isRestored ? "done before" : cost(of: report)]
    case .recovered: return [cost(of: report), "recovered" + (code.map { " from \($0)" } ?? "")]
    case .failed: return [cost(of: report)] + (code.map { [$0] } ?? [])
    case .cancelled: return [cost(of: report), "cancelled"]
    case .indeterminate: return [cost(of: report), "indeterminate" + (code.map { ": \($0)" } ?? "")]
    case .replayed: return ["replayed: the stored outcome, nothing was sent"]
    }
  }

  /// `201 12 ms`, `201 1.2 s (3 attempts)`, for a group `3 requests, 2 s`.
  private func cost(of report: StepReport) -> String {
    let what: String? =
      if report.isGroup {
        report.requests > 0 ? counted(report.requests, "request") + "," : nil
      } else {
        report.lastRequest?.status.map(String.init)
      }
    let attempts = report.attempts > 1 ? " (\(counted(report.attempts, "attempt")))" : ""
    return [what, report.duration.text].compactMap(\.self).joined(separator: " ") + attempts
  }
}

extension RunPart {
  /// Said beside a step that is not one of the flow's way.
  fileprivate var suffix: String {
    switch self {
    case .steps: ""
    case .undo: " (undo)"
    case .finally: " (finally)"
    }
  }
}

extension ErrorReport {
  /// The code that tells most: of a doubt or a cancel, which the verdict names already, that of its cause.
  var tellingCode: String? {
    code == Verdict.indeterminate.rawValue || code == Verdict.cancelled.rawValue ? causes.first?.code : code
  }
}
