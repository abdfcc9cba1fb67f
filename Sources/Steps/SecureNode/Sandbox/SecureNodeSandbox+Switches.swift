import SandboxKit
import Values

extension SecureNodeSandbox {
  /// What the portal would say of the account, and what nobody states; `change` sets them in the middle of a run.
  struct Switches: Sendable {
    /// The keys that are taken; nil takes any.
    var keys: [String]?
    /// Assumed: 401 and not 403.
    var badKeyStatus = 401

    var mode = Mode.live
    var isBrandingEnabled = true
    var isVoipDialerEnabled = false
    var accountStatus = "active"
    var clientID = "c-1"
    /// Nil has no end.
    var cap: Int?
    var usedBefore = 0
    var includedImprints = 5000

    var isDebugEnabled = false
    var requestsDebugUpload = false
    var debugExpires: Timestamp?
    var allowsExport = false

    /// Of a number that nobody has branded: `nulls`, `not_found` or `empty`. Assumed: Nulls.
    var lookupMiss = LookupMiss.nulls
    /// Whether those that are switched off come once more, as older servers have it.
    var sendsInactive = false
    /// Whether events are answered 202, as still to be dealt with.
    var isPartial = false
    /// Whether answers to events carry the account's settings. Assumed: They do not.
    var sendsConfigWithEvents = false
    /// Whether `config` comes with a sync; one of the two documents says that it need not.
    var sendsConfigWithSyncs = true

    enum Mode: String, CaseIterable { case testing, live }

    enum LookupMiss: String, CaseIterable {
      case nulls
      case notFound = "not_found"
      case empty
    }

    mutating func read(_ given: inout GivenMap, at now: Timestamp) throws(SandboxError) {
      keys = try given.texts("keys") ?? keys
      badKeyStatus = try given.int("bad_key_status", of: [401, 403]) ?? badKeyStatus
      mode = try given.choice("mode", of: Mode.self) ?? mode
      isBrandingEnabled = try given.flag("branding_enabled") ?? isBrandingEnabled
      isVoipDialerEnabled = try given.flag("voip_dialer_enabled") ?? isVoipDialerEnabled
      accountStatus = try given.text("account_status") ?? accountStatus
      clientID = try given.text("client_id") ?? clientID
      cap = try given.int("cap_this_month") ?? cap
      usedBefore = try given.int("used_this_month") ?? usedBefore
      includedImprints = try given.int("included_imprints_monthly") ?? includedImprints
      isDebugEnabled = try given.flag("debug_enabled") ?? isDebugEnabled
      requestsDebugUpload = try given.flag("debug_request_upload") ?? requestsDebugUpload
      debugExpires = try given.span("debug_expires_in").map { now.advanced(by: $0) } ?? debugExpires
      allowsExport = try given.flag("debug_allow_export") ?? allowsExport
      lookupMiss = try given.choice("lookup_miss", of: LookupMiss.self) ?? lookupMiss
      sendsInactive = try given.flag("sends_inactive") ?? sendsInactive
      isPartial = try given.flag("partial_events") ?? isPartial
      sendsConfigWithEvents = try given.flag("config_with_events") ?? sendsConfigWithEvents
      sendsConfigWithSyncs = try given.flag("config_with_syncs") ?? sendsConfigWithSyncs
    }

    func isDebugOpen(_ now: Timestamp) -> Bool {
      isDebugEnabled && requestsDebugUpload && (debugExpires.map { now < $0 } ?? true)
    }

    func config(used: Int) -> Value {
      [
        "mode": .string(mode.rawValue), "branding_enabled": .bool(isBrandingEnabled), "voip_dialer_enabled": .bool(isVoipDialerEnabled),
        "account_status": .string(accountStatus), "client_id": .string(clientID), "used_this_month": .int(Int64(usedBefore + used)),
        "cap_this_month": cap.map { .int(Int64($0)) } ?? .null, "included_imprints_monthly": .int(Int64(includedImprints)),
        "debug_ui": [
          "enabled": .bool(isDebugEnabled), "request_upload": .bool(requestsDebugUpload),
          "expires_at": debugExpires.map { .string($0.text) } ?? .null, "allow_export": .bool(allowsExport),
        ],
      ]
    }
  }
}
