import HTTPTypes
package import SandboxKit
import Values

extension SAMISandbox {
  package var api: APIDescription? {
    APIDescription(
      title: "SAMI data exchange", version: "1.1",
      summary: "As the sandbox stands in for it, the accounts host beside the API; what nobody states of the real one is assumed.",
      security: [
        (API.user, API.bearer("A person's token, of a consent.")),
        (API.app, API.bearer("The application's token, of the grant `client_credentials`.")),
      ],
      schemas: API.schemas,
      operations: API.accounts + API.users + API.devices + API.deviceTypes + API.messages + API.exports + API.subscriptions + API.rules)
  }

  /// The description of the API: the operations, and below them what they have in common.
  enum API: APIVocabulary {
    static let user = "userToken"
    static let app = "appToken"

    /// An operation below `/v1.1`, with the refusals that every one has.
    static func operation(
      _ id: String, _ method: HTTPRequest.Method, _ path: String, _ about: String, as security: String = user, query: [Field] = [],
      body: (fields: [Field], example: Value)? = nil, _ ok: APIAnswer, also: [APIAnswer] = []
    ) -> APIOperation {
      let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
      let places = names.map { name in
        APIParameter(
          name, in: .path, "Its \(name).", schema: filled,
          example: .string(name == "version" ? "latest" : "x-1"))
      }
      let pairs = query.map { APIParameter($0.name, in: .query, "See SAMI's documentation.", schema: $0.schema, isRequired: $0.isRequired) }
      return APIOperation(
        id, method, "/v1.1\(path)", about, security: security, parameters: places + pairs,
        body: body.map { APIBody(schema: form($0.fields), example: $0.example) }, answers: [ok] + refusals + also)
    }

    static let refusals = [
      refusal(400, "Some of the fields are wrong.", 4001, "Validation Error"),
      refusal(401, "The token is missing, unknown or has ended.", 401, "Please provide a valid authorization header"),
      refusal(403, "The token does not give this right.", 403, "You don't have the right permissions: devices"),
      refusal(404, "There is no such thing, type of devices (1101) or user (1201).", 404, "Not Found"),
      refusal(429, "Too many calls in a minute or in a day.", 429, "USER MINUTE rate limit exceeded"),
    ]

    static func refusal(_ status: Int, _ about: String, _ code: Int64, _ message: String) -> APIAnswer {
      APIAnswer(
        status, about, schema: .named("Error"), example: ["error": ["code": .int(code), "message": .string(message)]])
    }

    /// `{"data": …}`
    static func data(_ about: String, _ schema: Value, _ example: Value? = nil) -> APIAnswer {
      APIAnswer(200, about, schema: object([("data", schema)]), example: example.map { ["data": $0] })
    }

    /// `{"data": {NAME: […]}, "total", "offset", "count"}`; for a name that is nil the list itself is in `data`.
    static func page(_ name: String?, _ schema: String) -> APIAnswer {
      let items = list(of: .named(schema))
      return APIAnswer(
        200, "One page.",
        schema: object([
          ("data", name.map { object([($0, items)]) } ?? items), ("total", count), ("offset", count), ("count", count),
        ]))
    }

    /// Members beside these are let through.
    static func form(_ fields: [Field]) -> Value {
      open(fields.map { ($0.name, $0.schema) }, required: fields.filter(\.isRequired).map(\.name))
    }

    static let number: Value = ["type": "number"]
    static let anything: Value = [:]
  }
}
