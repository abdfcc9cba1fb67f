import SandboxKit
package import Values

extension OyaSandbox {
  package var givenSchema: Value {
    var properties = Self.switchProperties
    properties["people"] = ["type": "array", "items": Self.person, "description": "Who can sign in; they are told apart by their address."]
    properties["regions"] = [
      "type": "array", "description": "Where OYA is an operator, instead of `sg`, `my`, `no` and `us`.",
      "items": Self.closed([("code", Self.text("Its code.")), ("name", Self.text("Its name."))], required: ["code", "name"]),
    ]
    properties["products"] = Shop.productsSchema
    properties["my_info"] = [
      "type": "array", "description": "Whom MyInfo knows, by the code; without it any code gives one person.",
      "items": Self.closed(
        [
          ("code", Self.text("The code that the person comes back with.")), ("name", Self.text("Their name; `TAN MEI` unless given.")),
          ("dob", Self.text("When they were born; `1998-06-06` unless given.")),
          ("uinfin", Self.text("The number of their identity card; `S9315107J` unless given.")),
          ("passexpirydate", Self.text("When a foreigner's pass ends.")),
        ], required: ["code"]),
    ]
    return [
      "type": "object", "description": "What OYA has before the first request.", "properties": .map(properties),
      "additionalProperties": false,
    ]
  }

  package var changeSchema: Value {
    let tokens: Value = ["enum": ["user", "all"]]
    return Self.closed([
      ("expire", Self.described(tokens, "Tokens end now: the gateway says that they are expired.")),
      ("revoke", Self.described(tokens, "Tokens are forgotten: the gateway does not know them.")),
      (
        "set",
        [
          "type": "object", "description": "Turns switches; those that are not named stay.", "properties": .map(Self.switchProperties),
          "additionalProperties": false,
        ]
      ),
      (
        "sim",
        Self.described(
          Self.closed(
            [("status", names(SimCard.Status.self, "What they are now.")), ("icc_id", Self.text("Which one; all unless given."))],
            required: ["status"]), "What phones have done with the eSIMs.")
      ),
    ])
  }

  private static var person: Value {
    closed([
      ("email", text("Their address at the identity provider; their customer's `contact_email` unless given.")),
      ("auth_code", text("Their code of \"Sign in with Apple\"; without it any code that is nobody else's is theirs.")),
      ("id_token", text("A token of theirs that was got elsewhere, for the setting `id_token`.")),
      ("customer", described(customer, "What they have, where they have signed up.")),
    ])
  }

  private static var customer: Value {
    closed(
      [
        ("id", text("Their id at OYA.")), ("nickname", text("What they want to be called; `Mei` unless given.")),
        ("contact_email", text("Where mails to them go.")), ("referral_id", text("What they give to friends.")),
        ("referred_by", text("The `referral_id` of somebody above.")),
        ("regions", ["type": "array", "items": progress, "description": "The regions that they have begun with."]),
        (
          "scans",
          [
            "type": "array", "description": "Scans that the vendor has not called back for.",
            "items": closed([("id", text("Its id.")), ("region", text("The region's code; `sg` unless given."))], required: ["id"]),
          ]
        ),
        (
          "push_tokens",
          ["type": "array", "items": ["type": "string", "minLength": 1], "description": "Tokens of FCM, one for each phone."]
        ),
      ] + Shop.accountProperties)
  }

  private static var progress: Value {
    let checks = Check.allCases.map {
      ($0.rawValue.lowercased(), names(Check.Status.self, "How far this check is; a region knows some of them."))
    }
    let sim = closed([
      ("icc_id", text("Its number; predictable ones unless given.")), ("alias", text("The customer's name for it.")),
      ("status", names(SimCard.Status.self, "What it is; `AVAILABLE_FOR_DOWNLOAD` unless given.")),
    ])
    return closed(
      [("code", text("The region's code."))] + checks
        + [("sim_profiles", ["type": "array", "items": sim, "description": "Their eSIMs there."])],
      required: ["code"])
  }

  private static let switchProperties: ValueMap = [
    ("token_life", ["type": ["string", "number"]], "How long a token lives, such as `1s`; an hour unless given."),
    (
      "unauthorized", ["enum": .list(GatewayBody.allCases.map { .string($0.rawValue) })],
      "Where a 401 comes from: the gateway (JSON), the framework (a text) or the resource (nothing); the gateway unless given."
    ),
    ("dead_push_tokens", ["type": "array", "items": ["type": "string"]], "Tokens that FCM has forgotten: sending to one deletes it."),
    ("admin_token", ["type": "string", "minLength": 1], "The one token of support; without it any that is no person's."),
    ("webhook_key", ["type": "string", "minLength": 1], "The one key of the webhooks; without it any."),
  ].reduce(into: ValueMap()) { (map: inout ValueMap, entry: (String, Value, String)) in map[entry.0] = described(entry.1, entry.2) }

  private static func text(_ about: String) -> Value { ["type": "string", "minLength": 1, "description": .string(about)] }

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

private func names<Name: RawRepresentable & CaseIterable>(_: Name.Type, _ about: String) -> Value where Name.RawValue == String {
  ["enum": .list(Name.allCases.map { .string($0.rawValue) }), "description": .string(about)]
}
