import SandboxKit
package import Values

extension RapidSOSSandbox {
  package var givenSchema: Value {
    var properties = Self.switchProperties
    properties["users"] = ["type": "array", "items": Self.userSchema, "description": "People who are registered; ids count from 1."]
    properties["clients"] = [
      "type": "array", "description": "The apps that may get tokens; without this list any id with any secret may.",
      "items": Self.closed(
        [
          ("client_id", ["type": "string", "minLength": 1, "description": "The app's id."]),
          ("client_secret", ["type": "string", "minLength": 1, "description": "Its secret."]),
        ], required: ["client_id", "client_secret"]),
    ]
    properties["call_flows"] = [
      "type": "object", "description": "Further call flows: for each name the variables that it requires, as dotted paths.",
      "additionalProperties": ["type": "array", "items": ["type": "string"]],
    ]
    properties["uploads"] = [
      "type": "array", "description": "Photo uploads that are signed already, under the names of the step's `fields`.",
      "items": Self.closed(
        ["aws_access_key_id", "key", "policy", "signature", "x_amz_security_token"].map { ($0, ["type": "string", "minLength": 1]) },
        required: ["aws_access_key_id", "key", "policy", "signature"]),
    ]
    return [
      "type": "object", "description": "What RapidSOS has before the first request.", "properties": .map(properties),
      "additionalProperties": false,
    ]
  }

  package var changeSchema: Value {
    let tokens: Value = ["enum": ["client", "user", "all"]]
    return Self.closed([
      ("expire", Self.described(tokens, "Tokens of this class end now: the gateway says that they are expired.")),
      ("revoke", Self.described(tokens, "Tokens of this class are forgotten: the gateway says that they are invalid.")),
      (
        "set",
        [
          "type": "object", "description": "Turns switches; those that are not named stay.", "properties": .map(Self.switchProperties),
          "additionalProperties": false,
        ]
      ),
    ])
  }

  private static var userSchema: Value {
    closed(
      [
        ("username", ["type": "string", "minLength": 1, "description": "Their name."]),
        ("password", ["type": "string", "description": "Their password; without it any is accepted."]),
        ("email", ["type": "string", "description": "Their address; without it `USERNAME@example.test`."]),
        ("verified_phones", ["type": "array", "items": ["type": "string"], "description": "Numbers that are proven to be theirs."]),
        ("profile", described(sectionsSchema(.profile), "Their emergency profile: lists of values by section.")),
        ("locations", ["type": "array", "items": sectionsSchema(.location), "description": "Their locations; ids count from 1."]),
        ("devices", ["type": "array", "items": sectionsSchema(.device), "description": "Their devices; ids count from 1."]),
      ], required: ["username"])
  }

  private static func sectionsSchema(_ sections: Sections) -> Value {
    closed(sections.catalogue.definitions.map { ($0.name, BodyForm.list(Sections.item($0.type)).schema) })
  }

  private static let switchProperties: ValueMap = {
    let duration: Value = ["type": ["string", "number"]]
    let switches: [(String, Value, String)] = [
      ("token_life", duration, "How long a token lives, such as `1s`; `3599s` unless given."),
      ("pin", ["type": "string", "minLength": 1], "The PIN of every SMS; predictable ones unless given."),
      ("pin_reusable", ["type": "boolean"], "Whether a PIN is good more than once; false unless given, which is assumed."),
      ("requires_verified_number", ["type": "boolean"], "Whether a trigger needs a verified `user.phone_number`; false unless given."),
      ("create_status", ["enum": [200, 201]], "Of registration and of new locations and devices; 201 unless given, which is assumed."),
      ("pin_request_status", ["enum": [200, 201]], "Of a PIN's request; 200 unless given, which is assumed."),
      ("trigger_status", ["enum": [200, 201, 202]], "Of an accepted trigger; 202 unless given, which is assumed."),
      ("wrong_token_status", ["enum": [401, 403]], "Of a token of the other class; 403 unless given, which is assumed."),
      (
        "reveals_unknown_email", ["type": "boolean"],
        "Whether a password reset for an unknown address is 404; true unless given, which is assumed."
      ),
      ("login_attempts", ["type": "integer", "minimum": 0], "Wrong passwords before the one that gets 429; 2 unless given."),
      ("login_wait", duration, "How long log-ins get 429 then; `60s` unless given, which is assumed."),
    ]
    return switches.reduce(into: ValueMap()) { map, entry in map[entry.0] = described(entry.1, entry.2) }
  }()

  private static func described(_ schema: Value, _ text: String) -> Value {
    guard case .map(var map) = schema else { return schema }
    map["description"] = .string(text)
    return .map(map)
  }

  private static func closed(_ properties: [(String, Value)], required: [String] = []) -> Value {
    var map = ValueMap()
    map["type"] = "object"
    map["properties"] = .map(properties.reduce(into: ValueMap()) { $0[$1.0] = $1.1 })
    if !required.isEmpty { map["required"] = .list(required.map { .string($0) }) }
    map["additionalProperties"] = false
    return .map(map)
  }
}
