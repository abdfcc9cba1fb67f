import StepKit
import Testing

@Suite("What RapidSOS's answers keep secret") struct RapidSOSSecretTests {
  @Test(
    "is every token, in whatever form it comes", arguments: [TokenGrant.client, .user(Credentials(username: "dana", password: "horse"))])
  func tokens(grant: TokenGrant) async throws {
    let token = #"{"access_token": "canary-1", "refresh_token": "canary-2", "issued_at": "1732150800000", "expires_in": "3600"}"#
    for answer in ShownText.forms(of: token) + [.text(200, "canary")] {
      #expect(!(try await ShownText("rapidsos", answer).token(grant)).contains("canary"))
    }
  }
}
