import FoundationEssentials
import Glibc
import TestKit
import Testing

/// What a run had done when it was killed is there when it goes on: keys, state, undos, programs, items of a loop.
@Suite(.timeLimit(.minutes(10))) struct ResumeShapesTests {
  private let seat: Seat
  private let scene: Scene

  init() async throws {
    seat = await Seat.take()
    scene = try Scene()
  }

  /// The run, killed while the server holds `path`.
  private func killed(at path: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    scene.reply(path, .hold, .fine)
    let arguments = ["run", "a.flow.yaml"] + arguments
    let killed = try await scene.baton(arguments, signalled: SIGKILL, at: path)
    #expect(killed.code == -SIGKILL, "\(killed)", sourceLocation: sourceLocation)
    return try await scene.run(sourceLocation: sourceLocation)
  }

  private func counts(_ paths: String...) -> [Int] { paths.map { scene.count($0) } }

  /// A provider that knows the key does not act twice: the repeat is the same to the byte.
  @Test func aRequestWithAKeyIsTheSame() async throws {
    try scene.flow(
      """
      steps:
        - id: pay
          post: /pay
          idempotency_key: ${{ uuid() }}
          with: { json: { at: "${{ string(now()) }}", n: "${{ random_int(1, 1000000) }}", id: "${{ uuid() }}" } }

      """)
    let run = try await killed(at: "/pay")
    #expect(try await scene.baton("runs", "--unresolved").code == 0, "it may be sent again")
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    let requests = scene.server.received
    #expect(requests.count == 2)
    #expect(Set(requests.map(\.body)).count == 1)
    #expect(Set(requests.map { $0.values(of: "Idempotency-Key") }).count == 1)
    #expect(requests.first?.values(of: "Idempotency-Key").first?.count == 36)
  }

  /// What is kept between runs is set once.
  @Test func stateIsSetOnce() async throws {
    try scene.flow(
      "state: { n: { type: integer, default: 0 } }\nsteps:\n  - set: { state.n: \"${{ state.n + 1 }}\" }\n  - get: /slow\noutputs: { n: \"${{ state.n }}\" }\n"
    )
    let run = try await killed(at: "/slow")
    let resumed = try await scene.baton("resume", run, "--json")
    #expect(resumed.code == 0, "\(resumed)")
    #expect(try JSONValue(resumed.stdout)["outputs"] == .map(["n": .number(1)]))
    #expect(try await scene.baton("state", "show", "a.flow.yaml").stdout == "{\"n\":1}\n")
  }

  /// A variable, a branch that was taken, a table that has changed since: all as they were.
  @Test func whatWasDecidedStays() async throws {
    try scene.workspace.write("table.csv", "name\nada\nalan\n")
    try scene.flow(
      """
      steps:
        - set: { at: "${{ string(now()) }}" }
        - for_each: { in: "csv('table.csv', {})", as: row, max_items: 5 }
          steps:
            - post: /item
              with: { json: { name: "${{ row.name }}", at: "${{ vars.at }}" } }
        - get: /slow
        - post: /end
          with: { json: { at: "${{ vars.at }}" } }

      """)
    let run = try await killed(at: "/slow")
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(counts("/item", "/slow", "/end") == [2, 2, 1])
    let at = scene.bodies("/end").compactMap { try? JSONValue($0)["at"]?.text }
    #expect(scene.bodies("/item").compactMap { try? JSONValue($0)["at"]?.text } == at + at)
  }

  /// Of items at once some have ended, and those alone are not done again.
  @Test func itemsAtOnce() async throws {
    try scene.flow(
      """
      steps:
        - for_each: { in: "[1, 2, 3, 4, 5, 6]", as: i, concurrency: 3 }
          steps:
            - id: first
              post: /first
              with: { json: { i: "${{ i }}" } }
            - get: /slow

      """)
    let run = try await killed(at: "/slow")
    // Others were on their way: an operator looks, and finds each at the server or not.
    for _ in 0..<6 where try await scene.baton("resume", run).code == 4 {
      let doubts = try await scene.story(run)["doubts"]?.items ?? []
      for step in doubts.compactMap({ $0["step"]?.text }) {
        let number = (step.firstMatch(of: #/\[(\d+)\]/#).flatMap { Int($0.1) } ?? -2) + 1
        let isThere = scene.bodies("/first").contains(#"{"i":\#(number)}"#)
        let said = try await scene.baton("resolve", run, isThere ? "--delivered" : "--not-delivered", "--step", step, "--reason", "seen")
        #expect(said.code == 0, "\(said)")
      }
    }
    #expect(try await scene.baton("resume", run).code == 0)
    #expect(scene.bodies("/first").sorted() == (1...6).map { #"{"i":\#($0)}"# }, "each once")
  }

  // MARK: - what is undone

  private static let undone = """
    steps:
      - id: made
        post: /make
        undo:
          - delete: /make
      - id: slow
        get: /slow
      - id: last
        post: /last

    """

  /// An undo that was armed before the crash runs when what follows fails after it, once.
  @Test func anUndoThatWasArmed() async throws {
    try scene.flow(Self.undone)
    scene.reply("/last", .answer(answer("404 Not Found")))
    let run = try await killed(at: "/slow")
    #expect(counts("/make", "/last") == [1, 0])
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 1, "\(resumed)")
    #expect(scene.server.received.map(\.line).filter { $0.contains("/make") } == ["POST /make HTTP/1.1", "DELETE /make HTTP/1.1"])
    let again = try await scene.baton("resume", run)
    #expect(again.code == 2, "\(again)")
    #expect(again.stderr.contains("was undone"))
    #expect(counts("/make", "/last") == [2, 1])
  }

  /// Killed in the middle of its undos: they are finished, and nothing is done forwards again.
  @Test func killedWhileItUndoes() async throws {
    try scene.flow(Self.undone.replacing("delete: /make", with: "delete: /unmake"))
    scene.reply("/last", .answer(answer("404 Not Found")))
    let run = try await killed(at: "/unmake")
    let resumed = try await scene.baton("resume", run)
    // DELETE may be sent again, and is.
    #expect(resumed.code == 1, "\(resumed)")
    #expect(counts("/make", "/last", "/unmake") == [1, 1, 2])
  }

  /// `finally` runs in the end, and what of it has ended is not repeated.
  @Test func killedInTheEnd() async throws {
    try scene.flow("steps:\n  - post: /work\nfinally:\n  - post: /tidy\n  - get: /slow\n  - post: /bye\n")
    let run = try await killed(at: "/slow")
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(counts("/work", "/tidy", "/slow", "/bye") == [1, 1, 2, 1])
  }

  /// A branch was at work: what failed does not fail again.
  @Test func killedInABranch() async throws {
    try scene.flow(
      """
      steps:
        - id: ask
          post: /ask
          on_error:
            - when: http.404
              do:
                - post: /help
                - get: /slow
                - post: /helped
              then: continue
        - post: /end

      """)
    scene.reply("/ask", .answer(answer("404 Not Found")))
    let run = try await killed(at: "/slow")
    let resumed = try await scene.baton("resume", run, "--json")
    #expect(resumed.code == 0, "\(resumed)")
    #expect(counts("/ask", "/help", "/slow", "/helped", "/end") == [1, 1, 2, 1, 1])
  }

  // MARK: - programs and files

  /// A program may have done anything: it is not run again by itself.
  @Test func killedWhileAProgramRuns() async throws {
    try scene.workspace.write(
      "work",
      "#!/bin/bash\necho ran >> ran.txt\nexec 3<>/dev/tcp/127.0.0.1/\(scene.server.port)\nprintf 'GET /program HTTP/1.1\\r\\n\\r\\n' >&3\nread -r line <&3\n",
      mode: 0o755)
    try scene.flow("steps:\n  - id: work\n    uses: exec\n    with: { run: [./work] }\n  - post: /end\n")
    let run = try await killed(at: "/program", "--allow-exec")
    let resumed = try await scene.baton("resume", run, "--allow-exec")
    #expect(resumed.code == 4, "\(resumed)")
    #expect(try scene.workspace.read("ran.txt") == "ran\n")
    #expect(try await scene.baton("resolve", run, "--delivered", "--reason", "it ran").code == 0)
    let end = try await scene.baton("resume", run, "--allow-exec")
    #expect(end.code == 0, "\(end)")
    #expect(try scene.workspace.read("ran.txt") == "ran\n")
    #expect(scene.count("/end") == 1)
  }

  /// What a run permits is asked for again.
  @Test func aProgramThatMayNotRunAnyMore() async throws {
    try scene.flow("steps:\n  - get: /slow\n  - uses: exec\n    with: { run: [touch, ran] }\n")
    let run = try await killed(at: "/slow", "--allow-exec")
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 2, "\(resumed)")
    #expect(!scene.workspace.exists("ran"))
    #expect(scene.count("/slow") == 1)
  }

  /// From another folder, with another home's settings: the run is known by its records alone.
  @Test func fromElsewhere() async throws {
    try scene.workspace.makeFolder("sub")
    try scene.flow("steps:\n  - post: /before\n  - get: /slow\n", "sub/b.flow.yaml")
    scene.reply("/slow", .hold, .fine)
    #expect(try await scene.baton(["run", "sub/b.flow.yaml"], signalled: SIGKILL, at: "/slow").code == -SIGKILL)
    let run = try await scene.run()
    // Nobody else's records have it.
    let other = ["BATON_STATE_DIR": "\(scene.workspace.path)/other"]
    let unknown = try await scene.baton("resume", run, environment: other)
    #expect(unknown.code == 2)
    #expect(unknown.stderr.contains("there is no run `\(run)`"))
    #expect(try await scene.baton("resume", run).code == 0)
    #expect(counts("/before", "/slow") == [1, 2])
  }
}
