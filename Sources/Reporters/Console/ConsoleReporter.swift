package import FlowEvents

/// One line for each thing that happens, as it happens: for logs and CI.
package struct ConsoleReporter: Reporter {
  private let options: ConsoleOptions
  private let lines: StepLines
  private let write: ReportSink
  /// How deep the steps stand that send requests.
  private var depths: [String: Int] = [:]

  package init(options: ConsoleOptions = ConsoleOptions(), write: @escaping ReportSink) {
    self.options = options
    lines = StepLines(style: options.style)
    self.write = write
  }

  package mutating func consume(_ event: RunEvent) {
    if let text = text(of: event) { write(text) }
  }

  /// What an event adds to the log, with line breaks; nil where it adds nothing.
  package mutating func text(of event: RunEvent) -> String? {
    switch event {
    case .runStarted: return nil
    case .pollScheduled(let step, let attempt, let delay):
      return options.isVerbose ? lines.poll(of: step, attempt: attempt, delay: delay) + "\n" : nil
    case .stepStarted(let start):
      if options.isVerbose { depths[start.step.id] = start.step.depth }
      return start.isGroup ? lines.started(start) + "\n" : nil
    case .request(let request):
      return options.isVerbose ? lines.sent(request, depth: depths[request.stepID] ?? 0) + "\n" : nil
    case .retryScheduled(let step, let attempt, let error, let delay):
      return lines.retry(of: step, attempt: attempt, error: error, delay: delay) + "\n"
    case .branchTaken(let step, let error, let then): return lines.branch(of: step, error: error, then: then) + "\n"
    case .log(let step, let text): return lines.log(of: step, text: text) + "\n"
    case .stepEnded(let report): return lines.ended(report) + "\n"
    case .runEnded(let report): return RunSummary(report: report, options: options).text
    }
  }
}
