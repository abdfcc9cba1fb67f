import StepKit
import Testing
import Values

@Suite("A request for a token that fails while another step waits for it")
struct TokenRequestFailureTests {
  private static let client = #", "client_secret": "s3cret", "grant": "client_credentials""#

  @Test(
    "says that it was the token request, and where it went",
    arguments: [
      (.json(400, #"{"error": "invalid_scope"}"#), "http.400", ": `invalid_scope`"),
      (.json(200, #"{"token": "t"}"#), "decode", ": `access_token` is missing"),
      (.text(503), "http.503", ""),
      (.json(401, #"{"error": "invalid_client"}"#), "auth.invalid_client", ": `invalid_client`"),
      (.failure(TransportFailure(.connect, sent: .no, message: "connection refused")), "network.connect", ": connection refused"),
    ] as [(Result<TransportReply, TransportFailure>, String, String)])
  func told(answer: Result<TransportReply, TransportFailure>, code: String, rest: String) async throws {
    let world = try OAuthWorld([answer], oauth: Self.client)
    let failure = await #expect(throws: StepFailure.self) { try await world.get("/reports") }
    #expect(failure?.code == code)
    #expect(failure?.detail == "in the token request `POST https://id.test/token`\(rest)")
    #expect(failure?.sent == .no)
  }

  @Test("says so of a renewal after a 401 too, of which the step's own answer tells nothing")
  func renewal() async throws {
    let world = try OAuthWorld([OAuthWorld.token(1), .text(401), .text(502)], oauth: Self.client)
    let failure = await #expect(throws: StepFailure.self) { try await world.get("/reports") }
    #expect(failure?.code == "http.502")
    #expect(failure?.detail == "in the token request `POST https://id.test/token`")
    #expect(failure?.isRejected == true)
  }

  @Test("is the cause of a session that has ended, and tells where it was refused")
  func cause() async throws {
    let world = try OAuthWorld(
      [.json(400, #"{"error": "invalid_grant"}"#)], oauth: #", "grant": "refresh_token", "refresh_token": "r-own""#)
    let failure = await #expect(throws: StepFailure.self) { try await world.get("/reports") }
    #expect(failure?.code == "auth.expired")
    #expect(failure?.detail == "the token of the connection's settings could not be renewed")
    #expect(failure?.cause?.detail == "in the token request `POST https://id.test/token`: `invalid_grant`")
  }

  @Test("has a URL below the connection's base in whole")
  func relative() async throws {
    let world = try OAuthWorld([.text(500)], oauth: Self.client, tokenURL: "/oauth/token?tenant=t")
    let failure = await #expect(throws: StepFailure.self) { try await world.get("/reports") }
    #expect(failure?.detail == "in the token request `POST https://api.test/oauth/token?tenant=t`")
  }

  @Test("is left as it is where a step signs in: its own request is the token request")
  func ownRequest() async throws {
    let refusal: Result<TransportReply, TransportFailure> = .json(400, #"{"error": "invalid_scope"}"#)
    let world = try OAuthWorld([refusal, refusal], oauth: Self.client)
    let own = await #expect(throws: StepFailure.self) { try await world.session.signIn(.client, over: world.port(.unsafe, .none)) }
    #expect(own?.detail == "`invalid_scope`")
    let session = await #expect(throws: StepFailure.self) { try await world.session.signIn(.client) }
    #expect(session?.detail == "in the token request `POST https://id.test/token`: `invalid_scope`")
  }
}
