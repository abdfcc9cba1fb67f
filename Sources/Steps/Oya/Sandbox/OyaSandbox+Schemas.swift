import SandboxKit
package import Values

extension OyaSandbox {
  package var givenSchema: Value { World.given }
  package var changeSchema: Value { World.change }

  /// What scenarios give of this system and change.
  private enum World: SchemaVocabulary {
    static var given: Value {
      world(
        "What OYA has before the first request.",
        switches + [
          (
            "people",
            list(
              of: person,
              "Who can sign in; they are told apart by their address. Without this list there is one, who has yet to sign up, and whose `id_token` is the one that a run on the sandbox makes up."
            )
          ),
          (
            "regions",
            list(
              of: closed([("code", filled.described("Its code.")), ("name", filled.described("Its name."))], required: ["code", "name"]),
              "Where OYA is an operator, instead of `sg`, `my`, `no` and `us`.")
          ), ("products", Shop.Given.products),
          ("my_info", list(of: myInfo, "Whom MyInfo knows, by the code; without it any code gives one person.")),
        ])
    }

    static var change: Value {
      let sim = closed(
        [("status", names(SimCard.Status.self, "What they are now.")), ("icc_id", filled.described("Which one; all unless given."))],
        required: ["status"])
      return closed([
        tokens("expire", of: ["user"], "Tokens end now: the gateway says that they are expired."),
        tokens("revoke", of: ["user"], "Tokens are forgotten: the gateway does not know them."), setting(switches),
        ("sim", sim.described("What phones have done with the eSIMs.")),
      ])
    }

    private static var myInfo: Value {
      closed(
        [
          ("code", filled.described("The code that the person comes back with.")),
          ("name", filled.described("Their name; `TAN MEI` unless given.")),
          ("dob", filled.described("When they were born; `1998-06-06` unless given.")),
          ("uinfin", filled.described("The number of their identity card; `S9315107J` unless given.")),
          ("passexpirydate", filled.described("When a foreigner's pass ends.")),
        ], required: ["code"])
    }

    private static var person: Value {
      closed([
        ("email", filled.described("Their address at the identity provider; their customer's `contact_email` unless given.")),
        ("auth_code", filled.described("Their code of \"Sign in with Apple\"; without it any code that is nobody else's is theirs.")),
        ("id_token", filled.described("A token of theirs that was got elsewhere, for the setting `id_token`.")),
        ("customer", customer.described("What they have, where they have signed up.")),
      ])
    }

    private static var customer: Value {
      closed(
        [
          ("id", filled.described("Their id at OYA.")), ("nickname", filled.described("What they want to be called; `Mei` unless given.")),
          ("contact_email", filled.described("Where mails to them go.")), ("referral_id", filled.described("What they give to friends.")),
          ("referred_by", filled.described("The `referral_id` of somebody above.")),
          ("regions", list(of: progress, "The regions that they have begun with.")),
          (
            "scans",
            list(
              of: closed(
                [("id", filled.described("Its id.")), ("region", filled.described("The region's code; `sg` unless given."))],
                required: ["id"]),
              "Scans that the vendor has not called back for.")
          ),
          ("push_tokens", list(of: filled, "Tokens of FCM, one for each phone.")),
        ] + Shop.Given.account)
    }

    private static var progress: Value {
      let checks = Check.allCases.map {
        ($0.rawValue.lowercased(), names(Check.Status.self, "How far this check is; a region knows some of them."))
      }
      let sim = closed([
        ("icc_id", filled.described("Its number; predictable ones unless given.")),
        ("alias", filled.described("The customer's name for it.")),
        ("status", names(SimCard.Status.self, "What it is; `AVAILABLE_FOR_DOWNLOAD` unless given.")),
      ])
      return closed(
        [("code", filled.described("The region's code."))] + checks + [("sim_profiles", list(of: sim, "Their eSIMs there."))],
        required: ["code"])
    }

    private static let switches = described([
      ("token_life", duration, "How long a token lives, such as `1s`; an hour unless given."),
      (
        "unauthorized", ["enum": .list(GatewayBody.allCases.map { .string($0.rawValue) })],
        "Where a 401 comes from: the gateway (JSON), the framework (a text) or the resource (nothing); the gateway unless given."
      ), ("dead_push_tokens", list(of: text), "Tokens that FCM has forgotten: sending to one deletes it."),
      ("admin_token", filled, "The one token of support; without it any that is no person's."),
      ("webhook_key", filled, "The one key of the webhooks; without it any."),
    ])
  }
}
