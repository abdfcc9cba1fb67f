import FlowEvents
import Reporters
import Testing
import Values

/// Texts that a server or a flow's author chose to be obeyed by whoever shows them.
@Suite("no report obeys the texts in it")
struct HostileTextTests {
  static let texts = [
    "\u{1B}[2J\u{1B}]52;c;ZXZpbA==\u{7}", "\u{9B}31m", "a\rb", "\u{202E}drowssap\u{202C}", "\u{2066}x\u{2069}", "\u{200B}\u{FEFF}",
    "a\u{2028}b\u{85}c",
    "::add-mask::x", "\n::error::x", "  ::set-output name=a::b", "##[command]x", "x ##vso[task.setvariable]y", "\n##teamcity[testFailed]",
    "section_start:1560896352:x\r\u{1B}[0K", "✓ passed checkout\npassed checkout  1 step",
  ]

  @Test("on the console", arguments: texts, [false, true])
  func console(text: String, isLive: Bool) {
    let sample = hostile(text)
    let options = ConsoleOptions(isVerbose: true, isJournaled: true)
    let output =
      isLive
      ? Written.by({ LiveConsoleReporter(options: options, columns: 500, write: $0) }, sample).replacing("\u{1B}[K", with: "")
        .replacing("\r", with: "\n")
      : Written.by({ ConsoleReporter(options: options, write: $0) }, sample)
    expectInert(output)
  }

  @Test("in reports", arguments: texts)
  func reports(text: String) {
    let run = TestRun(file: text, caseName: text, reports: [hostile(text).report])
    let report = TestReport(runs: [run], refusals: Sample.refusals)
    expectInert(JSONReport.text(of: report))
    expectInert(JUnitReport.text(of: report))
    let written = Written()
    let console = ConsoleTestReporter(options: ConsoleOptions(isVerbose: true), write: written.sink)
    console.consume(run)
    expectInert(written.text)
  }

  private func expectInert(_ output: String) {
    for scalar in output.unicodeScalars where scalar != "\n" {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("U+\(String(scalar.value, radix: 16)) in \(output)")
      default: break
      }
    }
    #expect(!output.contains("##[") && !output.contains("##vso["))
    for line in output.split(separator: "\n") {
      let start = line.drop(while: \.isWhitespace)
      #expect(!start.hasPrefix("::") && !start.hasPrefix("##teamcity[") && !start.hasPrefix("passed "))
    }
  }

  /// A run with the text in every place that comes from outside.
  private func hostile(_ text: String) -> Sample {
    var step = Sample.step("charge")
    step.id = text
    let cause = Sample.error(text, text, text, in: step)
    var error = Sample.error(text, text, text, in: step, status: 500, body: .string(text), causes: [cause])
    error.problems = [.init(field: text, message: text)]
    error.sent = text
    let request = RequestReport(stepID: text, method: text, url: text, status: nil, sent: text, duration: .zero, failure: text)
    let check = ExpectationReport(expression: text, place: step.place, isMet: false, expected: text, actual: text, problem: text)
    var doubt = step
    doubt.id = "x" + text
    return Sample.run(
      "hostile", .indeterminate, error: error, outputs: .init(),
      [
        Sample.started(step, text), Sample.started(step, text, isGroup: true), .request(request), .log(step: step, text: text),
        .retryScheduled(step: step, attempt: 1, error: error, delay: .zero), .branchTaken(step: step, error: error, then: text),
        .stepEnded(Sample.done(step, text, .failed, error: error, expectations: [check], last: request)),
        .stepEnded(Sample.done(step, text, .failed, error: error, last: request)),
        .stepEnded(Sample.done(doubt, text, .indeterminate, error: error, last: request)),
      ])
  }
}
