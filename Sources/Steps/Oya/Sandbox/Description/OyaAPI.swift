import HTTPTypes
package import SandboxKit
import Values

extension OyaSandbox {
  package var api: APIDescription? {
    APIDescription(
      title: "OYA customer, support and webhook APIs", version: "2",
      summary: "As the sandbox stands in for them, at one address; what nobody states of the real ones is assumed.",
      security: [
        (API.user, OperatorAPI.scheme),
        (API.admin, API.bearer("The token of a member of support.")),
        (API.key, ["type": "apiKey", "in": "query", "name": "key", "description": "The key of those who report."]),
      ],
      schemas: API.schemas,
      operations: API.entry + API.customers + API.regions + API.checks + API.sims + API.shared + API.support + API.webhooks)
  }

  /// The description of the API: the operations, and below them the answers they have in common.
  enum API: APIVocabulary {
    static let user = OperatorAPI.user
    static let admin = "adminToken"
    static let key = "webhookKey"

    static func refusal(_ status: Int, _ about: String, _ example: Value? = nil) -> APIAnswer {
      APIAnswer(status, about, schema: .named("Refusal"), example: example)
    }

    static let unauthorized = OperatorAPI.unauthorized
    static let invalid = OperatorAPI.invalidParameter
    static let otherMediaType = OperatorAPI.mediaType
    static let noCustomer = refusal(404, "The person has not signed up, or there is no such thing.")
  }
}
