import StepKit
import Testing

/// Two answers of Afero hold live secrets among ordinary members; no report shows them.
@Suite("What Afero's answers keep secret") struct AferoSecretTests {
  @Test func theSecretOfAPartnersApp() async throws {
    let user = #"""
      {"userId": "usr-9", "firstName": "Ann", "lastName": "Lee", "accountAccess": [], "tos": [], "partnerAccess": [
        {"partner": {"partnerId": "par-1", "name": "Maker", "clientId": "maker", "clientSecret": "canary"}, "privileges": {"owner": true}}]}
      """#
    for answer in ShownText.forms(of: user) {
      let shown = try await ShownText("afero", answer).step("afero/get-account-info", "{}")
      #expect(!shown.contains("canary"))
    }
  }

  @Test func whatOpensConclave() async throws {
    let access = #"{"conclaveHosts": [{"host": "conclave.example.test", "port": 8883}], "tokens": [{"token": "canary", "channelId": "a"}]}"#
    for answer in ShownText.forms(of: access) {
      let shown = try await ShownText("afero", answer).step("afero/get-conclave-access", #"{"account_id": "acc-71"}"#)
      #expect(!shown.contains("canary"))
    }
  }

  @Test func whatGivesTokens() async throws {
    for answer in ShownText.forms(of: #"{"access_token": "canary-1", "refresh_token": "canary-2"}"#) + [.text(200, "canary")] {
      let grant = TokenGrant.user(Credentials(username: "ann@example.test", password: "hunter22"))
      #expect(!(try await ShownText("afero", answer).token(grant)).contains("canary"))
    }
  }
}
