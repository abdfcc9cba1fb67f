import SandboxKit
package import Values

extension RapidSOSSandbox {
  package var givenSchema: Value { World.given }
  package var changeSchema: Value { World.change }

  /// What scenarios give of this system and change.
  private enum World: SchemaVocabulary {
    static var given: Value {
      world(
        "What RapidSOS has before the first request.",
        switches + [
          ("users", list(of: user, "People who are registered; ids count from 1.")), clients,
          (
            "call_flows",
            [
              "type": "object", "description": "Further call flows: for each name the variables that it requires, as dotted paths.",
              "additionalProperties": list(of: text),
            ]
          ),
          ("uploads", list(of: upload, "Photo uploads that are signed already, under the names of the step's `fields`.")),
        ])
    }

    static var change: Value {
      closed([
        tokens("expire", of: RapidSOSSandbox.tokenClasses, "Tokens of this class end now: the gateway says that they are expired."),
        tokens("revoke", of: RapidSOSSandbox.tokenClasses, "Tokens of this class are forgotten: the gateway says that they are invalid."),
        setting(switches),
      ])
    }

    private static var user: Value {
      closed(
        [
          ("username", filled.described("Their name.")), ("password", text.described("Their password; without it any is accepted.")),
          ("email", text.described("Their address; without it `USERNAME@example.test`.")),
          ("verified_phones", list(of: text, "Numbers that are proven to be theirs.")),
          ("profile", sections(.profile).described("Their emergency profile: lists of values by section.")),
          ("locations", list(of: sections(.location), "Their locations; ids count from 1.")),
          ("devices", list(of: sections(.device), "Their devices; ids count from 1.")),
        ], required: ["username"])
    }

    private static var upload: Value {
      closed(
        ["aws_access_key_id", "key", "policy", "signature", "x_amz_security_token"].map { ($0, filled) },
        required: ["aws_access_key_id", "key", "policy", "signature"])
    }

    private static func sections(_ sections: Sections) -> Value {
      closed(sections.catalogue.definitions.map { ($0.name, BodyForm.list(Sections.item($0.type)).schema) })
    }

    private static let switches = described([
      ("token_life", duration, "How long a token lives, such as `1s`; `3599s` unless given."),
      ("pin", filled, "The PIN of every SMS; predictable ones unless given."),
      ("pin_reusable", flag, "Whether a PIN is good more than once; false unless given, which is assumed."),
      ("requires_verified_number", flag, "Whether a trigger needs a verified `user.phone_number`; false unless given."),
      ("create_status", ["enum": [200, 201]], "Of registration and of new locations and devices; 201 unless given, which is assumed."),
      ("pin_request_status", ["enum": [200, 201]], "Of a PIN's request; 200 unless given, which is assumed."),
      ("trigger_status", ["enum": [200, 201, 202]], "Of an accepted trigger; 202 unless given, which is assumed."),
      ("wrong_token_status", ["enum": [401, 403]], "Of a token of the other class; 403 unless given, which is assumed."),
      ("reveals_unknown_email", flag, "Whether a password reset for an unknown address is 404; true unless given, which is assumed."),
      ("login_attempts", count, "Wrong passwords before the one that gets 429; 2 unless given."),
      ("login_wait", duration, "How long log-ins get 429 then; `60s` unless given, which is assumed."),
    ])
  }
}
