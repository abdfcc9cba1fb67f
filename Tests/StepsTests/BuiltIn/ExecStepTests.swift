import StepKit
import Steps
import Testing
import Values

@Suite("The step `exec`")
struct ExecStepTests {
  private let step = AnyStep(ExecStep.self)

  @Test("gives the program its arguments, its environment and its input")
  func request() async throws {
    let process = ScriptedProcess()
    let with = #"{"run": ["tool", "--flag", "a b"], "env": {"TOKEN": "t", "COUNT": 3, "ON": true}, "input": {"id": 7}}"#
    _ = try await StepPorts(processes: process).run(step, with)
    let request = try #require(process.asked.first)
    #expect(request.arguments == ["tool", "--flag", "a b"])
    #expect(request.environment == ["TOKEN": "t", "COUNT": "3", "ON": "true"])
    #expect(String(decoding: request.input, as: UTF8.self) == "{\"id\":7}\n")
  }

  @Test("takes secrets in `env` and `input`, and none among the arguments, which every user of the machine can read")
  func secrets() async throws {
    let process = ScriptedProcess()
    var with = ValueMap()
    with["run"] = ["tool"]
    with["env"] = ["TOKEN": .secret("t")]
    with["input"] = .secret("pin")
    _ = try await StepPorts(processes: process).run(step, with)
    #expect(process.asked.first?.environment == ["TOKEN": "t"])
    #expect(process.asked.first?.input == Array("pin".utf8))

    with["run"] = ["tool", .secret("t")]
    await #expect(throws: InvalidInput(messages: ["`run[1]` does not take a secret"])) {
      try await StepPorts(processes: process).run(step, with)
    }
  }

  @Test(
    "shows what the program said, read as JSON where it is that",
    arguments: [
      ("{\"id\": 7}\n", ["exit_code": 0, "stdout": "{\"id\": 7}", "stderr": "note", "json": ["id": 7]]),
      ("plain\r\n", ["exit_code": 0, "stdout": "plain", "stderr": "note"]), ("\n\n", ["exit_code": 0, "stdout": "\n", "stderr": "note"]),
    ] as [(String, Value)])
  func outputs(text: String, expected: Value) async throws {
    let outputs = try await StepPorts(processes: ScriptedProcess(text, error: "note\n")).run(step, #"{"run": ["tool"]}"#)
    #expect(.map(outputs) == expected)
  }

  @Test("marks what it said as secret, where the flow says so")
  func secretOutputs() async throws {
    let outputs = try await StepPorts(processes: ScriptedProcess("[1]")).run(step, #"{"run": ["tool"], "secret": true}"#)
    #expect(outputs["stdout"] == .secret("[1]"))
    #expect(outputs["json"] == .secret([1]))
    #expect(outputs["exit_code"] == 0)
  }

  @Test("fails with the program's exit code and last words, unless that code is expected")
  func exitCodes() async throws {
    let ports = StepPorts(processes: ScriptedProcess(error: "usage: …\nno such user\n\n", exitCode: 3))
    let failure = await ports.failure(step, #"{"run": ["tool"]}"#)
    #expect(failure?.code == "exec.failed")
    #expect(failure?.detail == "`tool` ended with 3: no such user")
    // It ran, so it is not run again unasked.
    #expect(failure?.sent == .yes)
    #expect(failure?.isRejected == false)
    #expect(step.about.effect.allowsRetry(sent: .yes, isRejected: false) == false)

    #expect(await ports.failure(step, #"{"run": ["tool"], "secret": true}"#)?.detail == "`tool` ended with 3")
    #expect(try await ports.run(step, #"{"run": ["tool"], "exit_codes": [0, 3]}"#)["exit_code"] == 3)
    #expect(
      await StepPorts(processes: ScriptedProcess()).failure(step, #"{"run": ["tool"], "exit_codes": [1]}"#)?.detail == "`tool` ended with 0"
    )
  }

  @Test(
    "refuses what no program can be given",
    arguments: [
      (#"{"run": []}"#, "`run` names no program"), (#"{"run": [""]}"#, "`run` names no program"),
      (#"{"run": ["tool"], "env": {"A=B": "c"}}"#, "`env` has \"A=B\", which is no name of a variable"),
      (#"{"run": ["tool"], "env": {"A": [1]}}"#, "`env.A` must be a text, a number or a bool"),
    ])
  func refused(with: String, detail: String) async throws {
    let process = ScriptedProcess()
    let failure = await StepPorts(processes: process).failure(step, with)
    #expect(failure?.code == "schema.input")
    #expect(failure?.detail == detail)
    #expect(process.asked == [])
  }

  @Test("does not run where nothing permits it")
  func notPermitted() async {
    #expect(await StepPorts().failure(step, #"{"run": ["tool"]}"#)?.code == "config.exec")
  }
}
