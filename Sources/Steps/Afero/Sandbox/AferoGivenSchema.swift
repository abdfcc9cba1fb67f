import SandboxKit
package import Values

extension AferoSandbox {
  package var givenSchema: Value {
    Self.closed(
      Switches.properties + [
        ("prefix", ["type": "string", "description": "What every path begins with."]),
        ("users", ["type": "array", "items": Self.userSchema, "description": "People with an account of their own; ids count from 1."]),
        ("devices", ["type": "array", "items": Self.deviceSchema, "description": "Devices that are in no account yet."]),
        ("profiles", ["type": "array", "items": ["type": "object"], "description": "Profiles as the API writes them, with `profileId`."]),
        (
          "clients",
          [
            "type": "array", "description": "The apps that may get tokens; without this list any id with any secret may.",
            "items": Self.closed(
              [("client_id", Self.name), ("client_secret", Self.name)], required: ["client_id", "client_secret"]),
          ]
        ),
      ])
  }

  package var changeSchema: Value {
    let tokens: Value = ["enum": ["user", "all"]]
    return Self.closed([
      ("expire", Self.described(tokens, "Access tokens end now; refresh tokens stay good.")),
      ("revoke", Self.described(tokens, "Access tokens and refresh tokens are forgotten.")),
      ("set", Self.described(Self.closed(Switches.properties), "Turns switches; those that are not named stay.")),
      (
        "device",
        Self.described(
          Self.closed([("device_id", Self.name)] + Self.deviceFlags, required: ["device_id"]), "Changes a device; what is not named stays.")
      ),
    ])
  }

  private static let name: Value = ["type": "string", "minLength": 1]
  private static let text: Value = ["type": "string"]

  private static var userSchema: Value {
    closed(
      [
        ("username", described(name, "Their address.")), ("password", described(text, "Their password; without it any is accepted.")),
        ("first_name", text), ("last_name", text), ("verified", ["type": "boolean"]),
        ("account_id", described(name, "Of their own account; ids count from 1 unless given.")),
        ("description", described(text, "Of their own account.")),
        ("reset_code", described(name, "A code that replaces their password.")),
        ("partner_access", ["type": "array", "items": ["type": "object"], "description": "As the API writes it."]),
        (
          "mobile_devices",
          ["type": "array", "items": closed([("mobile_device_id", name)], required: ["mobile_device_id"])]
        ),
        (
          "access",
          [
            "type": "array", "description": "What they may do in accounts of others who are given before them.",
            "items": closed(
              [("account_id", name), ("owner", ["type": "boolean"]), ("can_write", ["type": "boolean"])], required: ["account_id"]),
          ]
        ),
        ("devices", ["type": "array", "items": deviceSchema, "description": "In their own account."]),
        ("invitations", ["type": "array", "items": name, "description": "Addresses that are asked to share it."]),
        ("activities", ["type": "array", "items": activity.givenSchema, "description": "What has happened there."]),
      ] + Kind.all.map { ($0.givenName, ["type": "array", "items": keptSchema($0)]) }, required: ["username"])
  }

  /// Its account is the person's own.
  private static func keptSchema(_ kind: Kind) -> Value {
    guard case .map(var map) = kind.form.givenSchema else { return [:] }
    map["required"] = .list((map["required"]?.listValue ?? []).filter { $0 != "account_id" })
    return .map(map)
  }

  private static var deviceSchema: Value {
    closed(
      [
        ("device_id", name), ("association_id", described(name, "What stands on it.")), ("friendly_name", text), ("profile_id", name),
        ("tags", ["type": "array", "items": tag.givenSchema]), ("location", location.givenSchema), ("timezone", timezone.givenSchema),
      ] + deviceFlags)
  }

  private static let deviceFlags: [(String, Value)] = [
    ("online", ["type": "boolean", "description": "Whether it can be reached; true unless given."]),
    ("linking", ["type": "boolean", "description": "Whether it is being linked."]),
    ("needs_verification", ["type": "boolean", "description": "Whether another account may have it once that is verified."]),
    (
      "attributes",
      ["type": "object", "additionalProperties": ["type": "string"], "description": "Bytes in hex by number, such as `\"1\": \"01\"`."]
    ),
    ("extended_data", ["type": "object"]),
  ]

  static func closed(_ properties: [(String, Value)], required: [String] = []) -> Value {
    var map = ValueMap()
    map["type"] = "object"
    map["properties"] = .map(properties.reduce(into: ValueMap()) { $0[$1.0] = $1.1 })
    if !required.isEmpty { map["required"] = .list(required.map { .string($0) }) }
    map["additionalProperties"] = false
    return .map(map)
  }
}
