import FlowEvents
import StepKit
import Testing
import Values

@Suite("Requests of a session")
struct SessionTests {
  @Test("appear under the connection's alias and count, though they are no step's")
  func reported() async throws {
    let play = try await Play(emergency, ["POST /oauth/token": [.token()], "POST /v1/rem/trigger": [.json(200)]], secrets: rapidsosSecrets)
    #expect(
      play.story == [
        "run", "+ fire", "> rapidsos POST /oauth/token 200", "> fire POST /v1/rem/trigger 200", "- fire succeeded", "end passed",
      ])
    #expect(play.report.requests == 2)
    #expect(play.step("fire")?.requests == 1)
    #expect(play.step("fire")?.lastRequest?.stepID == "fire")
  }

  @Test("count against `budget.requests`")
  func budget() async throws {
    let play = try await Play(
      "budget: { requests: 1 }\n" + emergency, ["POST /oauth/token": [.token()], "POST /v1/rem/trigger": [.json(200)]],
      secrets: rapidsosSecrets)
    #expect(play.outcome == "errored budget.requests")
    #expect(play.routes == ["POST /oauth/token"])
    #expect(play.step("fire")?.status == .failed)
  }

  @Test("no secret of theirs is in any event")
  func secrets() async throws {
    let play = try await Play(
      emergency, ["POST /oauth/token": [.token("t0ken-canary")], "POST /v1/rem/trigger": [.json(403, #"{"detail": "no"}"#)]],
      secrets: rapidsosSecrets)
    let seen = "\(play.events)"
    for secret in ["s3cr3t-client", "t0ken-canary"] { #expect(!seen.contains(secret)) }
    let sent = play.requests.map { "\($0.headers)" + String(decoding: $0.body ?? [], as: UTF8.self) }.joined()
    for secret in ["s3cr3t-client", "t0ken-canary"] { #expect(sent.contains(secret)) }
  }

  @Test("a log-in goes over its step and is counted there")
  func signIn() async throws {
    let play = try await Play(
      rapidsos.replacing("[client_id, client_secret]", with: "[client_id, client_secret, password]") + """
        steps:
          - id: log_in
            uses: rapidsos/authenticate
            with: { grant: password, username: dana, password: "${{ secrets.password }}" }
          - { id: say, uses: log, with: { message: "${{ default(steps.log_in.outputs.token_type, '') }}" } }
        """, ["POST /oauth/token": [.token("u1")]], secrets: rapidsosSecrets.merging(["password": "correct-horse"]) { $1 })
    #expect(play.story.contains("> log_in POST /oauth/token 200"))
    #expect(play.step("log_in")?.requests == 1)
    #expect(!"\(play.events)".contains("correct-horse"))
  }
}
