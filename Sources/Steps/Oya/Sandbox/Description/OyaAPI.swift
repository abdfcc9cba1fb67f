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
        (API.admin, ["type": "http", "scheme": "bearer", "description": "The token of a member of support."]),
        (API.key, ["type": "apiKey", "in": "query", "name": "key", "description": "The key of those who report."]),
      ],
      schemas: API.schemas,
      operations: API.entry + API.customers + API.regions + API.checks + API.sims + API.shared + API.support + API.webhooks)
  }

  /// The description of the API: the operations, and below them the answers they have in common.
  enum API {
    static let user = OperatorAPI.user
    static let admin = "adminToken"
    static let key = "webhookKey"

    static func ok(_ status: Int = 200, _ about: String, _ schema: String, _ example: Value? = nil) -> APIAnswer {
      APIAnswer(status, about, schema: .named(schema), example: example)
    }

    static func list(_ about: String, _ schema: String) -> APIAnswer {
      APIAnswer(200, about, schema: OperatorAPI.list(schema))
    }

    static func refusal(_ status: Int, _ about: String, _ example: Value? = nil) -> APIAnswer {
      APIAnswer(status, about, schema: .named("Refusal"), example: example)
    }

    static func deleted(_ about: String) -> APIAnswer { APIAnswer(204, about, mediaType: nil) }

    static let unauthorized = OperatorAPI.unauthorized
    static let invalid = OperatorAPI.invalidParameter
    static let otherMediaType = OperatorAPI.mediaType
    static let noCustomer = refusal(404, "The person has not signed up, or there is no such thing.")

    static func query(_ name: String, _ about: String, _ example: Value, schema: Value = filled) -> APIParameter {
      APIParameter(name, in: .query, about, schema: schema, example: example)
    }

    static func path(_ name: String, _ about: String, _ example: Value) -> APIParameter {
      APIParameter(name, in: .path, about, schema: filled, example: example)
    }

    static func object(_ members: [(String, Value)], required: [String]? = nil) -> Value { OperatorAPI.object(members, required: required) }

    static let text = OperatorAPI.text
    static let filled = OperatorAPI.filled
    static let time: Value = ["type": "string", "format": "date-time"]
    static let maybeTime: Value = ["type": ["string", "null"], "format": "date-time"]
    static let milliseconds: Value = ["type": "integer", "minimum": 0]
  }
}
