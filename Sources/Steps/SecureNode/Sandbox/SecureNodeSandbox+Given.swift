import SandboxKit
package import Values

extension SecureNodeSandbox {
  package var givenSchema: Value { World.given }
  package var changeSchema: Value { World.change }

  /// What scenarios give of this system and change.
  private enum World: SchemaVocabulary {
    static var given: Value {
      world(
        "What SecureNode has before the first request.",
        switches + [
          ("prefix", text.described("Where the API stands below the host: `/api` unless given, empty for its root.")),
          ("brands", list(of: brand, "The numbers that have a brand; what is missing is null.")),
          (
            "devices",
            list(
              of: closed(
                [
                  ("device_id", filled.described("Its id.")),
                  ("platform", ["enum": ["ios", "android"], "description": "What kind it is; `ios` unless given."]),
                ], required: ["device_id"]), "Devices that are registered.")
          ),
        ])
    }

    static var change: Value {
      closed([
        ("brand", brand), ("remove_brand", text.described("The brand of this number is forgotten: no sync of changes will tell.")),
        setting(switches),
      ])
    }

    private static var brand: Value {
      closed(
        [
          ("phone_number_e164", filled.described("The number, such as `+61412345678`.")),
          ("brand_name", text.described("Whose number it is.")),
          ("brand_id", text.described("The brand's id.")), ("logo_url", text.described("Where its picture is, as it stands.")),
          ("logo", filled.described("The name of a picture that the sandbox serves, such as `hc.png`.")),
          ("call_reason", text.described("Why it calls.")),
          ("is_active", flag.described("Whether it is still branded; true unless given.")),
          ("updated_at", time.described("When it was changed last; now unless given.")),
        ], required: ["phone_number_e164"])
    }

    private static let switches = described([
      ("keys", list(of: text), "The keys that are taken; any unless given."),
      ("bad_key_status", ["enum": [401, 403]], "Of any other key; 401 unless given, which is assumed."),
      ("mode", ["enum": ["testing", "live"]], "Of the account; `live` unless given."),
      ("branding_enabled", flag, "Whether brands may be shown; true unless given."),
      ("voip_dialer_enabled", flag, "The server's leave for secure voice; false unless given."),
      ("account_status", text, "Of any but `active` no event counts."),
      ("client_id", text, "The account's id."),
      ("cap_this_month", count, "How many events count this month; no end unless given."),
      ("used_this_month", count, "How many have counted before."),
      ("included_imprints_monthly", count, "What the plan includes."),
      ("debug_enabled", flag, "Whether there is a page for debugging; false unless given."),
      ("debug_request_upload", flag, "Whether an upload is asked for; one that arrives turns it off."),
      ("debug_expires_in", duration, "How long the leave to upload lasts, such as `10m`; no end unless given."),
      ("debug_allow_export", flag, "Whether the log may be exported; false unless given."),
      ("lookup_miss", ["enum": ["nulls", "not_found", "empty"]], "Of a number without a brand; `nulls` unless given, which is assumed."),
      ("sends_inactive", flag, "Whether syncs of changes bring what is switched off, as older servers do; false unless given."),
      ("partial_events", flag, "Whether events are answered 202, as still to be dealt with; false unless given."),
      ("config_with_events", flag, "Whether answers to events carry `config`; false unless given, which is assumed."),
      ("config_with_syncs", flag, "Whether answers to syncs carry `config`; true unless given."),
    ])
  }
}
