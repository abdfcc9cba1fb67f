import FoundationEssentials
import Glibc
import TestKit
import Testing

/// A process that dies, or an answer that is lost, in the middle of a request that must not leave twice: nobody knows, and
/// nothing is sent until somebody has said.
@Suite(.timeLimit(.minutes(10))) struct DoubtTests {
  private let seat: Seat
  private let scene: Scene

  init() async throws {
    seat = await Seat.take()
    scene = try Scene()
    try scene.flow(Self.payment)
  }

  private static let payment = """
    steps:
      - id: before
        post: /before
      - id: pay
        post: /pay
        with: { json: { amount: 7 } }
        outputs: { id: "${{ string(response.body.id) }}" }
      - id: after
        post: /after
        with: { json: { id: "${{ steps.pay.outputs.id }}" } }
    outputs: { id: "${{ steps.pay.outputs.id }}" }

    """

  /// The run whose process died while the server held the payment.
  private func killed() async throws -> String {
    scene.reply("/pay", .hold, .fine)
    let killed = try await scene.baton("run", "a.flow.yaml", signalled: SIGKILL, at: "/pay")
    #expect(killed.code == -SIGKILL)
    #expect(scene.count("/pay") == 1)
    return try await scene.run()
  }

  private func expectCounts(_ before: Int, _ pay: Int, _ after: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect([scene.count("/before"), scene.count("/pay"), scene.count("/after")] == [before, pay, after], sourceLocation: sourceLocation)
  }

  // MARK: - until somebody says

  @Test func resumingSendsNothingHoweverOften() async throws {
    let run = try await killed()
    for arguments in [["resume", run], ["resume", run, "--json"], ["resume", String(run.prefix(4))], ["resume", run, "-v", "--strict"]] {
      let resumed = try await scene.workspace.seated(arguments)
      #expect(resumed.code == 4, "\(resumed)")
      #expect(resumed.everything.contains("nobody knows whether step `pay` (POST /pay) took effect"), "\(resumed)")
    }
    expectCounts(1, 1, 0)
    let unresolved = try await scene.baton("runs", "--unresolved")
    #expect(unresolved.code == 1)
    #expect(unresolved.stdout.contains("nobody knows whether step `pay` (POST /pay) took effect"))
    let story = try await scene.story(run)
    #expect(story["verdict"] == .string("interrupted"))
  }

  @Test func aProgramThatResumesIsTold() async throws {
    let run = try await killed()
    let resumed = try await scene.baton("resume", run, "--json")
    #expect(resumed.code == 4)
    let report = try JSONValue(resumed.stdout)
    #expect(report["run"] == .string(run), "what `--json` promises is there when it matters most")
  }

  // MARK: - what somebody says

  @Test func itWasDelivered() async throws {
    let run = try await killed()
    try scene.workspace.write("outputs.yaml", "id: '4711'\n")
    let said = try await scene.baton("resolve", run, "--delivered", "--outputs", "outputs.yaml", "--reason", "it is on the statement")
    #expect(said.code == 0, "\(said)")
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
    let resumed = try await scene.baton("resume", run, "--json")
    #expect(resumed.code == 0, "\(resumed)")
    #expect(try JSONValue(resumed.stdout)["outputs"] == .map(["id": .string("4711")]))
    expectCounts(1, 1, 1)
    #expect(scene.bodies("/after") == [#"{"id":"4711"}"#])
    let shown = try await scene.baton("show", run).stdout
    #expect(shown.contains("it is on the statement"))
    #expect(try await scene.baton("resume", run).code == 0)
    expectCounts(1, 1, 1)
  }

  /// What a later step needs must be said, before anything is sent.
  @Test func itWasDeliveredAndNobodySaysWhatItGave() async throws {
    let run = try await killed()
    #expect(try await scene.baton("resolve", run, "--delivered", "--reason", "it is on the statement").code == 0)
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code != 0, "\(resumed)")
    #expect(scene.count("/pay") == 1)
    #expect(scene.count("/after") == 0)
    // It is not too late to say it.
    try scene.workspace.write("outputs.yaml", "id: '4711'\n")
    _ = try await scene.baton("resolve", run, "--delivered", "--outputs", "outputs.yaml", "--reason", "it is on the statement")
    let again = try await scene.baton("resume", run)
    #expect(again.code == 0, "\(again)")
    expectCounts(1, 1, 1)
  }

  @Test func itWasNotDelivered() async throws {
    let run = try await killed()
    #expect(try await scene.baton("resolve", run, "--not-delivered", "--reason", "the bank has none").code == 0)
    let resumed = try await scene.baton("resume", run, "--json")
    #expect(resumed.code == 0, "\(resumed)")
    #expect(try JSONValue(resumed.stdout)["outputs"] == .map(["id": .string("42")]))
    expectCounts(1, 2, 1)
    #expect(Set(scene.bodies("/pay")) == [#"{"amount":7}"#])
    #expect(try await scene.baton("resume", run).code == 0)
    expectCounts(1, 2, 1)
  }

  @Test func aRetryIsAuthorised() async throws {
    let run = try await killed()
    #expect(try await scene.baton("resolve", run, "--authorise-retry", "--reason", "twice is better than never").code == 0)
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    expectCounts(1, 2, 1)
    #expect(try await scene.baton("show", run).stdout.contains("twice is better than never"))
  }

  /// It is for one attempt: the next one that is lost is a doubt of its own.
  @Test(arguments: ["--authorise-retry", "--not-delivered"])
  func theNextAttemptIsLostToo(_ saying: String) async throws {
    let run = try await killed()
    scene.reply("/pay", .hold)
    #expect(try await scene.baton("resolve", run, saying, "--reason", "first").code == 0)
    let killed = try await scene.baton("resume", run, signalled: SIGKILL, at: "/pay")
    #expect(killed.code == -SIGKILL)
    #expect(scene.count("/pay") == 2)
    let stuck = try await scene.baton("resume", run)
    #expect(stuck.code == 4, "\(stuck)")
    #expect(scene.count("/pay") == 2)
    #expect(try await scene.baton("runs", "--unresolved").code == 1)
    scene.reply("/pay", .fine)
    #expect(try await scene.baton("resolve", run, "--not-delivered", "--reason", "second").code == 0)
    #expect(try await scene.baton("resume", run).code == 0)
    expectCounts(1, 3, 1)
  }

  /// The run has ended, with an error of which nobody knows what it left: it can be said as after a crash.
  @Test(arguments: ["--delivered", "--not-delivered", "--authorise-retry"])
  func anAnswerThatIsLost(_ saying: String) async throws {
    scene.reply("/pay", .close, .fine)
    let lost = try await scene.baton("run", "a.flow.yaml")
    #expect(lost.code == 3, "\(lost)")
    let run = try await scene.run()
    _ = try await scene.baton("resume", run)
    #expect(scene.count("/pay") == 1, "never by itself")
    try scene.workspace.write("outputs.yaml", "id: '4711'\n")
    let outputs = saying == "--delivered" ? ["--outputs", "outputs.yaml"] : []
    let said = try await scene.workspace.seated(["resolve", run, saying, "--reason", "looked up"] + outputs)
    #expect(said.code == 0, "\(said)")
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    expectCounts(1, saying == "--delivered" ? 1 : 2, 1)
  }

  // MARK: - what cannot be said

  @Test func wrongUse() async throws {
    let run = try await killed()
    try scene.workspace.write("list.yaml", "- 1\n")
    let cases: [([String], String)] = [
      (["--delivered"], "--reason"), (["--delivered", "--reason", "  "], "`--reason` must say something"),
      (["--reason", "x"], "say one of `--delivered`, `--not-delivered` and `--authorise-retry`"),
      (["--delivered", "--not-delivered", "--reason", "x"], "say one of"),
      (["--delivered", "--authorise-retry", "--reason", "x"], "say one of"),
      (["--not-delivered", "--outputs", "list.yaml", "--reason", "x"], "`--outputs` goes with `--delivered`"),
      (["--delivered", "--outputs", "missing.yaml", "--reason", "x"], "`missing.yaml` cannot be read"),
      (["--delivered", "--outputs", "list.yaml", "--reason", "x"], "list.yaml"),
      (["--delivered", "--step", "before", "--reason", "x"], "nothing is in doubt at `before`"),
      (["--delivered", "--step", "nowhere", "--reason", "x"], "open: `pay`"),
    ]
    for (arguments, text) in cases {
      let said = try await scene.workspace.seated(["resolve", run] + arguments)
      #expect(said.code == 2, "\(arguments): \(said)")
      #expect(said.stderr.contains(text), "\(arguments): \(said)")
    }
    let unknown = try await scene.baton("resolve", "zzzz-zzzz", "--delivered", "--reason", "x")
    #expect(unknown.code == 2)
    #expect(unknown.stderr.contains("there is no run `zzzz-zzzz`"))
    #expect(unknown.stderr.contains(run), "the latest are named")
    #expect(try await scene.baton("resume", run).code == 4, "none of that has settled it")
  }

  @Test func twiceIsOnceAndTheContraryIsRefused() async throws {
    let run = try await killed()
    #expect(try await scene.baton("resolve", run, "--not-delivered", "--reason", "the bank has none").code == 0)
    let again = try await scene.baton("resolve", run, "--not-delivered", "--reason", "as I said")
    #expect(again.code == 0, "\(again)")
    for saying in ["--delivered", "--authorise-retry"] {
      let contrary = try await scene.baton("resolve", run, saying, "--reason", "on second thoughts")
      #expect(contrary.code == 2, "\(contrary)")
      #expect(contrary.stderr.contains("is settled already"), "\(contrary)")
    }
    #expect(try await scene.baton("show", run).stdout.contains("the bank has none"))
    #expect(try await scene.baton("resume", run).code == 0)
    expectCounts(1, 2, 1)
    let over = try await scene.baton("resolve", run, "--delivered", "--reason", "too late")
    #expect(over.code == 2)
    expectCounts(1, 2, 1)
  }

  @Test func aBeginningThatTwoRunsShare() async throws {
    // Of 33 runs two begin with the same letter.
    try scene.flow("steps:\n  - set: { a: 1 }\n", "b.flow.yaml")
    var ids: [String] = []
    var shared: Character?
    while shared == nil, ids.count < 40 {
      let run = try await scene.baton("run", "b.flow.yaml", "--json")
      ids.append(try #require(try JSONValue(run.stdout)["run"]?.text))
      shared = Dictionary(grouping: ids.compactMap(\.first)) { $0 }.first { $0.value.count > 1 }?.key
    }
    let beginning = String(try #require(shared))
    for arguments in [["resume", beginning], ["show", beginning], ["resolve", beginning, "--delivered", "--reason", "x"]] {
      let said = try await scene.workspace.seated(arguments)
      #expect(said.code == 2, "\(said)")
      for id in ids.filter({ $0.hasPrefix(beginning) }) { #expect(said.stderr.contains(id), "\(said)") }
    }
    for arguments in [["resume", ""], ["show", ""], ["resolve", "", "--delivered", "--reason", "x"]] {
      #expect(try await scene.workspace.seated(arguments).code == 2)
    }
  }

  @Test func aRunThatStillGoesOn() async throws {
    scene.reply("/pay", .hold)
    let (process, arrivals) = try scene.start(["run", "a.flow.yaml"])
    for await path in arrivals where path == "/pay" { break }
    let run = try await scene.run()
    let resolved = try await scene.baton("resolve", run, "--delivered", "--reason", "x")
    #expect(resolved.code == 2)
    #expect(resolved.stderr.contains("is still running"))
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 2)
    #expect(resumed.stderr.contains("is still going on"))
    #expect(try await scene.baton("runs").stdout.contains("running"))
    process.signal(SIGKILL)
    _ = try await process.end()
    #expect(scene.count("/pay") == 1)
  }

  /// What it was is what goes on; another flow is another run.
  @Test func theFlowHasChanged() async throws {
    let run = try await killed()
    #expect(try await scene.baton("resolve", run, "--not-delivered", "--reason", "none").code == 0)
    try scene.flow(Self.payment.replacing("amount: 7", with: "amount: 8"))
    let refused = try await scene.baton("resume", run)
    #expect(refused.code == 2)
    #expect(refused.stderr.contains("is not what it was when the run"))
    expectCounts(1, 1, 0)
    try scene.flow(Self.payment)
    #expect(try await scene.baton("resume", run).code == 0)
    expectCounts(1, 2, 1)
  }

  @Test func theRunOfASandboxThatEnded() async throws {
    try scene.flow("steps:\n  - fail: { code: user.stop, message: stop }\n", "b.flow.yaml")
    #expect(try await scene.baton("run", "b.flow.yaml", "--sandbox").code == 1)
    let refused = try await scene.baton("resume", try await scene.run())
    #expect(refused.code == 2)
    #expect(refused.stderr.contains("the sandbox of the run"))
  }

  /// Two who resume at once: one goes on, and the other is told.
  @Test func twoResumeAtOnce() async throws {
    let run = try await killed()
    #expect(try await scene.baton("resolve", run, "--not-delivered", "--reason", "none").code == 0)
    async let one = scene.baton("resume", run)
    async let other = scene.baton("resume", run)
    let codes = [try await one.code, try await other.code]
    #expect(codes.contains(0))
    #expect(codes.allSatisfy { $0 == 0 || $0 == 2 }, "\(codes)")
    expectCounts(1, 2, 1)
  }

  // MARK: - at the top and below

  /// Wherever it stands; what stood before it in a loop is not done again.
  @Test(arguments: ["group", "for_each", "call", "branch"])
  func whereverItStands(_ place: String) async throws {
    let flow =
      switch place {
      case "group": "steps:\n  - group:\n      - post: /before\n      - post: /pay\n      - post: /after\n"
      case "for_each":
        "steps:\n  - for_each: { in: \"['/before', '/pay', '/after']\", as: p, max_items: 5 }\n    steps:\n      - post: \"ORIGIN/{p}\"\n        with: { path: { p: \"${{ p.substring(1) }}\" } }\n"
      case "call": "steps:\n  - post: /before\n  - call: callee.flow.yaml\n  - post: /after\n"
      default:
        "steps:\n  - post: /before\n  - get: /missing\n    on_error:\n      - when: http.404\n        do:\n          - post: /pay\n        then: continue\n  - post: /after\n"
      }
    scene.reply("/missing", .answer(answer("404 Not Found")))
    try scene.flow(flow)
    try scene.flow("steps:\n  - post: /pay\n", "callee.flow.yaml")
    let run = try await killed()
    #expect(try await scene.baton("resume", run).code == 4)
    #expect(try await scene.baton("resolve", run, "--not-delivered", "--reason", "none").code == 0)
    let resumed = try await scene.baton("resume", run)
    #expect(resumed.code == 0, "\(resumed)")
    expectCounts(1, 2, 1)
  }

  /// Two at once are two doubts, and each has its step.
  @Test func moreThanOneIsOpen() async throws {
    try scene.flow(
      "steps:\n  - parallel: { branches: { a: [ { id: one, post: /pay } ], b: [ { id: two, post: /pay2 } ] } }\n  - post: /after\n")
    scene.reply("/pay", .hold, .fine)
    scene.reply("/pay2", .hold, .fine)
    let (process, arrivals) = try scene.start(["run", "a.flow.yaml"])
    for await _ in arrivals where scene.count("/pay") + scene.count("/pay2") == 2 { break }
    process.signal(SIGKILL)
    _ = try await process.end()
    let run = try await scene.run()
    let vague = try await scene.baton("resolve", run, "--not-delivered", "--reason", "none")
    #expect(vague.code == 2)
    #expect(vague.stderr.contains("2 things are open"))
    let steps = vague.stderr.matches(of: #/`([^`]*(?:one|two))`/#).map { String($0.1) }
    #expect(steps.count == 2, "\(vague)")
    for (index, step) in steps.enumerated() {
      #expect(try await scene.baton("resume", run).code == 4)
      let said = try await scene.baton("resolve", run, "--step", step, "--not-delivered", "--reason", "none \(index)")
      #expect(said.code == 0, "\(said)")
    }
    #expect(try await scene.baton("resume", run).code == 0)
    #expect([scene.count("/pay"), scene.count("/pay2"), scene.count("/after")] == [2, 2, 1])
  }
}
