import StepKit
import Testing
import Values

@testable import BatonKit

/// The last thing before an emergency leaves: a person reads what will be sent, and types its key.
@Suite("The confirmation of an emergency")
struct LiveConfirmationTests {
  private func request(_ key: String = "incident-1", body: String = #"{"callflow":"kronos_contacts","n":12.50}"#) -> LiveRequest {
    LiveRequest(
      system: "rapidsos", key: key, stepID: "trigger", method: "POST", url: "https://api.example.test/v1/rem/trigger",
      host: "api.example.test", isLoopback: false, body: Array(body.utf8), validFor: .seconds(300), canReconcile: false,
      unverifiable: "RapidSOS has no look-up")
  }

  private func confirmation(_ person: LivePerson, confirmed: [String] = [], canAsk: Bool = true, hidden: [String] = []) -> LiveConfirmation
  {
    let redact: @Sendable (String) -> String = { text in hidden.reduce(text) { $0.replacing($1, with: "[secret]") } }
    return LiveConfirmation(
      environment: "production", confirmed: confirmed, canAsk: canAsk, prompt: person, show: { person.show(redact($0)) }, redact: redact,
      asks: { person.stands($0) })
  }

  private func refusal(_ person: LivePerson, _ request: LiveRequest, confirmed: [String] = [], canAsk: Bool = true) async -> StepFailure? {
    await #expect(throws: StepFailure.self) { try await confirmation(person, confirmed: confirmed, canAsk: canAsk).confirm(request) }
  }

  @Test("shows all that will be sent, and takes the key")
  func typed() async throws {
    let person = LivePerson("incident-1")
    try await confirmation(person).confirm(request())
    #expect(
      person.seen == """
        ========================================================================
        LIVE EMERGENCY: step `trigger` is ready to be sent

          sends        POST https://api.example.test/v1/rem/trigger
          to           api.example.test
          environment  production
          key          incident-1
          of           rapidsos
          valid for    5 min from its confirmation to its first byte
          in doubt     nobody can look it up: RapidSOS has no look-up
          body
            {
              "callflow": "kronos_contacts",
              "n": 12.5
            }
        ========================================================================
        ? type the key to send it, or nothing to stop: incident-1
        confirmed

        """)
  }

  @Test("says so and goes on where `--confirm` names the key")
  func named() async throws {
    let person = LivePerson()
    try await confirmation(person, confirmed: ["other", "incident-1"], canAsk: false).confirm(request())
    #expect(person.seen.contains("POST https://api.example.test/v1/rem/trigger"))
    #expect(person.seen.hasSuffix("the key is confirmed by `--confirm`\n"))
    #expect(!person.seen.contains("?"))
  }

  @Test("three tries")
  func tries() async throws {
    let slow = LivePerson("incident-2", "incident-1 ", "incident-1")
    try await confirmation(slow).confirm(request())
    #expect(slow.seen.contains("(this is not the key; 2 tries are left)"))
    #expect(slow.seen.contains("(this is not the key; 1 try is left)"))
    let wrong = LivePerson("1", "2", "3", "incident-1")
    let failure = await refusal(wrong, request())
    #expect(failure?.detail == "its key was mistyped 3 times; nothing was sent")
  }

  @Test("nothing, or the end of the input, declines", arguments: [[""], []])
  func declined(lines: [String]) async {
    let failure = await refusal(lines.isEmpty ? LivePerson() : LivePerson(lines[0]), request())
    #expect(failure?.code == "config.not_confirmed")
    #expect(failure?.sent == .no)
    #expect(failure?.isCatchable == false)
  }

  @Test("a cancelled run declines, and asks nothing")
  func cancelled() async {
    let person = LivePerson("incident-1")
    let task = Task { () -> String in
      while !Task.isCancelled { await Task.yield() }
      do throws(StepFailure) {
        try await confirmation(person).confirm(request())
        return "sent"
      } catch { return error.code }
    }
    task.cancel()
    #expect(await task.value == "config.not_confirmed")
    #expect(person.seen == "")
  }

  @Test("without a terminal only a named key goes", arguments: [[], ["incident-2"], ["incident-1\n"]])
  func nobody(confirmed: [String]) async {
    let failure = await refusal(LivePerson("incident-1"), request(), confirmed: confirmed, canAsk: false)
    #expect(failure?.code == "config.not_confirmed")
    #expect(failure?.detail.hasSuffix("nothing was sent") == true)
  }

  @Test("asks nothing of what stays on this machine")
  func sandbox() async throws {
    let person = LivePerson()
    var local = request()
    local.isLoopback = true
    try await confirmation(person, canAsk: false).confirm(local)
    #expect(person.seen == "")
  }

  @Test("two of one run are asked one after the other")
  func turns() async throws {
    let person = LivePerson("incident-1", "incident-1", "incident-1")
    let confirmation = confirmation(person)
    let request = request()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try? await confirmation.confirm(request) } }
    }
    #expect(person.mostAtOnce == 1)
    let blocks = person.seen.split(separator: "LIVE EMERGENCY").dropFirst()
    #expect(blocks.count == 3)
    #expect(blocks.allSatisfy { $0.contains("? type the key") && $0.contains("confirmed\n") })
  }

  @Test("the one behind a declined one is asked still")
  func turnAfterDecline() async throws {
    let person = LivePerson("", "incident-1")
    let confirmation = confirmation(person)
    _ = await #expect(throws: StepFailure.self) { try await confirmation.confirm(request()) }
    try await confirmation.confirm(request())
  }

  @Test("no text of it reaches the terminal as a command, and no secret as itself")
  func hostile() async throws {
    let person = LivePerson("a\u{1B}[2J\u{202E}b")
    var hostile = request("a\u{1B}[2J\u{202E}b", body: #"{"name":"\u001b]52;c;x\u0007 \u202e","token":"top-secret-token"}"#)
    hostile.unverifiable = "x\u{1B}[1m\n  key          other"
    try await confirmation(person, hidden: ["top-secret-token"]).confirm(hostile)
    let shown = person.seen.replacing("a\u{1B}[2J\u{202E}b\nconfirmed", with: "")
    #expect(!shown.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x07 || $0.value == 0x202E })
    #expect(shown.contains(#"  key          a\u{1b}[2J\u{202e}b"#))
    #expect(shown.contains(#"x\u{1b}[1m\n  key          other"#))
    #expect(shown.contains(#""token": "[secret]""#))
    #expect(shown.split(separator: "\n").filter { $0.hasPrefix("  key ") }.count == 1)
  }

  @Test("a body that is no JSON is shown as it is, one that is no text is counted, a long one is counted behind its beginning")
  func bodies() {
    func shown(_ body: [UInt8]?) -> String {
      var request = request()
      request.body = body
      return request.text(environment: "", redact: { $0 })
    }
    #expect(shown(Array("a=1&b=2".utf8)).contains("  body\n    a=1&b=2\n"))
    #expect(shown(Array(#"{"a":1,"a":2}"#.utf8)).contains(#"    {"a":1,"a":2}"#))
    #expect(shown([0xFF, 0xFE]).contains("  body         2 bytes that are no text\n"))
    #expect(shown(nil).contains("  body         none\n"))
    #expect(shown(Array(String(repeating: "x\n", count: 300).utf8)).contains("    … and 101 lines more (600 bytes in all)\n"))
    #expect(shown(nil).contains("  environment  none\n"))
  }

  @Test(
    "says how it could be found out",
    arguments: [
      (true, nil, nil, "the flow looks up what became of it"), (false, "k", nil, "the same key may be sent again"),
      (false, nil, nil, "nobody can look it up"),
    ] as [(Bool, String?, String?, String)])
  func doubt(canReconcile: Bool, key: String?, reason: String?, text: String) {
    var request = request()
    (request.canReconcile, request.idempotencyKey, request.unverifiable) = (canReconcile, key, reason)
    #expect(request.text(environment: "", redact: { $0 }).contains("  in doubt     \(text)\n"))
  }
}
