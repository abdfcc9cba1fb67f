package import StepKit
import Values

extension SecureNode {
  /// What the portal says of the account; comes with syncs and with answers to events.
  package struct Config: Sendable {
    let mode: String?
    let brandingEnabled: Bool
    let voipDialerEnabled: Bool
    let accountStatus: String?
    let clientID: String?
    let debugUI: DebugUI?
    let usedThisMonth: Int?
    let capThisMonth: Int?
    let includedImprintsMonthly: Int?
  }

  /// What the portal says of debugging.
  package struct DebugUI: Sendable {
    let enabled: Bool
    let requestUpload: Bool
    let expiresAt: String?
    let allowExport: Bool
  }
}

extension SecureNode.Config: DescribedRecord {
  package init(_ field: inout Fields) {
    mode = field("mode", "`testing` or `live`.")
    brandingEnabled = field("branding_enabled", "Whether brands are shown; calls are reported all the same.", default: true)
    voipDialerEnabled = field("voip_dialer_enabled", "The server's half of the leave for secure voice.", default: false)
    accountStatus = field("account_status", "Such as `active`.")
    clientID = field("client_id", "The account's id.")
    debugUI = field("debug_ui", "What may be done to find errors.")
    usedThisMonth = field("used_this_month", "How much of this month's cap is used.")
    capThisMonth = field("cap_this_month", "This month's cap; none where it is missing.")
    includedImprintsMonthly = field("included_imprints_monthly", "How many imprints a month the plan includes.")
  }
}

extension SecureNode.DebugUI: DescribedRecord {
  package init(_ field: inout Fields) {
    enabled = field("enabled", "Whether there is a page for it.", default: false)
    requestUpload = field("request_upload", "Whether the portal asks for an upload: the server's half of the leave.", default: false)
    expiresAt = field("expires_at", "When the leave ends, in ISO 8601.")
    allowExport = field("allow_export", "Whether the log may be exported.", default: false)
  }
}
