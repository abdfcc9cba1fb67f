import FoundationEssentials
import Glibc
import TestKit
import Testing

/// Which outcomes of a request that must not leave twice are a doubt, what a flow may do about it, and what a look-up says.
@Suite(.timeLimit(.minutes(10))) struct DoubtOutcomeTests {
  private let seat: Seat
  private let scene: Scene

  init() async throws {
    seat = await Seat.take()
    scene = try Scene()
  }

  private static func trigger(_ modifiers: String = "", body: String = "Dana Reyes", key: String = "incident-1") -> String {
    """
    connections:
      rapidsos: { base_url: "ORIGIN", client_id: an-id, client_secret: a-secret-of-the-test }
    steps:
      - id: fire
        uses: rapidsos/trigger-call-flow
        attempt_timeout: ATTEMPT
        dedupe_key: \(key)
        with:
          call_flow: kronos_contacts
          variables:
            location: { latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }
            user: { full_name: \(body), phone_number: (234) 567-8888 }
            company: Baton
    \(modifiers)
    outputs: { alert: "${{ default(steps.fire.outputs.alert_id, 'none') }}" }

    """
  }

  private static let route = "/v1/rem/trigger"

  private func trigger(_ modifiers: String = "", attempt: String = "15s", body: String = "Dana Reyes", key: String = "incident-1") throws {
    try scene.flow(Self.trigger(modifiers, body: body, key: key).replacing("ATTEMPT", with: attempt))
  }

  /// A plain request that says of itself that it must not leave twice.
  private func plain(_ modifiers: String = "", attempt: String = "15s") throws {
    try scene.flow("steps:\n  - id: fire\n    post: /v1/rem/pay\n    effect: once\n    attempt_timeout: \(attempt)\n\(modifiers)\n")
  }

  /// Of the step, whose look-up has steps of its own.
  private static func status(_ report: JSONValue) -> String? {
    report["steps"]?.items.first { $0["id"] == .string("fire") || $0["path"] == .string("fire") }?["status"]?.text
  }

  enum Loss: String, CaseIterable, Sendable {
    case answers500, answers503, answers418, timesOut, truncates, closes, resets, resetsAfterTheFirstByte, answersNonsense

    var reply: Scene.Reply {
      switch self {
      case .answers500: .answer(answer("500 Oops", #"{"error": "x"}"#))
      case .answers503: .answer(answer("503 Service Unavailable"))
      case .answers418: .answer(answer("418 Teapot"))
      case .timesOut: .hold
      case .truncates: .tear("HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\n{")
      case .closes: .close
      case .resets: .reset
      case .resetsAfterTheFirstByte: .tear("H")
      case .answersNonsense: .tear("SSH-2.0-OpenSSH_9.2\r\n")
      }
    }
  }

  // MARK: - what is a doubt

  /// Even with retries that the flow's defaults ask for, one request leaves, and the run can be told from others.
  @Test(arguments: Loss.allCases, [true, false])
  func aLostAnswerIsADoubt(_ loss: Loss, isEmergency: Bool) async throws {
    let attempt = loss == .timesOut ? waitForAnswer : "15s"
    try isEmergency ? trigger(attempt: attempt) : plain(attempt: attempt)
    let path = isEmergency ? Self.route : "/v1/rem/pay"
    try scene.workspace.write("a.flow.yaml", "defaults: { retry: { attempts: 3, delay: 1ms } }\n" + scene.workspace.read("a.flow.yaml"))
    scene.reply(path, loss.reply)
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 4, "\(run)")
    #expect(try JSONValue(run.stdout)["verdict"] == .string("indeterminate"))
    let id = try await scene.run()
    #expect(try await scene.baton("runs", "--unresolved").code == 1)
    let resumed = try await scene.baton("resume", id)
    #expect(resumed.code == 4, "\(resumed)")
    #expect(scene.count(path) == 1)
  }

  @Test(arguments: [
    ("400 Bad Request", "rapidsos.missing_variable"), ("404 Not Found", "rapidsos.unknown_call_flow"),
    ("429 Too Many Requests", "http.429"),
  ])
  func aRefusalIsNone(_ status: String, _ code: String) async throws {
    try trigger()
    scene.reply(Self.route, .answer(answer(status, #"{"detail": "x"}"#)), .answer(answer("202 Accepted", #"{"alert_id": "al_1"}"#)))
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code != 4, "\(run)")
    #expect(run.code != 0)
    let error = try JSONValue(run.stdout)["error"]
    #expect(error?["rejected"] == .bool(true), "\(run)")
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
    // The key is free.
    let again = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(again.code == 0, "\(again)")
    #expect(scene.count(Self.route) == 2)
  }

  @Test(arguments: [true, false])
  func whatNeverLeftIsNone(isEmergency: Bool) async throws {
    try isEmergency ? trigger() : plain()
    let text = try scene.workspace.read("a.flow.yaml")
    try scene.workspace.write("a.flow.yaml", text.replacing("127.0.0.1:\(scene.server.port)", with: "127.0.0.1:\(try closedPort())"))
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 3, "\(run)")
    #expect(try JSONValue(run.stdout)["error"]?["sent"] == .string("no"))
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
    // The key is free, for another body too, and the run itself can go on.
    try scene.workspace.write("b.flow.yaml", text.replacing("Dana Reyes", with: "Ira Reyes"))
    let again = try await scene.baton("run", "b.flow.yaml", "--json")
    #expect(again.code == 0, "\(again)")
    #expect(scene.count(isEmergency ? Self.route : "/v1/rem/pay") == 1)
  }

  /// Whatever its body: the provider has accepted it.
  @Test(arguments: ["200 OK", "202 Accepted"], ["", "nonsense", #"{"alert_id": 7}"#])
  func anAnswerThatIsWhole(_ status: String, _ body: String) async throws {
    try trigger()
    scene.reply(Self.route, .answer(answer(status, body)))
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 0, "\(run)")
    #expect(scene.count(Self.route) == 1)
  }

  // MARK: - what a flow does about it

  /// A branch acts, and lifts nothing.
  @Test(arguments: ["continue", "fail", "{ end: passed }"])
  func aBranchCallsForOtherHelp(_ then: String) async throws {
    let outputs = then == "continue" ? "\n        outputs: { alert_id: none }" : ""
    try trigger(
      "    on_error:\n      - when: indeterminate\n        do:\n          - post: ORIGIN/fallback\n        then: \(then)\(outputs)"
        .replacing("then: { end: passed }", with: "then: end\n        verdict: passed"))
    scene.reply(Self.route, .close)
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 4, "\(run)")
    #expect(try JSONValue(run.stdout)["verdict"] == .string("indeterminate"))
    #expect(scene.count("/fallback") == 1)
    #expect(scene.count(Self.route) == 1)
    #expect(try await scene.baton("runs", "--unresolved").code == 1)
    let resumed = try await scene.baton("resume", try await scene.run())
    #expect(resumed.code == 4)
    #expect(scene.count("/fallback") == 1)
    #expect(scene.count(Self.route) == 1)
  }

  // MARK: - what a look-up says

  private static let lookUp = """
        reconcile:
          steps:
            - id: look
              get: ORIGIN/alerts
          delivered: "${{ steps.look.response.body.found }}"
          outputs: { alert_id: looked-up }
    """

  @Test(arguments: [true, false])
  func aLookUpFindsIt(isEmergency: Bool) async throws {
    try isEmergency ? trigger(Self.lookUp) : plain(Self.lookUp.replacing("\n      outputs: { alert_id: looked-up }", with: ""))
    scene.reply(isEmergency ? Self.route : "/v1/rem/pay", .close)
    scene.reply("/alerts", .answer(answer("200 OK", #"{"found": true}"#)))
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 0, "\(run)")
    let report = try JSONValue(run.stdout)
    #expect(Self.status(report) == "recovered", "\(run)")
    if isEmergency { #expect(report["outputs"] == .map(["alert": .string("looked-up")])) }
    #expect(scene.count("/alerts") == 1)
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
    guard isEmergency else { return }
    let again = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(again.code == 0, "\(again)")
    #expect(try Self.status(JSONValue(again.stdout)) == "replayed", "\(again)")
    #expect(scene.count(Self.route) == 1)
  }

  /// It is sent again as often as `retry` allows, and once where the first is found missing.
  @Test func aLookUpFindsNothing() async throws {
    try trigger(Self.lookUp + "\n    retry: { attempts: 3, delay: 1ms }")
    scene.reply(Self.route, .close, .answer(answer("202 Accepted", #"{"alert_id": "al_2"}"#)))
    scene.reply("/alerts", .answer(answer("200 OK", #"{"found": false}"#)))
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 0, "\(run)")
    #expect(try JSONValue(run.stdout)["outputs"] == .map(["alert": .string("al_2")]))
    #expect(scene.count(Self.route) == 2)
    #expect(scene.count("/alerts") == 1)
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
  }

  @Test(arguments: ["null", "answers 500", "no answer", "another type"])
  func aLookUpCannotTell(_ way: String) async throws {
    try trigger(Self.lookUp)
    scene.reply(Self.route, .close)
    let reply: Scene.Reply =
      switch way {
      case "null": .answer(answer("200 OK", #"{"found": null}"#))
      case "answers 500": .answer(answer("500 Oops"))
      case "no answer": .close
      default: .answer(answer("200 OK", #"{"found": "yes"}"#))
      }
    scene.reply("/alerts", reply)
    let run = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(run.code == 4, "\(run)")
    #expect(scene.count(Self.route) == 1)
    let id = try await scene.run()
    #expect(try await scene.baton("runs", "--unresolved").code == 1)
    // Looked up again, as often as one likes.
    let stuck = try await scene.baton("resume", id)
    #expect(stuck.code == 4, "\(stuck)")
    scene.reply("/alerts", .answer(answer("200 OK", #"{"found": true}"#)))
    let found = try await scene.baton("resume", id, "--json")
    #expect(found.code == 0, "\(found)")
    #expect(scene.count(Self.route) == 1)
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
  }

  /// The look-up settles what a crash has left, for an emergency and for what is merely unsafe.
  @Test(arguments: [true, false], [true, false])
  func aLookUpAfterACrash(isEmergency: Bool, isDelivered: Bool) async throws {
    let path = isEmergency ? Self.route : "/pay"
    if isEmergency {
      try trigger(Self.lookUp + "\n    retry: { attempts: 2, delay: 1ms }")
    } else {
      try scene.flow(
        "steps:\n  - id: fire\n    post: /pay\n    retry: { attempts: 2, delay: 1ms }\n"
          + Self.lookUp.replacing("\n      outputs: { alert_id: looked-up }", with: "") + "\n")
    }
    scene.reply(path, .hold, .fine)
    scene.reply("/alerts", .answer(answer("200 OK", #"{"found": \#(isDelivered)}"#)))
    let killed = try await scene.baton("run", "a.flow.yaml", signalled: SIGKILL, at: path)
    #expect(killed.code == -SIGKILL)
    let id = try await scene.run()
    let resumed = try await scene.baton("resume", id, "--json")
    #expect(resumed.code == 0, "\(resumed)")
    #expect(scene.count("/alerts") == 1)
    #expect(scene.count(path) == (isDelivered ? 1 : 2))
    #expect(try await scene.baton("runs", "--unresolved").code == 0)
    #expect(try await scene.baton("resume", id).code == 0)
    #expect(scene.count(path) == (isDelivered ? 1 : 2))
  }

  // MARK: - one key, many runs

  @Test func twoShellsAtOnce() async throws {
    try trigger()
    scene.reply(Self.route, .answer(answer("202 Accepted", #"{"alert_id": "al_1"}"#)))
    async let one = scene.baton("run", "a.flow.yaml", "--json", environment: ["BATON_STATE_DIR": "\(scene.workspace.path)/one"])
    async let two = scene.baton("run", "a.flow.yaml", "--json", environment: ["BATON_STATE_DIR": "\(scene.workspace.path)/two"])
    let ends = [try await one, try await two]
    #expect(scene.count(Self.route) == 1)
    let statuses = try ends.map { try Self.status(JSONValue($0.stdout)) ?? "none" }
    #expect(statuses.contains("succeeded"), "\(ends)")
    // The other one came in the middle of it, or after it.
    #expect(
      statuses.contains("replayed") || statuses.contains("indeterminate") || ends.contains { $0.code == 3 || $0.code == 1 }, "\(ends)")
    let later = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(later.code == 0)
    #expect(try Self.status(JSONValue(later.stdout)) == "replayed")
    #expect(try JSONValue(later.stdout)["outputs"] == .map(["alert": .string("al_1")]))
    #expect(scene.count(Self.route) == 1)
  }

  /// The second comes while the first one's answer is awaited.
  @Test func whileTheOtherIsUnderWay() async throws {
    try trigger()
    scene.reply(Self.route, .hold)
    let (first, arrivals) = try scene.start(["run", "a.flow.yaml"])
    for await path in arrivals where path == Self.route { break }
    let second = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(second.code != 0, "\(second)")
    #expect(scene.count(Self.route) == 1)
    first.signal(SIGKILL)
    _ = try await first.end()
    let third = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(third.code == 4, "\(third)")
    #expect(scene.count(Self.route) == 1)
  }

  @Test func anotherBodyUnderASpentKey() async throws {
    try trigger()
    scene.reply(Self.route, .answer(answer("202 Accepted", #"{"alert_id": "al_1"}"#)))
    #expect(try await scene.baton("run", "a.flow.yaml").code == 0)
    try trigger(body: "Ira Reyes")
    let other = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(other.code != 0, "\(other)")
    #expect(other.everything.contains("incident-1"), "\(other)")
    #expect(scene.count(Self.route) == 1)
    try trigger(body: "Ira Reyes", key: "incident-2")
    #expect(try await scene.baton("run", "a.flow.yaml").code == 0)
    #expect(scene.count(Self.route) == 2)
  }

  @Test func aSpentKeyOfADoubt() async throws {
    try trigger()
    scene.reply(Self.route, .close, .answer(answer("202 Accepted", #"{"alert_id": "al_1"}"#)))
    #expect(try await scene.baton("run", "a.flow.yaml").code == 4)
    let id = try await scene.run()
    #expect(try await scene.baton("run", "a.flow.yaml").code == 4)
    #expect(scene.count(Self.route) == 1)
    let said = try await scene.baton("resolve", id, "--not-delivered", "--reason", "the provider has none")
    #expect(said.code == 0, "\(said)")
    let again = try await scene.baton("run", "a.flow.yaml")
    #expect(again.code == 0, "\(again)")
    #expect(scene.count(Self.route) == 2)
    #expect(try await scene.baton("run", "a.flow.yaml").code == 0)
    #expect(scene.count(Self.route) == 2, "replayed")
  }

  @Test func aSpentKeyThatWasDelivered() async throws {
    try trigger()
    scene.reply(Self.route, .close)
    #expect(try await scene.baton("run", "a.flow.yaml").code == 4)
    let said = try await scene.baton("resolve", try await scene.run(), "--delivered", "--reason", "told by phone")
    #expect(said.code == 0, "\(said)")
    let again = try await scene.baton("run", "a.flow.yaml", "--json")
    #expect(again.code == 0, "\(again)")
    #expect(try Self.status(JSONValue(again.stdout)) == "replayed")
    #expect(scene.count(Self.route) == 1)
  }
}
