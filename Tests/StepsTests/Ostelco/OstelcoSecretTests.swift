import StepKit
import Testing

/// What a mobile operator, its tenant and its payment provider say of somebody's money and papers is in no report.
@Suite("What Ostelco and OYA keep secret") struct OstelcoSecretTests {
  private static let operators = ["ostelco", "oya"]

  @Test(arguments: operators)
  func aSavedSourceIsNowhere(system: String) async throws {
    let source = #"{"id": "card_canary", "type": "card", "details": {"id": "card_canary", "last4": "4242"}}"#
    for answer in ShownText.forms(of: "[\(source)]") {
      let shown = try await ShownText(system, answer).step("\(system)/list-payment-sources", "{}")
      #expect(!shown.contains("canary"))
    }
    for step in ["add-payment-source", "set-default-source", "remove-source"] {
      for answer in ShownText.forms(of: #"{"id": "card_canary"}"#) {
        let shown = try await ShownText(system, answer).step("\(system)/\(step)", #"{"source_id": "tok_canary"}"#)
        #expect(!shown.contains("canary"), "\(step)")
      }
    }
  }

  @Test(arguments: operators, ["sourceId canary amount", "No such source: 'src_canary'", "Charged card_9canary"])
  func aSourceThatTheProviderNamesIsNowhere(system: String, words: String) async throws {
    let refusal = Result.json(
      403,
      #"{"errorCode": "FAILED", "error": {"description": "Failed for \#(words) 1500", "message": "card_declined", "error": null}, "status": 403, "message": "Failed. "}"#
    )
    // The default source pays, which the flow does not know.
    for (step, with) in [
      ("purchase-product", #"{"sku": "1GB_15SGD"}"#), ("list-payment-sources", "{}"), ("set-default-source", #"{"source_id": "x"}"#),
    ] {
      let shown = try await ShownText(system, refusal).step("\(system)/\(step)", with)
      #expect(!shown.contains("canary"), "\(step)")
      // The bank's word for it is no source.
      #expect(shown.contains("card_declined"), "\(step)")
    }
  }

  @Test func thePaymentProvidersKeyIsNowhere() async throws {
    for answer in ShownText.forms(of: #"{"id": "ephkey_1", "secret": "canary"}"#) {
      let shown = try await ShownText("ostelco", answer).step("ostelco/get-stripe-key", #"{"api_version": "1"}"#)
      #expect(!shown.contains("canary"))
    }
  }

  @Test(arguments: ["Scanary7J", " scanary7j "])
  func theNumberOfAnIdentityCardIsNowhere(nric: String) async throws {
    for said in [nric, "SCANARY7J"] {
      let refusal = #"{"errorCode": "INVALID_NRIC_FIN_ID", "error": {"id": "\#(said)"}, "status": 403, "message": "Invalid \#(said)"}"#
      let shown = try await ShownText("oya", .json(403, refusal)).step("oya/check-nric", #"{"nric": "\#(nric)"}"#)
      #expect(shown.contains("oya.invalid_nric"))
      #expect(!shown.lowercased().contains("canary"), "\(said)")
    }
    for answer in ShownText.forms(of: #"{"name": {"value": "TAN MEI"}, "uinfin": {"value": "\#(nric)"}}"#) {
      let shown = try await ShownText("oya", answer).step("oya/get-myinfo", #"{"code": "authcode-1"}"#)
      #expect(!shown.lowercased().contains("canary"))
    }
  }

  @Test func whatGivesTokensIsNowhere() async throws {
    let held = Token(accessToken: "a", expires: nil, refreshToken: "r")
    for answer in ShownText.forms(of: #"{"access_token": "canary-1", "refresh_token": "canary-2", "id_token": "canary-3"}"#) {
      #expect(!(try await ShownText("ostelco", answer).token(.refresh(held, .user))).contains("canary"))
      let code = AuthorizationCode(code: "c", redirectURI: "app:/", codeVerifier: "v")
      #expect(!(try await ShownText("ostelco", answer).token(.code(code))).contains("canary"))
    }
    for answer in ShownText.forms(of: #"{"token": "canary"}"#) + [.text(200, "canary")] {
      let shown = try await ShownText("oya", answer).step("oya/authorize-apple", #"{"auth_code": "c0ffee"}"#)
      #expect(!shown.contains("canary"))
    }
  }
}
