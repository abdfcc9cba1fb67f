import SandboxKit
package import Values

extension AferoSandbox {
  package var givenSchema: Value { World.given }
  package var changeSchema: Value { World.change }

  /// What scenarios give of this system and change.
  private enum World: SchemaVocabulary {
    static var given: Value {
      world(
        "What Afero has before the first request.",
        switches + [
          ("prefix", text.described("What every path begins with.")),
          ("users", list(of: user, "People with an account of their own; ids count from 1.")),
          ("devices", list(of: device, "Devices that are in no account yet; one with the association id `0123456789abcdef` unless given.")),
          ("profiles", list(of: free, "Profiles as the API writes them, with `profileId`.")), clients,
        ])
    }

    static var change: Value {
      closed([
        tokens("expire", of: ["user"], "Access tokens end now; refresh tokens stay good."),
        tokens("revoke", of: ["user"], "Access tokens and refresh tokens are forgotten."), setting(switches),
        (
          "device",
          closed([("device_id", filled)] + deviceFlags, required: ["device_id"]).described("Changes a device; what is not named stays.")
        ),
      ])
    }

    private static var user: Value {
      closed(
        [
          ("username", filled.described("Their address.")), ("password", text.described("Their password; without it any is accepted.")),
          ("first_name", text), ("last_name", text), ("verified", flag),
          ("account_id", filled.described("Of their own account; ids count from 1 unless given.")),
          ("description", text.described("Of their own account.")),
          ("reset_code", filled.described("A code that replaces their password.")),
          ("partner_access", list(of: free, "As the API writes it.")),
          ("mobile_devices", list(of: closed([("mobile_device_id", filled)], required: ["mobile_device_id"]))),
          (
            "access",
            list(
              of: closed([("account_id", filled), ("owner", flag), ("can_write", flag)], required: ["account_id"]),
              "What they may do in accounts of others who are given before them.")
          ),
          ("devices", list(of: device, "In their own account.")),
          ("invitations", list(of: filled, "Addresses that are asked to share it.")),
          ("activities", list(of: activity.givenSchema, "What has happened there.")),
        ] + Kind.all.map { ($0.givenName, list(of: kept($0))) }, required: ["username"])
    }

    /// Its account is the person's own.
    private static func kept(_ kind: Kind) -> Value {
      guard case .map(var map) = kind.form.givenSchema else { return [:] }
      map["required"] = .list((map["required"]?.listValue ?? []).filter { $0 != "account_id" })
      return .map(map)
    }

    private static var device: Value {
      closed(
        [
          ("device_id", filled), ("association_id", filled.described("What stands on it.")), ("friendly_name", text),
          ("profile_id", filled),
          ("tags", list(of: tag.givenSchema)), ("location", location.givenSchema), ("timezone", timezone.givenSchema),
        ] + deviceFlags)
    }

    private static let deviceFlags: [(String, Value)] = [
      ("online", flag.described("Whether it can be reached; true unless given.")),
      ("linking", flag.described("Whether it is being linked.")),
      ("needs_verification", flag.described("Whether another account may have it once that is verified.")),
      (
        "attributes",
        ["type": "object", "additionalProperties": text, "description": "Bytes in hex by number, such as `\"1\": \"01\"`."]
      ),
      ("extended_data", free),
    ]

    private static let switches = described([
      ("token_life", duration, "How long a token lives, such as `1s`; `16086s` unless given."),
      (
        "rotates_refresh_tokens", flag,
        "Whether a refresh token is good once and replaced; false unless given, which is assumed."
      ),
      ("reset_code", filled, "The code of every mail; predictable ones unless given."),
      ("create_status", ["enum": [200, 201]], "Of a new account; 201 unless given."),
      ("duplicate_status", ["enum": [400, 409]], "Of an address that somebody has; 400 unless given, which is assumed."),
      ("mobile_device_status", ["enum": [200, 201, 204]], "Of a registered installation; 201 unless given, which is assumed."),
      (
        "reveals_unknown_credential", flag,
        "Whether a password reset for an unknown address is 404; true unless given, which is assumed."
      ),
      (
        "refuses_whole_batch", flag,
        "Whether requests to a device that cannot be reached are refused as a whole; false unless given, which is assumed."
      ),
    ])
  }
}
