import Diagnostics
import FlowEvents
import Values

/// What a console says once a run is over.
struct RunSummary {
  var report: RunReport
  var options: ConsoleOptions

  private var style: ConsoleStyle { options.style }

  /// The failures in their source, the block of doubt where there is any, and the line of the verdict.
  var text: String {
    var blocks: [String] = []
    let failures = report.failures(redactor: options.redactor, isJournaled: options.isJournaled && !isUndone)
    if !failures.isEmpty { blocks.append(style.diagnostics.render(failures)) }
    if report.verdict == .indeterminate, !options.tellsDoubtApart {
      blocks.append(IndeterminateBlock(report: report, options: options).text)
    }
    // After bare step lines the verdict follows at once.
    return outputLines + blocks.map { "\n" + $0 }.joined() + (blocks.isEmpty ? "" : "\n") + verdictLine + "\n"
  }

  /// What was undone leaves nothing to go on from.
  private var isUndone: Bool { report.steps.contains { $0.step.part == .undo && $0.step.parent == nil } }

  /// `= profile_id  41`, one line for each output of the flow.
  private var outputLines: String {
    let width = report.outputs.map(\.key.text.count).max() ?? 0
    return report.outputs.map { name, value in
      let label = shownText(name.text) + String(repeating: " ", count: width - name.text.count)
      return "= \(label)  \(shownText(value.stringValue ?? value.json()))\n"
    }.joined()
  }

  /// `passed rapidsos-onboarding  8 steps, 9 requests, 134 ms`
  var verdictLine: String {
    let columns = [shownText(report.flow)] + ((report.error?.tellingCode ?? otherCode).map { [shownText($0)] } ?? []) + [counts]
    return style.painted(report.verdict.rawValue, colour) + " " + columns.joined(separator: "  ")
  }

  /// A code that has no error, and is not the verdict once more.
  private var otherCode: String? { report.code == report.verdict.rawValue ? nil : report.code }

  private var counts: String {
    let steps = report.steps.filter { !$0.isGroup && $0.status != .skipped && $0.status != .notRun }
    var parts = [counted(steps.count, "step")]
    let recovered = report.steps.count { $0.status == .recovered }
    if recovered > 0 { parts.append("\(recovered) recovered") }
    parts.append(counted(report.requests, "request"))
    parts.append(report.duration.text)
    return parts.joined(separator: ", ")
  }

  private var colour: ConsoleStyle.Colour {
    switch report.verdict {
    case .passed: .green
    case .failed, .errored: .red
    case .indeterminate: .alarm
    case .cancelled: .yellow
    }
  }
}
