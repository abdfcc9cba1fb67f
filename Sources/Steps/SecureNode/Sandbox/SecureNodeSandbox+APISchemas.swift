import SandboxKit
import Values

extension SecureNodeSandbox.API {
  static var schemas: [(name: String, schema: Value)] {
    [
      ("Error", object([("success", ["const": false]), ("error", text), ("code", maybeText)])),
      ("Done", object([("success", done)])),
      ("Item", item),
      ("DebugUI", object([("enabled", flag), ("request_upload", flag), ("expires_at", maybeTime), ("allow_export", flag)])),
      ("Config", config),
      (
        "Sync",
        object([
          ("success", done), ("branding", list(of: .named("Item"))), ("synced_at", time), ("config?", .named("Config")),
        ])
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

  private static let done: Value = ["const": true]

  private static var item: Value {
    object([
      ("phone_number_e164", text), ("brand_name", maybeText), ("brand_id?", text), ("logo_url", maybeText),
      ("call_reason", maybeText), ("updated_at", time), ("is_active?", flag),
    ])
  }

  private static var config: Value {
    object([
      ("mode", ["enum": ["testing", "live"]]), ("branding_enabled", flag), ("voip_dialer_enabled", flag), ("account_status", text),
      ("client_id", text), ("debug_ui", .named("DebugUI")), ("used_this_month?", count),
      ("cap_this_month?", ["type": ["integer", "null"]]), ("included_imprints_monthly?", count),
    ])
  }

  private static var plainLookup: Value {
    object([
      ("success?", done), ("e164", text), ("brand_name", maybeText), ("logo_url", maybeText), ("call_reason", maybeText),
      ("brand_id", maybeText), ("updated_at?", time),
    ])
  }

  private static var publicLookup: Value {
    object([
      ("matched", flag), ("displayed", flag),
      ("brand", ["anyOf": [["type": "null"], object([("name", maybeText), ("logo", maybeText)])]]), ("call_reason", maybeText),
      ("source", ["enum": ["cache", "live", "none"]]),
    ])
  }

  private static var event: Value {
    object([
      ("success", done), ("event_id", text), ("outcome", text), ("counted", flag), ("reason", maybeText), ("imprint_id?", text),
      ("displayed_at", time), ("config?", .named("Config")),
    ])
  }

  private static var partialEvent: Value {
    object([
      ("success", done), ("accepted", done), ("partial", done), ("warning_code", text), ("outcome", text), ("counted", flag),
      ("displayed_at", time), ("config?", .named("Config")),
    ])
  }
}
