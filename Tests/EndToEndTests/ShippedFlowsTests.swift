import FoundationEssentials
import TestKit
import Testing

/// The flows that come with the product, on the sandbox.
@Suite(.timeLimit(.minutes(5))) struct ShippedFlowsTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try FileManager.default.copyItem(atPath: ProjectRoot.path + "flows", toPath: workspace.path + "/flows")
  }

  @Test func onboarding() async throws {
    let run = try await workspace.baton("run", "flows/rapidsos/onboarding.flow.yaml", "--sandbox", "-v")
    #expect(run.code == 0)
    #expect(run.stderr == "")
    try expectGolden(masked(run.stdout), "onboarding.txt")
  }

  @Test func emergency() async throws {
    let run = try await workspace.baton("run", "flows/rapidsos/emergency.flow.yaml", "--sandbox", "--json")
    #expect(run.code == 0)
    let report = try JSONValue(run.stdout)
    #expect(report["verdict"] == .string("passed"))
    #expect(report["flow"] == .string("rapidsos-emergency"))
    #expect(report["outputs"]?["alert_id"] == .string("al_0001"))
    #expect(report["outputs"]?["name_from_profile"] == .bool(false))
    // Nobody is registered in an empty sandbox, so that the name comes from the inputs.
    #expect(report["steps"]?.items.first?["status"] == .string("recovered"))
  }

  @Test func theyAreChecked() async throws {
    let run = try await workspace.baton("check", "flows")
    #expect(run.code == 0)
    #expect(run.stdout == "")
    let flows = try count(of: ".flow.yaml")
    let scenarios = try count(of: ".scenarios.yaml")
    #expect(flows > 20 && scenarios >= flows)
    #expect(run.stderr == "\(flows) flows and \(scenarios) files of scenarios checked, no errors\n")
  }

  /// How many files below `flows` have such an ending.
  private func count(of ending: String) throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: workspace.path + "/flows").count { $0.hasSuffix(ending) }
  }

  /// One file that cannot be read spoils neither the results of the others nor the reports.
  @Test func oneUnreadableFileAmongGoodOnes() async throws {
    let workspace = try Workspace()
    try workspace.makeFolder("flows/rapidsos")
    for name in ["flows/rapidsos/emergency.flow.yaml", "flows/rapidsos/onboarding.flow.yaml"] {
      try workspace.write(name, try Workspace.shipped(name))
    }
    try workspace.write("flows/broken.flow.yaml", "steps:\n  - get: [<&\"'\n")
    let run = try await workspace.baton("test", "flows", "--report", "junit=report.xml", "--report", "json=report.json")
    #expect(run.code == 2)
    #expect(run.stdout.contains("✗ flows/broken.flow.yaml  refused\n"))
    #expect(run.stdout.contains("✓ flows/rapidsos/emergency.flow.yaml"))
    #expect(run.stdout.contains("✓ flows/rapidsos/onboarding.flow.yaml"))
    #expect(run.stdout.contains("failed  2 passed, 1 file refused"))

    let junit = try XMLChecker(try workspace.read("report.xml"))
    let files = ["flows/broken.flow.yaml", "flows/rapidsos/emergency.flow.yaml", "flows/rapidsos/onboarding.flow.yaml"]
    #expect(Set(junit.elements("testsuite").compactMap { $0.attributes["name"] }) == Set(files))
    #expect(junit.elements("testcase").count == 3)
    #expect(junit.elements("error").map { $0.attributes["type"] } == ["invalid-yaml"])
    let totals = junit.elements("testsuites").first?.attributes
    #expect(totals?["tests"] == "3" && totals?["errors"] == "1" && totals?["failures"] == "0")

    let json = try JSONValue(try workspace.read("report.json"))
    #expect(json["passed"] == .bool(false))
    #expect(json["runs"]?.items.map { $0["verdict"] } == [.string("passed"), .string("passed")])
    #expect(json["refused"]?.items.map { $0["file"] } == [.string("flows/broken.flow.yaml")])
  }

  @Test func nothingToTestIsNoSuccess() async throws {
    try workspace.makeFolder("empty")
    let run = try await workspace.baton("test", "empty")
    #expect(run.code == 2)
    #expect(run.stderr.contains("error[cannot-fail]: there is no `*.flow.yaml` below `empty`"))
  }

  /// A recovered step is shown, and counts under `--strict`.
  @Test(arguments: [false, true])
  func aRecoveredStep(_ isStrict: Bool) async throws {
    let (options, code) = isStrict ? (["--strict"], Int32(1)) : ([], 0)
    let server = try RawServer.answering { _ in answer("404 Not Found") }
    try workspace.write(
      "recovered.flow.yaml",
      """
      connections: { api: { system: http, base_url: "\(server.origin)" } }
      steps:
        - id: look
          get: /x
          on_error:
            - when: http.404
              then: continue

      """)
    let run = try await workspace.baton(["run", "recovered.flow.yaml"] + options)
    #expect(run.code == code)
    #expect(run.stdout.contains("look"))
    #expect(run.stdout.contains("recovered"))
    let test = try await workspace.baton(["test", "recovered.flow.yaml"] + options)
    #expect(test.code == code)
  }
}
