import Glibc
import TestKit
import Testing

/// Where nobody can answer, a run refuses instead of waiting.
@Suite(.timeLimit(.minutes(5))) struct PromptTests {
  private let workspace: Workspace
  private let server: RawServer

  init() throws {
    workspace = try Workspace()
    server = try RawServer.answering { _ in answer() }
    try workspace.write(
      "ask.flow.yaml",
      """
      connections: { api: { system: http, base_url: "\(server.origin)" } }
      steps:
        - post: /before
        - id: pin
          uses: prompt
          with: { text: The PIN, secret: true }
        - post: /after
          with:
            json: { pin: "${{ steps.pin.outputs.value }}" }

      """)
  }

  @Test(arguments: ["run", "test"])
  func noTerminalAndNoAnswer(_ command: String) async throws {
    let run = try await workspace.baton(command, "ask.flow.yaml")
    #expect(run.code == 2)
    #expect(run.everything.contains("error[missing-answer]: the prompt `pin` has nobody to ask: there is no terminal and no answer"))
    #expect(run.everything.contains("--> ask.flow.yaml:4:9"))
    #expect(run.everything.contains("`BATON_ANSWER_PIN`"))
    #expect(server.connections == 0)
  }

  @Test func anAnswerFromTheEnvironment() async throws {
    let run = try await workspace.baton("run", "ask.flow.yaml", environment: ["BATON_ANSWER_PIN": "271828"])
    #expect(run.code == 0)
    #expect(server.received.map { String(decoding: $0.body, as: UTF8.self) } == ["", #"{"pin":"271828"}"#])
    #expect(!run.everything.contains("271828"))
  }

  @Test func anAnswerFromAFile() async throws {
    try workspace.write("answers.yaml", "pin: \"314159\"\n")
    let run = try await workspace.baton("run", "ask.flow.yaml", "--answers", "answers.yaml", "-v")
    #expect(run.code == 0)
    #expect(server.received.last.map { String(decoding: $0.body, as: UTF8.self) } == #"{"pin":"314159"}"#)
    #expect(!run.everything.contains("314159"))
  }

  @Test func anAnswerAtATerminalIsNotShown() async throws {
    let terminal = try TestTerminal()
    let process = try workspace.start(["run", "ask.flow.yaml"], environment: ["TERM": "dumb"], terminal: terminal.inner)
    let asked = terminal.read(until: "The PIN")
    #expect(asked.contains("? The PIN: "))
    terminal.type("161803\n")
    let run = try await process.end()
    let shown = asked + terminal.rest() + run.stdout
    #expect(run.code == 0)
    #expect(server.received.last.map { String(decoding: $0.body, as: UTF8.self) } == #"{"pin":"161803"}"#)
    #expect(!shown.contains("161803"))
  }
}
