import Diagnostics
import FlowEvents
import JSONSchema
import Reporters
import SourceText
import TestKit
import Testing
import Values

@testable import BatonKit

/// Reports are what their schema says, with no member that it does not describe.
@Suite struct SchemasReportTests {
  private static let compiled = Result { try Schema.compile(closed(SchemaCommand.Kind.report.schema)) }

  @Test func theReportOfARunIsValid() async throws {
    let flow = FlowFile.load(ProjectRoot.path + "flows/rapidsos/onboarding.flow.yaml")
    let execution = FlowExecution(
      plan: try #require(flow.plan), givens: Givens(), terminal: Terminal(environment: [:]), usesSandbox: true, mayAsk: false)
    let report = try await execution.run(cancellation: Cancellation(), observe: { _ in })
    #expect(report.verdict == .passed)
    #expect(try violations(of: JSONReport.text(of: report)) == [])
    #expect(try violations(of: JSONReport.text(of: TestReport(runs: [TestRun(report)]))) == [])
  }

  @Test func everyMemberOfAReportIsDescribed() throws {
    #expect(try violations(of: JSONReport.text(of: failedRun)) == [])
    #expect(try violations(of: JSONReport.text(of: fullTest)) == [])
  }

  @Test(arguments: [
    "{}", #"{"runs": []}"#,
    #"{"passed": true, "durationMs": 1, "counts": {}, "runs": [], "refused": []}"#,
  ])
  func whatIsNoReportIsRefused(_ text: String) throws {
    #expect(try violations(of: text) != [])
  }

  @Test func aRunWithoutAVerdictIsRefused() throws {
    var report = try #require(JSONReport.value(of: failedRun).mapValue)
    report["verdict"] = "green"
    #expect(try violations(of: Value.map(report).json()) != [])
    report["verdict"] = nil
    #expect(try violations(of: Value.map(report).json()) != [])
  }

  private func violations(of text: String) throws -> [String] {
    try Self.compiled.get().validate(try JSON.parse(text)).map { "\($0.instancePath): \($0.message)" }
  }

  /// The schema with every object closed, so that a member that it does not describe is found.
  private static func closed(_ schema: Value) -> Value {
    switch schema {
    case .list(let items): return .list(items.map(closed))
    case .map(let map):
      let isObject = map["type"] == "object" && map["properties"] != nil
      let inner = map.mapValues(closed)
      return isObject ? Value.map(inner).with("additionalProperties", false) : .map(inner)
    default: return schema
    }
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
      step: StepIdentity(id: "a", depth: 0, place: place), action: "GET /a", isGroup: false, status: .failed, attempts: 2, requests: 2,
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
        TestRun(file: "a.scenarios.yaml", caseName: "another", reports: [], skipReason: "not today"),
      ], refusals: [Refusal(file: "b.flow.yaml", diagnostics: diagnostics)], duration: .seconds(1))
  }
}
