import Diagnostics
package import FlowEvents
import SourceText
package import Values

/// Reports as JSON, described by `schemas/report.schema.json`: what `baton run --json` and the JSON report of
/// `baton test` hold.
package enum JSONReport {
  /// One run as an indented JSON object with a line break at its end.
  package static func text(of report: RunReport, redactor: Redactor = Redactor()) -> String {
    text(.map(members(of: report)).redacted(by: redactor))
  }

  /// All runs and the files that were refused, as an indented JSON object with a line break at its end.
  package static func text(of report: TestReport, redactor: Redactor = Redactor()) -> String {
    text(value(of: report).redacted(by: redactor))
  }

  /// `run flow case verdict code outputs durationMs requests error? steps`; `case` is null for a flow without scenarios.
  package static func value(of report: RunReport, caseName: String? = nil) -> Value { .map(members(of: report, caseName: caseName)) }

  /// `{passed, durationMs, counts, runs, refused}`; a run here also has `file`, `outcome`, the `expectations` of its case
  /// and, where it did not run, `skipped` with the reason.
  package static func value(of report: TestReport) -> Value {
    var counts = ValueMap()
    for outcome in TestRun.Outcome.allCases { counts[outcome.rawValue] = .int(Int64(report.count(of: outcome))) }
    counts["refused"] = .int(Int64(report.refusals.count))
    return [
      "passed": .bool(report.exitCode == 0), "durationMs": .int(report.duration.wholeMilliseconds), "counts": .map(counts),
      "runs": .list(report.runs.flatMap(values)), "refused": .list(report.refusals.map(value)),
    ]
  }

  /// An error with the members of RFC 9457; its `type` is a URN of the code.
  /// The answer's body, which may be long, stands with the run and with the step that raised the error.
  package static func value(of error: ErrorReport) -> Value {
    var map = ValueMap()
    map["type"] = .string("urn:baton:error:\(error.code)")
    map["title"] = .string(error.title)
    map["detail"] = error.detail.isEmpty ? nil : .string(error.detail)
    map["help"] = error.help.isEmpty ? nil : .string(error.help)
    map["status"] = error.status.map { .int(Int64($0)) }
    map["code"] = .string(error.code)
    map["step"] = .string(error.stepID)
    map["file"] = .string(error.place.file.path)
    map["line"] = .int(Int64(error.place.start.line))
    map["attempt"] = .int(Int64(error.attempt))
    map["sent"] = .string(error.sent)
    map["rejected"] = .bool(error.isRejected)
    map["body"] = error.body
    if !error.problems.isEmpty {
      map["errors"] = .list(error.problems.map { ["field": .string($0.field), "detail": .string($0.message)] })
    }
    map["cause"] = error.causes.first.map(value)
    return .map(map)
  }

  /// Secrets are hidden, and so is what a terminal or a CI runner would obey.
  private static func text(_ value: Value) -> String { JSONText.inert(value.json(indent: 2)) + "\n" }
}

// MARK: parts

extension JSONReport {
  private static func members(of report: RunReport, caseName: String? = nil) -> ValueMap {
    var map = ValueMap()
    map["run"] = .string(report.runID)
    map["flow"] = .string(report.flow)
    map["case"] = caseName.map(Value.string) ?? .null
    map["verdict"] = .string(report.verdict.rawValue)
    map["code"] = report.code.map(Value.string) ?? .null
    map["outputs"] = .map(report.outputs)
    map["started"] = .timestamp(report.startedAt)
    map["durationMs"] = .int(report.duration.wholeMilliseconds)
    map["requests"] = .int(Int64(report.requests))
    map["error"] = report.error.map(value)
    map["steps"] = .list(report.steps.map(value))
    return map
  }

  private static func value(of step: StepReport) -> Value {
    var map = ValueMap()
    map["id"] = .string(step.step.id)
    // An item of a loop, a round, an undo: what tells this execution from others of the same step.
    if !step.step.keys.isEmpty { map["keys"] = .list(step.step.keys.map { .string($0) }) }
    if step.step.part != .steps { map["part"] = .string(step.step.part.rawValue) }
    map["action"] = .string(step.action)
    map["depth"] = .int(Int64(step.step.depth))
    map["status"] = .string(step.status.rawValue)
    map["attempts"] = .int(Int64(step.attempts))
    map["durationMs"] = .int(step.duration.wholeMilliseconds)
    map["requests"] = .int(Int64(step.requests))
    map["error"] = step.error.map { error in
      var error = error
      if error.stepID != step.step.id { error.body = nil }
      return value(of: error)
    }
    map["expectations"] = .list(step.expectations.map(value))
    return .map(map)
  }

  private static func value(of check: ExpectationReport) -> Value {
    var map = ValueMap()
    map["expression"] = .string(check.expression)
    map["passed"] = .bool(check.isMet)
    map["expected"] = check.expected.map(Value.string)
    map["actual"] = check.actual.map(Value.string)
    map["problem"] = check.problem.isEmpty ? nil : .string(check.problem)
    return .map(map)
  }

  /// With the line that states it.
  private static func placed(_ check: ExpectationReport) -> Value {
    guard case .map(var map) = value(of: check) else { return .null }
    map["line"] = .int(Int64(check.place.start.line))
    return .map(map)
  }

  /// One value a run; a case that did not run has one without a run.
  private static func values(of test: TestRun) -> [Value] {
    var shared = ValueMap()
    shared["file"] = .string(test.file)
    shared["outcome"] = .string(test.outcome.rawValue)
    shared["skipped"] = test.skipReason.map(Value.string)
    shared["table"] = test.tableFile.map(Value.string)
    shared["line"] = test.line.map { .int(Int64($0)) }
    if !test.tags.isEmpty { shared["tags"] = .list(test.tags.map { .string($0) }) }
    if let expectations = test.expectations, test.skipReason == nil {
      shared["expectations"] = .list(expectations.map(placed))
    }
    guard !test.reports.isEmpty else {
      shared["case"] = .string(test.name)
      return [.map(shared)]
    }
    return test.reports.map { report in
      var map = shared
      for (key, value) in members(of: report, caseName: test.caseName) { map[key] = value }
      return .map(map)
    }
  }

  private static func value(of refusal: Refusal) -> Value {
    let text = JSONRenderer().render(refusal.diagnostics)
    // The one writer of findings in JSON is the renderer of `check --format json`.
    let diagnostics = (try? JSON.parse(text)) ?? .list(refusal.diagnostics.map { .string($0.message) })
    return ["file": .string(refusal.file), "diagnostics": diagnostics]
  }
}

/// Writes the JSON report of a run when it ends, and nothing before.
package struct JSONReporter: Reporter {
  private let write: ReportSink

  package init(write: @escaping ReportSink) { self.write = write }

  package mutating func consume(_ event: RunEvent) {
    if case .runEnded(let report) = event { write(JSONReport.text(of: report)) }
  }
}

extension Value {
  /// The members whose data is not ours: what a server answered, what a flow gives out.
  private static let foreign: Set = ["body", "outputs"]

  /// The report with every text redacted; in data that is not ours the names of members and the numbers too.
  package func redacted(by redactor: Redactor, isForeign: Bool = false) -> Value {
    switch self {
    case .string(let text): return .string(redactor.redacted(text))
    case .list(let items): return .list(items.map { $0.redacted(by: redactor, isForeign: isForeign) })
    case .map(let map):
      var shown = ValueMap()
      for (key, value) in map {
        let name = isForeign ? redactor.redacted(key.text) : key.text
        shown[name] = value.redacted(by: redactor, isForeign: isForeign || Self.foreign.contains(key.text))
      }
      return .map(shown)
    case .int, .uint, .double, .decimal:
      let text = json()
      let hidden = isForeign ? redactor.redacted(text) : text
      return hidden == text ? self : .string(hidden)
    case .null, .bool, .bytes, .timestamp, .duration, .type, .optional, .secret: return self
    }
  }
}
