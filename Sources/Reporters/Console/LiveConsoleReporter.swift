package import FlowEvents

/// A terminal's view of a run: finished lines scroll up, and the last line shows what runs now and for how long.
///
/// It has no timer: whoever drives it calls `tick` about once a second. Each redraw is one write that overwrites the last
/// line and clears only what is left of it, so nothing flickers, and a line that did not change is not written again.
package struct LiveConsoleReporter: Reporter {
  private var log: ConsoleReporter
  private let style: ConsoleStyle
  private let columns: Int
  private let write: ReportSink
  /// The steps that run, in the order of their start, each with the time at which it began.
  private var running: [(start: StepStart, since: Duration)] = []
  private var elapsed: Duration = .zero
  /// How often a step that polls has asked.
  private var polls: [StepIdentity: Int] = [:]
  /// What stands in the last line; empty for nothing.
  private var shown = ""

  private static let clearToEnd = "\u{1B}[K"

  /// - Parameter columns: how wide the terminal is; the last line never wraps.
  package init(options: ConsoleOptions = ConsoleOptions(), columns: Int = 80, write: @escaping ReportSink) {
    log = ConsoleReporter(options: options, write: write)
    style = options.style
    self.columns = columns
    self.write = write
  }

  package mutating func consume(_ event: RunEvent) {
    switch event {
    case .stepStarted(let start): running.append((start, elapsed))
    case .stepEnded(let report):
      polls[report.step] = nil
      if let index = running.lastIndex(where: { $0.start.step == report.step }) { running.remove(at: index) }
    case .pollScheduled(let step, let attempt, _): polls[step] = attempt
    case .runEnded: running = []
    case .runStarted, .request, .retryScheduled, .branchTaken, .log: break
    }
    draw(above: log.text(of: event) ?? "")
  }

  /// The time since the run started, which never goes back.
  package mutating func tick(_ elapsed: Duration) {
    self.elapsed = max(self.elapsed, elapsed)
    draw(above: "")
  }

  /// Clears the last line, so that a question can stand there; the next event or tick draws it again.
  package mutating func makeRoom() {
    guard !shown.isEmpty else { return }
    write("\r" + Self.clearToEnd)
    shown = ""
  }

  private mutating func draw(above text: String) {
    let line = statusLine
    guard !text.isEmpty || line != shown else { return }
    var output = shown.isEmpty ? "" : "\r"
    // Only the first line of the text stands on what was shown.
    if let end = text.firstIndex(of: "\n") {
      output += text[..<end] + (shown.isEmpty ? "" : Self.clearToEnd) + text[end...] + line
    } else {
      output += line + (shown.isEmpty ? "" : Self.clearToEnd)
    }
    shown = line
    write(output)
  }

  /// `… charge  POST /v1/charges  3 s  (and 2 more)`
  private var statusLine: String {
    let leaves = running.filter { !$0.start.isGroup }
    guard let current = leaves.last ?? running.last else { return "" }
    let seconds = (elapsed - current.since).components.seconds
    let more = leaves.count > 1 ? "  (and \(leaves.count - 1) more)" : ""
    let polling = polls[current.start.step].map { "  polling, attempt \($0 + 1)" } ?? ""
    let text = StatusText(step: current.start, time: polling + (seconds > 0 ? "  \(seconds) s" : ""), more: more)
    return style.mark(.running) + " " + text.fitting(columns - 3, style: style)
  }
}
