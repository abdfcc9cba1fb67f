import HTTPTypes
package import StepKit

extension Ostelco {
  /// `ostelco/list-consents`
  package enum ListConsents: StepHandler {
    package static let about = About(
      "ostelco/list-consents", "Lists what the customer has been asked to agree to.", effect: .read, token: .user)
    package static let errors = customerRefusals.errors
    package static let example = Ostelco.example(
      with: "{}",
      outputs: """
        {"consents": [{"consent_id": "privacy", "description": "Grant permission to process personal data", "accepted": false}]}
        """)

    package typealias Input = MobileShop.NoInput

    package struct Output: DescribedRecord {
      let consents: [Consent]

      package init(_ field: inout Fields) {
        consents = field("consents", "All of them, in the order of the answer.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/consents")
      guard reply.isSuccess else { throw failure(reply, customerRefusals) }
      return try Output.read(reply, listAs: "consents")
    }
  }

  /// `ostelco/set-consent`: the service takes any id.
  package enum SetConsent: StepHandler {
    package static let about = About("ostelco/set-consent", "Agrees to something, or takes it back.", effect: .idempotent, token: .user)
    package static let errors = customerRefusals.errors
    package static let example = Ostelco.example(
      with: #"{"consent_id": "privacy"}"#, outputs: #"{"consent_id": "privacy", "description": "*", "accepted": true}"#)

    package struct Input: DescribedRecord {
      let consentID: String
      let accepted: Bool?

      package init(_ field: inout Fields) {
        consentID = field("consent_id", "Which one, such as `privacy`.", minLength: 1)
        accepted = field("accepted", "Whether they agree; they do where it is left out.")
      }
    }

    package typealias Output = Consent

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let id = PercentEncoding.pathSegment(input.consentID) else {
        throw profileNotFound.local(detail: "`\(input.consentID)` is no consent's id")
      }
      let query = input.accepted.map { [(name: "accepted", value: $0 ? "true" : "false")] } ?? []
      let reply = try await ports.http.send(HTTPCall(.put, "/consents/\(id)", query: query))
      guard reply.isSuccess else { throw failure(reply, customerRefusals) }
      return try Consent.read(reply)
    }
  }

  /// Something to agree to.
  package struct Consent: DescribedRecord {
    let consentID: String
    let description: String?
    let accepted: Bool

    package init(_ field: inout Fields) {
      consentID = field("consent_id", "Its id, such as `privacy`.")
      description = field("description", "What it is about.")
      accepted = field("accepted", "Whether the customer has agreed.")
    }
  }
}
