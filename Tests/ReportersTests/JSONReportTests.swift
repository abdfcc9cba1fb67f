import FlowEvents
import Reporters
import TestKit
import Testing
import Values

@Suite("JSON reports")
struct JSONReportTests {
  @Test("of a run", arguments: Sample.all)
  func run(sample: Sample) throws {
    let text = Written.by({ JSONReporter(write: $0) }, sample)
    try expectGolden(text, "run-\(sample.name).json")
    #expect(throws: Never.self) { try JSON.parse(text) }
  }

  @Test("of tests, refused files among them")
  func tests() throws {
    let value = try JSON.parse(JSONReport.text(of: Sample.tests))
    #expect(value["counts"] == ["passed": 2, "failed": 3, "errored": 1, "indeterminate": 1, "cancelled": 1, "skipped": 1, "refused": 1])
    #expect(value["passed"] == false)
    let runs = try #require(value["runs"]?.listValue)
    #expect(runs.count == 9)
    #expect(runs[4]["case"] == "a declined card")
    #expect(runs[4]["outcome"] == "passed")
    #expect(runs[4]["verdict"] == "failed")
    #expect(
      runs[8] == ["file": "flows/checkout.scenarios.yaml", "outcome": "skipped", "skipped": "the sandbox has no refunds", "case": "later"])
    let refused = try #require(value["refused"]?.listValue?.first)
    #expect(refused["file"] == "flows/broken.flow.yaml")
    #expect(refused["diagnostics"]?.listValue?.first?["kind"] == "invalid-yaml")
  }

  @Test("hide secrets and disarm what a terminal would obey")
  func inert() throws {
    var report = Sample.passed.report
    report.outputs = try #require((["a": "\u{9B}31m\u{202E}x\u{7F}", "b": "##vso[task]", "c": .secret("hunter22")] as Value).mapValue)
    let text = JSONReport.text(of: report)
    #expect(text.contains(#""\u009b31m\u202ex\u007f""#))
    #expect(!text.contains("##"))
    #expect(!text.contains("hunter22"))
    #expect(try JSON.parse(text)["outputs"]?["b"] == "##vso[task]")
  }
}
