import Diagnostics
package import FlowEvents
import Values

/// The block that nobody overlooks: what is unknown, what was not done about it, and what a person must do.
package struct IndeterminateBlock {
  private let report: RunReport
  private let options: ConsoleOptions

  package init(report: RunReport, options: ConsoleOptions) {
    self.report = report
    self.options = options
  }

  /// Every line ends with a line break.
  package var text: String {
    let style = options.style
    let rule = style.painted(String(repeating: style.isUTF8 ? "━" : "=", count: 72), .alarm)
    let title = style.painted("INDETERMINATE", .alarm) + "  " + shownText(report.flow)
    return ([rule, title, ""] + unknown + [""] + done + [""] + advice + [rule]).map { $0 + "\n" }.joined()
  }

  private var doubtful: [StepReport] { report.steps.filter { $0.status == .indeterminate && !$0.isGroup } }

  private var unknown: [String] {
    guard !doubtful.isEmpty else { return ["  unknown: whether a request of this run took effect"] + reason(report.error) }
    return doubtful.flatMap { step in
      let request = step.lastRequest.map { " (\($0.method) \($0.url))" } ?? ""
      return ["  unknown: whether step `\(shownText(step.step.id + "`" + request)) took effect"] + reason(step.error ?? report.error)
    }
  }

  private func reason(_ error: ErrorReport?) -> [String] {
    guard let error else { return [] }
    let cause = error.causes.first ?? error
    let text = cause.detail.isEmpty ? cause.title : cause.detail
    let shown = shownText(options.redactor.redacted(text).cut(at: 400))
    return ["           \(shownText(cause.code))\(shown.isEmpty ? "" : ": ")\(shown) (request sent: \(shownText(cause.sent)))"]
  }

  private var done: [String] {
    ["  nothing was sent twice: the request was not repeated" + (options.isJournaled ? ", and no resumed run repeats it" : "")]
  }

  /// Without a journal there is no run to settle: whoever reads this is the only memory of it.
  private var advice: [String] {
    let warning = "  do not simply run the flow again: that could make it happen twice"
    guard options.isJournaled else {
      return [
        warning,
        "  look with the provider whether it happened; run \(shownText(report.runID)), started \(report.startedAt.text)",
        "  only if it surely did not happen, run the flow again",
      ]
    }
    let run = shownText(report.runID)
    return [
      warning,
      "  look with the provider whether it happened, then settle the run:",
      "    baton resolve \(run) --delivered --reason TEXT",
      "    baton resolve \(run) --not-delivered --reason TEXT",
    ]
  }
}
