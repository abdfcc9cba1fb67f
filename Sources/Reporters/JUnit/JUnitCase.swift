import Diagnostics
import FlowEvents

/// One test case and what came of it.
struct JUnitCase {
  struct Result {
    enum Kind: String {
      case failure, error, skipped
    }

    var kind: Kind
    var type: String
    var message: String
    var text: String
  }

  var name: String
  var file: String
  /// The file that has the case, where it is another one: a table.
  var tableFile: String?
  /// Where the case stands in its file; nil for a whole file.
  var line: Int?
  var duration: Duration = .zero
  var properties: [(String, String)] = []
  /// Nil for one that passed.
  var result: Result?
  /// The lines of the steps.
  var output = ""

  init(_ refusal: Refusal, redactor: Redactor) {
    let errors = refusal.diagnostics.filter { $0.severity == .error }
    let first = (errors.first ?? refusal.diagnostics.first)?.message ?? "the file was refused"
    let more = errors.count > 1 ? " (and \(counted(errors.count - 1, "more error")))" : ""
    name = "check"
    file = refusal.file
    result = Result(
      kind: .error, type: errors.first?.kind.rawValue ?? "refused", message: redactor.redacted(first + more),
      text: redactor.redacted(HumanRenderer(style: .plain).render(refusal.diagnostics)))
  }

  init(_ run: TestRun, redactor: Redactor) {
    name = run.name
    file = run.file
    line = run.line
    tableFile = run.tableFile
    duration = run.wall?.duration ?? run.duration
    properties =
      run.tags.map { ("tag", $0) }
      + run.reports.flatMap { report in
        [("run", report.runID), ("verdict", report.verdict.rawValue), ("requests", String(report.requests))]
          + (report.code.map { [("code", $0)] } ?? [])
      }
    result = Self.result(of: run, redactor: redactor)
    let lines = StepLines(style: ConsoleStyle())
    let steps = run.reports.flatMap(\.steps).map { lines.ended($0) + "\n" }.joined()
    output = redactor.redacted(run.story.isEmpty ? steps : run.story)
  }

  private static func result(of run: TestRun, redactor: Redactor) -> Result? {
    let kind: Result.Kind
    switch run.outcome {
    case .passed: return nil
    case .skipped: return Result(kind: .skipped, type: "", message: run.skipReason ?? "", text: "")
    case .failed: kind = .failure
    case .errored, .indeterminate, .cancelled: kind = .error
    }
    let story = FailureStory(run, options: ConsoleOptions(redactor: redactor))
    // Its parts are redacted; the lines of the flow that it shows are not.
    return Result(kind: kind, type: story.type, message: story.headline, text: redactor.redacted(story.text))
  }

  func write(to writer: inout XMLWriter) {
    let attributes =
      [("name", shownText(name)), ("classname", shownText(file)), ("file", shownText(tableFile ?? file))]
      + (line.map { [("line", String($0))] } ?? []) + [("time", duration.secondsWithMilliseconds)]
    writer.element("testcase", attributes) { writer in
      if !properties.isEmpty {
        writer.element("properties", []) { writer in
          for (name, value) in properties { writer.element("property", [("name", name), ("value", shownText(value))]) }
        }
      }
      switch result?.kind {
      case nil: break
      case .skipped: writer.element("skipped", [("message", shownText(result?.message ?? ""))])
      case .failure, .error:
        guard let result else { break }
        writer.element(result.kind.rawValue, [("message", shownText(result.message)), ("type", shownText(result.type))], text: result.text)
      }
      if !output.isEmpty { writer.element("system-out", text: output) }
    }
  }
}
