import SandboxKit
import Values

extension SecureNodeSandbox.API {
  static var schemas: [(name: String, schema: Value)] {
    [
      ("Error", object([("success", ["const": false]), ("error", text), ("code", optionalText)])),
      ("Done", object([("success", done)])),
      ("Item", item),
      ("DebugUI", object([("enabled", flag), ("request_upload", flag), ("expires_at", optionalTime), ("allow_export", flag)])),
      ("Config", config),
      (
        "Sync",
        object(
          [
            ("success", done), ("branding", ["type": "array", "items": .named("Item")]), ("synced_at", time), ("config", .named("Config")),
          ], optional: ["config"])
      ),
      ("AckSync", object([("success", done), ("last_synced_at", time)])),
      ("PlainLookup", plainLookup),
      ("PublicLookup", publicLookup),
      ("Lookup", ["anyOf": [.named("PlainLookup"), .named("PublicLookup")]]),
      ("Event", event),
      ("PartialEvent", partialEvent),
      ("Registered", object([("success", done), ("device", ["type": "object", "required": ["device_id", "platform"]])])),
      ("Updated", object([("success", done), ("updated_at", time)])),
      ("Uploaded", object([("success", done), ("id", text)])),
    ]
  }

  private static let text: Value = ["type": "string"]
  private static let time: Value = ["type": "string", "format": "date-time"]
  private static let flag: Value = ["type": "boolean"]
  private static let done: Value = ["const": true]
  private static let count: Value = ["type": "integer", "minimum": 0]
  private static let optionalText: Value = ["type": ["string", "null"]]
  private static let optionalTime: Value = ["type": ["string", "null"], "format": "date-time"]

  private static var item: Value {
    object(
      [
        ("phone_number_e164", text), ("brand_name", optionalText), ("brand_id", text), ("logo_url", optionalText),
        ("call_reason", optionalText), ("updated_at", time), ("is_active", flag),
      ], optional: ["brand_id", "is_active"])
  }

  private static var config: Value {
    object(
      [
        ("mode", ["enum": ["testing", "live"]]), ("branding_enabled", flag), ("voip_dialer_enabled", flag), ("account_status", text),
        ("client_id", text), ("debug_ui", .named("DebugUI")), ("used_this_month", count),
        ("cap_this_month", ["type": ["integer", "null"]]), ("included_imprints_monthly", count),
      ], optional: ["used_this_month", "cap_this_month", "included_imprints_monthly"])
  }

  private static var plainLookup: Value {
    object(
      [
        ("success", done), ("e164", text), ("brand_name", optionalText), ("logo_url", optionalText), ("call_reason", optionalText),
        ("brand_id", optionalText), ("updated_at", time),
      ], optional: ["success", "updated_at"])
  }

  private static var publicLookup: Value {
    object([
      ("matched", flag), ("displayed", flag),
      ("brand", ["anyOf": [["type": "null"], object([("name", optionalText), ("logo", optionalText)])]]), ("call_reason", optionalText),
      ("source", ["enum": ["cache", "live", "none"]]),
    ])
  }

  private static var event: Value {
    object(
      [
        ("success", done), ("event_id", text), ("outcome", text), ("counted", flag), ("reason", optionalText), ("imprint_id", text),
        ("displayed_at", time), ("config", .named("Config")),
      ], optional: ["imprint_id", "config"])
  }

  private static var partialEvent: Value {
    object(
      [
        ("success", done), ("accepted", done), ("partial", done), ("warning_code", text), ("outcome", text), ("counted", flag),
        ("displayed_at", time), ("config", .named("Config")),
      ], optional: ["config"])
  }

  /// An object with these members and no others.
  private static func object(_ members: [(String, Value)], optional: Set<String> = []) -> Value {
    [
      "type": "object", "properties": .map(members.reduce(into: ValueMap()) { $0[$1.0] = $1.1 }),
      "required": .list(members.map(\.0).filter { !optional.contains($0) }.map { .string($0) }), "additionalProperties": false,
    ]
  }
}
