import Diagnostics
import FlowEvents
import Reporters
import SourceText
import Testing
import Values

@testable import BatonKit

/// Reports are what their schema says, with no member that it does not describe.
@Suite struct SchemasReportTests {
  @Test func everyMemberOfAReportIsDescribed() throws {
    #expect(try ClosedReportSchema.violations(of: JSONReport.text(of: failedRun)) == [])
    #expect(try ClosedReportSchema.violations(of: JSONReport.text(of: fullTest)) == [])
  }

  @Test(arguments: [
    "{}", #"{"runs": []}"#,
    #"{"passed": true, "durationMs": 1, "counts": {}, "runs": [], "refused": []}"#,
  ])
  func whatIsNoReportIsRefused(_ text: String) throws {
    #expect(try ClosedReportSchema.violations(of: text) != [])
  }

  @Test func aRunWithoutAVerdictIsRefused() throws {
    var report = try #require(JSONReport.value(of: failedRun).mapValue)
    report["verdict"] = "green"
    #expect(try ClosedReportSchema.violations(of: Value.map(report).json()) != [])
    report["verdict"] = nil
    #expect(try ClosedReportSchema.violations(of: Value.map(report).json()) != [])
  }

  // MARK: reports

  private let place = Place(SourceFile(path: "a.flow.yaml", text: "steps:\n  - get: /a\n"), Span(9, 12))

  private var error: ErrorReport {
    let cause = ErrorReport(
      code: "network.reset", title: "the connection was reset", detail: "", stepID: "a", place: place, attempt: 1, sent: "maybe",
      isRejected: false)
    return ErrorReport(
      code: "http.422", title: "the server refused the request", detail: "no such name", stepID: "a", place: place, attempt: 2, sent: "yes",
      isRejected: true, status: 422, body: ["a": 1], problems: [.init(field: "name", message: "unknown")], causes: [cause])
  }

  private var failedRun: RunReport {
    let checks = [
      ExpectationReport(expression: "outputs.id > 0", place: place, isMet: false, expected: "true", actual: "false"),
      ExpectationReport(expression: "outputs.x > 0", place: place, isMet: false, problem: "there is no `x`"),
    ]
    let step = StepReport(
      step: StepIdentity(id: "a", depth: 1, place: place, keys: ["ada", "2"], number: 3, parent: 1, part: .finally), action: "GET /a",
      isGroup: false, status: .failed, attempts: 2, requests: 2,
      duration: .milliseconds(12), error: error, expectations: checks)
    return RunReport(
      runID: "7F3K", flow: "a", file: "a.flow.yaml", verdict: .failed, code: "http.422", error: error,
      outputs: Value.map("id", 1).mapValue ?? ValueMap(), startedAt: Timestamp(seconds: 0),
      duration: .milliseconds(15), requests: 2, steps: [step])
  }

  private var fullTest: TestReport {
    let check = ExpectationReport(expression: "verdict", place: place, isMet: true, expected: "failed", actual: "failed")
    let diagnostics = [
      Diagnostic(.unknownKey, "a step has no key `gte`", at: place, related: [.init(place, "here")], help: ["did you mean `get`?"]),
      Diagnostic(.missingFile, "there is no such file", at: nil),
    ]
    return TestReport(
      runs: [
        TestRun(failedRun), TestRun(file: "a.scenarios.yaml", caseName: "a case", reports: [failedRun], expectations: [check]),
        TestRun(file: "a.scenarios.yaml", caseName: "another", reports: [], skipReason: "not today", line: 7, tags: ["smoke"]),
      ], refusals: [Refusal(file: "b.flow.yaml", diagnostics: diagnostics)], duration: .seconds(1))
  }
}
