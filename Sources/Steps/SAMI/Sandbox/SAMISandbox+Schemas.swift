import SandboxKit
package import Values

extension SAMISandbox {
  package var givenSchema: Value { World.given }
  package var changeSchema: Value { World.change }

  /// What scenarios give of this system and change.
  private enum World: SchemaVocabulary {
    static var given: Value {
      world(
        "What SAMI has before the first request.",
        switches
          + lists.map { name, about, members, required in (name, list(of: closed(members, required: required), about)) } + [
            (
              "account",
              text.described("Who is signed in at the accounts host, in the browser; the first user unless given, nobody if empty.")
            ),
            ("other_devices", count.described("So many further devices of the first user, before the others.")),
          ])
    }

    static var change: Value {
      closed([
        tokens("expire", of: ["user", "app"], "Tokens of this kind end now."),
        tokens("revoke", of: ["user", "app", "device"], "Tokens of this kind are forgotten, and cannot be renewed."), setting(switches),
      ])
    }

    private static let lists: [(String, String, [(String, Value)], [String])] = [
      (
        "users", "People; without this list there is `u-12`, Tess Step.",
        texts("id", "name", "email", "full_name", "sa_identity"), ["name"]
      ),
      (
        "clients", "The applications; without this list any id with any secret is one.",
        texts("client_id", "client_secret") + [("redirect_uris", list(of: text))],
        ["client_id", "client_secret"]
      ),
      (
        "device_types", "Types of devices; without this list there are `dt-7`, a pedometer, and `dt-9`, a light.",
        texts("id", "uid", "name", "unique_name") + [
          ("published", flag),
          (
            "manifests",
            list(of: closed([("fields", ["type": "object", "additionalProperties": text]), ("actions", list(of: text))]))
          ),
        ], ["id"]
      ),
      (
        "devices", "Devices, of the first user and of the first type unless stated.",
        texts("id", "uid", "dtid", "name", "token") + [
          ("manifest_version", ["type": "integer", "minimum": 1]), ("manifest_version_policy", ["enum": ["LATEST", "DEVICE"]]),
          ("need_provider_auth", flag),
        ], ["id"]
      ),
      ("properties", "What applications keep with users.", texts("uid", "aid", "properties"), ["aid", "properties"]),
      ("codes", "Codes of consents, good for ever.", texts("code", "uid", "client_id", "redirect_uri"), ["code"]),
      (
        "subscriptions", "Subscriptions; one with a `nonce` still has to be confirmed.",
        texts("id", "aid", "message_type", "uid", "sdid", "sdtid", "ddid", "callback_url", "nonce"), ["id"]
      ),
      (
        "rules", "Rules of users.",
        texts("id", "aid", "uid", "name", "description") + [("rule", free), ("enabled", flag)],
        ["id", "rule"]
      ),
      (
        "messages", "Messages that have come before, oldest first; one with `in` comes so long after the sandbox began.",
        texts("sdid") + [("ts", whole), ("data", [:]), ("in", duration)], ["sdid"]
      ),
      (
        "exports", "Exports of all messages of the first user.",
        texts("id", "aid", "uid") + [("start_date", whole), ("end_date", whole)], ["id"]
      ),
    ]

    private static func texts(_ names: String...) -> [(String, Value)] { names.map { ($0, text) } }

    private static let switches = described([
      ("consent", ["enum": ["granted", "denied", "asked"]], "What the person says to the application; `granted` unless given."),
      ("implicit_life", duration, "How long a token of the implicit grant lives; `2h` unless given."),
      ("token_life", duration, "How long every other token lives; `1h` unless given."),
      ("refresh_grace", duration, "How long after its end a token may be renewed; `336h` unless given."),
      ("logout_revokes_tokens", flag, "Whether a log-out ends tokens, as the guide says; false unless given, as the documentation says."),
      ("minute_limit", count, "Calls of a user or a device in any minute; 100 unless given."),
      ("day_limit", count, "Calls of a user or a device in a day (UTC); 1000 unless given."),
      ("app_minute_limit", count, "Calls of an application in any minute; 500 unless given."),
      ("app_day_limit", count, "Calls of an application in a day (UTC); 5000 unless given."),
      ("message_day_limit", count, "Messages in a day (UTC); 100000 unless given."),
      ("socket_minute_limit", count, "Messages of a device over sockets in any minute; 1000 unless given."),
      ("socket_acks", count, "After how many messages of a socket SAMI acknowledges no more of them; never unless given."),
      ("socket_life", duration, "After how long SAMI closes a socket; never unless given, which is assumed."),
      ("future_grace", duration, "How far ahead the time of a message may be; `5m` unless given, which is assumed."),
      ("nonce", filled, "What confirms every subscription; predictable texts unless given."),
      ("export_time", duration, "How long an export takes; none unless given."),
      ("export_fails", flag, "Whether exports fail; false unless given."),
      ("rules_testable", flag, "Whether rules may be tried out; true unless given."),
    ])
  }
}
