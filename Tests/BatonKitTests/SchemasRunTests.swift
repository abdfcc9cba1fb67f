import FlowEvents
import JSONSchema
import Reporters
import TestKit
import Testing
import Values

@testable import BatonKit

/// What a run really reports is what the schema of reports says.
@Suite struct SchemasRunTests {
  @Test func theReportOfARunIsValid() async throws {
    let flow = FlowFile.load(ProjectRoot.path + "flows/rapidsos/onboarding.flow.yaml")
    let execution = FlowExecution(
      plan: try #require(flow.plan), givens: Givens(), terminal: Terminal(environment: [:]), usesSandbox: true, mayAsk: false,
      isTest: true)
    let report = try await execution.run(cancellation: Cancellation(), observe: { _ in })
    #expect(report.verdict == .passed)
    #expect(try ClosedReportSchema.violations(of: JSONReport.text(of: report)) == [])
    #expect(try ClosedReportSchema.violations(of: JSONReport.text(of: TestReport(runs: [TestRun(report)]))) == [])
  }
}
