import SandboxKit
package import Values

extension SecureNodeSandbox {
  package var givenSchema: Value {
    var properties = Self.switchProperties
    properties["prefix"] = [
      "type": "string", "description": "Where the API stands below the host: `/api` unless given, empty for its root.",
    ]
    properties["brands"] = [
      "type": "array", "items": Self.brandSchema, "description": "The numbers that have a brand; what is missing is null.",
    ]
    properties["devices"] = [
      "type": "array", "description": "Devices that are registered.",
      "items": Self.closed(
        [
          ("device_id", ["type": "string", "minLength": 1, "description": "Its id."]),
          ("platform", ["enum": ["ios", "android"], "description": "What kind it is; `ios` unless given."]),
        ], required: ["device_id"]),
    ]
    return [
      "type": "object", "description": "What SecureNode has before the first request.", "properties": .map(properties),
      "additionalProperties": false,
    ]
  }

  package var changeSchema: Value {
    Self.closed([
      ("brand", Self.brandSchema),
      ("remove_brand", ["type": "string", "description": "The brand of this number is forgotten: no sync of changes will tell."]),
      (
        "set",
        [
          "type": "object", "description": "Turns switches; those that are not named stay.", "properties": .map(Self.switchProperties),
          "additionalProperties": false,
        ]
      ),
    ])
  }

  private static var brandSchema: Value {
    closed(
      [
        ("phone_number_e164", ["type": "string", "minLength": 1, "description": "The number, such as `+61412345678`."]),
        ("brand_name", ["type": "string", "description": "Whose number it is."]),
        ("brand_id", ["type": "string", "description": "The brand's id."]),
        ("logo_url", ["type": "string", "description": "Where its picture is, as it stands."]),
        ("logo", ["type": "string", "minLength": 1, "description": "The name of a picture that the sandbox serves, such as `hc.png`."]),
        ("call_reason", ["type": "string", "description": "Why it calls."]),
        ("is_active", ["type": "boolean", "description": "Whether it is still branded; true unless given."]),
        ("updated_at", ["type": "string", "format": "date-time", "description": "When it was changed last; now unless given."]),
      ], required: ["phone_number_e164"])
  }

  private static let switchProperties: ValueMap = {
    let flag: Value = ["type": "boolean"]
    let count: Value = ["type": "integer", "minimum": 0]
    let switches: [(String, Value, String)] = [
      ("keys", ["type": "array", "items": ["type": "string"]], "The keys that are taken; any unless given."),
      ("bad_key_status", ["enum": [401, 403]], "Of any other key; 401 unless given, which is assumed."),
      ("mode", ["enum": ["testing", "live"]], "Of the account; `live` unless given."),
      ("branding_enabled", flag, "Whether brands may be shown; true unless given."),
      ("voip_dialer_enabled", flag, "The server's leave for secure voice; false unless given."),
      ("account_status", ["type": "string"], "Of any but `active` no event counts."),
      ("client_id", ["type": "string"], "The account's id."),
      ("cap_this_month", count, "How many events count this month; no end unless given."),
      ("used_this_month", count, "How many have counted before."),
      ("included_imprints_monthly", count, "What the plan includes."),
      ("debug_enabled", flag, "Whether there is a page for debugging; false unless given."),
      ("debug_request_upload", flag, "Whether an upload is asked for; one that arrives turns it off."),
      ("debug_expires_in", ["type": ["string", "number"]], "How long the leave to upload lasts, such as `10m`; no end unless given."),
      ("debug_allow_export", flag, "Whether the log may be exported; false unless given."),
      ("lookup_miss", ["enum": ["nulls", "not_found", "empty"]], "Of a number without a brand; `nulls` unless given, which is assumed."),
      ("sends_inactive", flag, "Whether syncs of changes bring what is switched off, as older servers do; false unless given."),
      ("partial_events", flag, "Whether events are answered 202, as still to be dealt with; false unless given."),
      ("config_with_events", flag, "Whether answers to events carry `config`; false unless given, which is assumed."),
      ("config_with_syncs", flag, "Whether answers to syncs carry `config`; true unless given."),
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
