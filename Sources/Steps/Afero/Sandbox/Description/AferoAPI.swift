import HTTPTypes
package import SandboxKit
import Values

extension AferoSandbox {
  package var api: APIDescription? {
    APIDescription(
      title: "Afero cloud Client API", version: "1",
      summary: "As the sandbox stands in for it; what nobody states of the real one is assumed.",
      security: [
        (API.user, API.bearer("A person's token.")),
        ("app", ["type": "http", "scheme": "basic", "description": "The app's id and secret."]),
      ],
      schemas: API.schemas,
      operations: API.tokens + API.accounts + API.credentials + API.devices + API.actions + API.profiles + API.groups + API.rules
        + API.schedules + API.sharing)
  }

  /// The description of the API: the operations, and below them what they have in common.
  enum API: APIVocabulary {
    static let user = "userToken"

    static let invalid = ok(
      400, "The body cannot be read, or some fields are wrong.", "Error",
      [
        "error": "validationFailure",
        "error_description": "One or more fields have failed validation rules. See attached fieldErrors for specifics.",
        "fieldErrors": [
          [
            "error": "Length", "error_description": "length must be between 6 and 255", "field": "credential.password",
            "rejectedValue": "abc",
          ]
        ],
      ])
    static let unauthorized = ok(
      401, "The token is missing, unknown or expired.", "Error",
      [
        "timestamp": 1_732_150_900_000, "status": 401, "error": "unauthorized",
        "error_description": "Full authentication is required to access this resource", "service_name": "ClientApi",
        "region": "us-west-2",
      ])
    static let forbidden = ok(403, "The person may not do this.", "Error")
    static let notFound = ok(404, "There is no such thing.", "Error")
    /// What every operation in an account may answer.
    static let guarded = [unauthorized, forbidden, notFound]

    static func body(_ form: Form, _ example: Value) -> APIBody { APIBody(schema: form.schema, example: example) }

    static let expansions = query(
      "expansions", "What stands beside each, with commas between.", "state,attributes", schema: text, isRequired: false)
    /// The language of an answer's texts, and the size of its pictures.
    static let looks = [
      query("locale", "The language of texts.", "en_US", schema: text, isRequired: false),
      query("imageSize", "The size of pictures.", "2x", schema: text, isRequired: false),
    ]
    static let account = APIParameter("accountId", in: .path, "The account.", schema: id, example: "acc-1")
    static let device = APIParameter("deviceId", in: .path, "The device.", schema: id, example: "dev-1")
    static let group = APIParameter("groupId", in: .path, "The group.", schema: id, example: "grp-1")
    static func reference(_ name: String, _ about: String, _ example: Value) -> APIParameter {
      APIParameter(name, in: .path, about, schema: id, example: example)
    }

    /// An operation of an account.
    static func operation(
      _ id: String, _ method: HTTPRequest.Method, _ path: String, _ summary: String, at parameters: [APIParameter] = [],
      body: APIBody? = nil, _ answers: APIAnswer...
    ) -> APIOperation {
      APIOperation(
        id, method, "/v1/accounts/{accountId}\(path)", summary, security: user, parameters: [account] + parameters, body: body,
        answers: answers + (body == nil ? [] : [invalid]) + guarded)
    }

    static let id: Value = ["type": "string", "minLength": 1, "pattern": "^[A-Za-z0-9-]+$"]
  }
}
