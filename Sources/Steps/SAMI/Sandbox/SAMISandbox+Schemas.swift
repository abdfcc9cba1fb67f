import SandboxKit
package import Values

extension SAMISandbox {
  package var givenSchema: Value {
    var properties = Switches.properties
    let lists: [(String, String, [(String, Value)], [String])] = [
      (
        "users", "People; without this list there is `u-12`, Tess Step.",
        Self.texts("id", "name", "email", "full_name", "sa_identity"), ["name"]
      ),
      (
        "clients", "The applications; without this list any id with any secret is one.",
        Self.texts("client_id", "client_secret") + [("redirect_uris", ["type": "array", "items": ["type": "string"]])],
        ["client_id", "client_secret"]
      ),
      (
        "device_types", "Types of devices; without this list there are `dt-7`, a pedometer, and `dt-9`, a light.",
        Self.texts("id", "uid", "name", "unique_name") + [
          ("published", ["type": "boolean"]),
          (
            "manifests",
            [
              "type": "array",
              "items": Self.closed([
                ("fields", ["type": "object", "additionalProperties": ["type": "string"]]),
                ("actions", ["type": "array", "items": ["type": "string"]]),
              ]),
            ]
          ),
        ], ["id"]
      ),
      (
        "devices", "Devices, of the first user and of the first type unless stated.",
        Self.texts("id", "uid", "dtid", "name", "token") + [
          ("manifest_version", ["type": "integer", "minimum": 1]), ("manifest_version_policy", ["enum": ["LATEST", "DEVICE"]]),
          ("need_provider_auth", ["type": "boolean"]),
        ], ["id"]
      ),
      ("properties", "What applications keep with users.", Self.texts("uid", "aid", "properties"), ["aid", "properties"]),
      ("codes", "Codes of consents, good for ever.", Self.texts("code", "uid", "client_id", "redirect_uri"), ["code"]),
      (
        "subscriptions", "Subscriptions; one with a `nonce` still has to be confirmed.",
        Self.texts("id", "aid", "message_type", "uid", "sdid", "sdtid", "ddid", "callback_url", "nonce"), ["id"]
      ),
      (
        "rules", "Rules of users.",
        Self.texts("id", "aid", "uid", "name", "description") + [("rule", ["type": "object"]), ("enabled", ["type": "boolean"])],
        ["id", "rule"]
      ),
      (
        "messages", "Messages that have come before, oldest first.",
        Self.texts("sdid") + [("ts", ["type": "integer"]), ("data", [:])], ["sdid"]
      ),
      (
        "exports", "Exports of all messages of the first user.",
        Self.texts("id", "aid", "uid") + [("start_date", ["type": "integer"]), ("end_date", ["type": "integer"])], ["id"]
      ),
    ]
    for (name, about, members, required) in lists {
      properties[name] = ["type": "array", "items": Self.closed(members, required: required), "description": .string(about)]
    }
    properties["account"] = [
      "type": "string",
      "description": "Who is signed in at the accounts host, in the browser; the first user unless given, nobody if empty.",
    ]
    properties["other_devices"] = [
      "type": "integer", "minimum": 0, "description": "So many further devices of the first user, before the others.",
    ]
    return [
      "type": "object", "description": "What SAMI has before the first request.", "properties": .map(properties),
      "additionalProperties": false,
    ]
  }

  package var changeSchema: Value {
    Self.closed([
      ("expire", Self.described(["enum": ["user", "app", "all"]], "Tokens of this kind end now.")),
      ("revoke", Self.described(["enum": ["user", "app", "device", "all"]], "Tokens of this kind are forgotten, and cannot be renewed.")),
      (
        "set",
        [
          "type": "object", "description": "Turns switches; those that are not named stay.", "properties": .map(Switches.properties),
          "additionalProperties": false,
        ]
      ),
    ])
  }

  private static func texts(_ names: String...) -> [(String, Value)] { names.map { ($0, ["type": "string"]) } }

  private static func closed(_ properties: [(String, Value)], required: [String] = []) -> Value {
    var map = ValueMap()
    map["type"] = "object"
    map["properties"] = .map(properties.reduce(into: ValueMap()) { $0[$1.0] = $1.1 })
    if !required.isEmpty { map["required"] = .list(required.map { .string($0) }) }
    map["additionalProperties"] = false
    return .map(map)
  }
}
