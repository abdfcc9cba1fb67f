package import SandboxKit
import Values

extension RapidSOSSandbox {
  package var api: APIDescription? {
    APIDescription(
      title: "RapidSOS Emergency API and Emergency Data API", version: "1",
      summary: "As the sandbox stands in for it; what nobody states of the real one is assumed.",
      security: [
        (API.client, API.bearer("The app's token, of the grant `client_credentials`.")),
        (API.user, API.bearer("A person's token, of the grant `password`.")),
      ],
      schemas: API.schemas,
      operations: API.accounts + API.profile + API.saved("location", "locations", .location) + API.saved("device", "devices", .device)
        + API.emergency + API.media)
  }

  /// The description of the API: the operations, and below them the answers they have in common.
  enum API: APIVocabulary {
    static let client = "clientToken"
    static let user = "userToken"

    static let invalid = APIAnswer(
      400, "The body is no JSON object (a text), or some fields are wrong (messages by field).", schema: .named("Refusal"),
      example: ["detail": ["email": ["Not a valid email address."]]])
    static let unauthorized = APIAnswer(
      401, "The token is missing, unknown or expired.", schema: .named("Fault"),
      example: [
        "fault": ["faultstring": "Access Token expired", "detail": ["errorcode": "keymanagement.service.access_token_expired"]]
      ])
    static let wrongClass = APIAnswer(403, "The token is of the other class.", schema: .named("Text"))
    static let notFound = APIAnswer(404, "There is no such thing.", schema: .named("Text"), example: ["detail": "Not found."])
    static let id: Value = ["type": "integer", "minimum": 1]
  }
}
