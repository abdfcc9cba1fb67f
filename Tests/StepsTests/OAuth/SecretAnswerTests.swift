import HTTPTypes
import StepKit
import Steps
import Synchronization
import Testing
import Values

@Suite("Secrets in the answers of authorization servers")
struct SecretAnswerTests {
  private let watch = Watch()

  private func world(_ answers: [Result<TransportReply, TransportFailure>], oauth: String = "") throws -> OAuthWorld {
    var world = try OAuthWorld(answers, oauth: oauth)
    world.hooks = watch.hooks
    return world
  }

  private func redirect(_ location: String) -> Result<TransportReply, TransportFailure> { .text(302, "", [.location: location]) }

  private static let ask = #"{"authorization_url": "https://id.test/authorize", "redirect_uri": "https://app.test/cb", "state": "s""#

  @Test(
    "what a redirect brings is hidden before anybody is told of the answer, whatever comes of it",
    arguments: [
      ("https://app.test/cb#access_token=acc%2B1&id_token=idt-1&state=s", "token", ["acc+1", "acc%2B1", "idt-1"]),
      ("https://app.test/cb?code=co%2De&state=s", "code", ["co-e", "co%2De"]),
      ("https://app.test/cb?code=forged-1&state=t", "code", ["forged-1"]),
      ("https://elsewhere.test/cb?code=lost-1", "code", ["lost-1"]),
    ])
  func redirects(location: String, type: String, secrets: [String]) async throws {
    let world = try world([redirect(location)])
    _ = try? await world.run("oauth/authorize", Self.ask + #", "response_type": "\#(type)"}"#)
    #expect(watch.hiddenAtReply == Set(secrets))
    #expect(watch.reply?.value["headers"]?["location"]?.containsSecret == true)
  }

  @Test("a state that was made for the request is not in its URL where it is shown; one that the flow states is")
  func state() async throws {
    let world = try world([.text(200), .text(200)])
    _ = await world.failure("oauth/authorize", #"{"authorization_url": "https://id.test/authorize"}"#)
    #expect(watch.shown.last?.contains("&state=[secret]&") == true)
    _ = await world.failure("oauth/authorize", Self.ask + "}")
    #expect(watch.shown.last?.contains("&state=s&") == true)
  }

  @Test(
    "a token endpoint that does not answer in the words of RFC 6749 gives nothing away",
    arguments: [
      ("application/x-www-form-urlencoded", "access_token=acc-1&token_type=bearer&refresh_token=ref%2D1", ["acc-1", "ref-1", "ref%2D1"]),
      ("text/plain", "acc-1", []), ("text/html", "<p>access_token: acc-1</p>", []),
      ("application/json", #"{"accessToken": "acc-1", "data": {"refreshToken": "ref-1"}}"#, ["acc-1", "ref-1"]),
      ("application/json", #"{"access_token": "acc-1","#, []),
    ])
  func otherForms(type: String, body: String, secrets: [String]) async throws {
    let world = try world([.text(200, body, [.contentType: type])])
    let failure = await world.failure("oauth/token", #"{"grant": "authorization_code", "code": "the-code"}"#)
    #expect(failure?.code == "decode")
    #expect(failure?.answer?.body.containsSecret == true)
    #expect(watch.hiddenAtEnd == Set(secrets + ["the-code"]))
  }

  @Test("a gateway's page is shown, for it helps whoever reads it")
  func page() async throws {
    let world = try world([.text(502, "bad gateway", [.contentType: "text/html"])])
    let failure = await world.failure("oauth/token", #"{"grant": "authorization_code", "code": "the-code"}"#)
    #expect(failure?.answer?.body == "bad gateway")
  }

  @Test("what a token is asked for with is hidden before it is sent")
  func asked() async throws {
    let world = try world([.json(400, #"{"error": "invalid_grant", "error_description": "no such code: the-code"}"#)])
    _ = await world.failure(
      "oauth/token",
      #"{"grant": "authorization_code", "code": "the-code", "client_id": "x", "client_secret": "the-secret", "client_auth": "form"}"#)
    #expect(watch.hiddenAtSending == ["the-code", "the-secret"])
  }
}

/// Notes what was hidden when something was told.
private final class Watch: Sendable {
  private struct State {
    var hidden: Set<String> = []
    var atSending: Set<String> = []
    var atReply: Set<String> = []
    var atEnd: Set<String> = []
    var reply: HTTPReply?
    var shown: [String] = []
  }

  private let state = Mutex(State())

  var hiddenAtSending: Set<String> { state.withLock { $0.atSending } }
  var hiddenAtReply: Set<String> { state.withLock { $0.atReply } }
  /// When the answer was told, or the failure of one that could not be read.
  var hiddenAtEnd: Set<String> { state.withLock { $0.atEnd } }
  var reply: HTTPReply? { state.withLock { $0.reply } }
  var shown: [String] { state.withLock { $0.shown } }

  var hooks: HTTPHooks {
    HTTPHooks(
      observe: { [self] event in
        state.withLock { state in
          switch event {
          case .sending(let exchange):
            state.atSending = state.hidden
            state.shown.append(exchange.url)
          case .replied(_, let reply, _):
            state.reply = reply
            (state.atReply, state.atEnd) = (state.hidden, state.hidden)
          case .failed: state.atEnd = state.hidden
          }
        }
      },
      hide: { [self] texts in state.withLock { $0.hidden.formUnion(texts) } })
  }
}
