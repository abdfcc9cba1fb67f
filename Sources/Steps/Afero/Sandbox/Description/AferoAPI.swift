import HTTPTypes
package import SandboxKit
import Values

extension AferoSandbox {
  package var api: APIDescription? {
    APIDescription(
      title: "Afero cloud Client API", version: "1",
      summary: "As the sandbox stands in for it; what nobody states of the real one is assumed.",
      security: [
        (API.user, ["type": "http", "scheme": "bearer", "description": "A person's token."]),
        ("app", ["type": "http", "scheme": "basic", "description": "The app's id and secret."]),
      ],
      schemas: API.schemas,
      operations: API.tokens + API.accounts + API.credentials + API.devices + API.actions + API.profiles + API.groups + API.rules
        + API.schedules + API.sharing)
  }

  /// The description of the API: the operations, and below them what they have in common.
  enum API {
    static let user = "userToken"

    static func ok(_ about: String, _ schema: String, _ example: Value? = nil, status: Int = 200) -> APIAnswer {
      APIAnswer(status, about, schema: .named(schema), example: example)
    }

    static func list(_ about: String, _ schema: String) -> APIAnswer {
      APIAnswer(200, about, schema: ["type": "array", "items": .named(schema)])
    }

    static func empty(_ about: String, status: Int = 204) -> APIAnswer { APIAnswer(status, about, mediaType: nil) }

    static let invalid = ok(
      "The body cannot be read, or some fields are wrong.", "Error",
      [
        "error": "validationFailure",
        "error_description": "One or more fields have failed validation rules. See attached fieldErrors for specifics.",
        "fieldErrors": [
          [
            "error": "Length", "error_description": "length must be between 6 and 255", "field": "credential.password",
            "rejectedValue": "abc",
          ]
        ],
      ], status: 400)
    static let unauthorized = ok(
      "The token is missing, unknown or expired.", "Error",
      [
        "timestamp": 1_732_150_900_000, "status": 401, "error": "unauthorized",
        "error_description": "Full authentication is required to access this resource", "service_name": "ClientApi",
        "region": "us-west-2",
      ], status: 401)
    static let forbidden = ok("The person may not do this.", "Error", status: 403)
    static let notFound = ok("There is no such thing.", "Error", status: 404)
    /// What every operation in an account may answer.
    static let guarded = [unauthorized, forbidden, notFound]

    static func body(_ form: Form, _ example: Value) -> APIBody { APIBody(schema: form.schema, example: example) }

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

    static func object(_ members: [(String, Value)], required: [String]? = nil) -> Value {
      [
        "type": "object", "properties": .map(members.reduce(into: ValueMap()) { $0[$1.0] = $1.1 }),
        "required": .list((required ?? members.map(\.0)).map { .string($0) }),
      ]
    }

    static let text: Value = ["type": "string"]
    static let number: Value = ["type": "integer"]
    static let flag: Value = ["type": "boolean"]
    static let id: Value = ["type": "string", "minLength": 1, "pattern": "^[A-Za-z0-9-]+$"]
    static let free: Value = ["type": "object"]
  }
}
