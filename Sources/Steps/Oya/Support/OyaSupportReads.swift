import HTTPTypes
package import StepKit

// The support API: what its members read of a customer, by the customer's id. Its token is the connection's `admin_token`.
extension Oya {
  /// `oya/support-find-profile`
  package enum SupportFindProfile: SupportOperation {
    package static let about = About(
      "oya/support-find-profile", "Finds customers by their contact address, or by a phone number.", effect: .read,
      needs: Host.support.needs)
    package static let example = supportExample(with: #"{"query": "mei@example.test"}"#, outputs: #"{"profiles": "*"}"#)

    package struct Input: Sendable { let query: String }
    package struct Output: Sendable { let profiles: [Customer] }

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, "/support/profiles/\(try segment(input.query, "query"))")
    }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output { try .read(reply, listAs: "profiles") }
  }

  /// `oya/support-get-context`
  package enum SupportGetContext: SupportOperation {
    package static let about = About(
      "oya/support-get-context", "Reads a customer and their regions, each eSIM with the status that it really has.", effect: .read,
      needs: Host.support.needs)
    package static let example = supportExample(outputs: #"{"customer": "*", "regions": "*"}"#)

    package typealias Input = CustomerReference
    package typealias Output = Context

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path("context")) }
  }

  /// `oya/support-list-subscriptions`
  package enum SupportListSubscriptions: SupportOperation {
    package static let about = About(
      "oya/support-list-subscriptions", "Lists a customer's phone numbers in all regions.", effect: .read, needs: Host.support.needs)
    package static let example = supportExample(outputs: #"{"subscriptions": []}"#)

    package typealias Input = CustomerReference
    package typealias Output = Subscriptions

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(.get, try input.path("profiles") + "/subscriptions")
    }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output {
      try .read(reply, listAs: "subscriptions")
    }
  }

  /// `oya/support-list-scans`
  package enum SupportListScans: SupportOperation {
    package static let about = About(
      "oya/support-list-scans", "Lists a customer's checks of papers.", effect: .read, needs: Host.support.needs)
    package static let example = supportExample(outputs: #"{"scans": []}"#)

    package typealias Input = CustomerReference
    package struct Output: Sendable { let scans: [MobileShop.Scan] }

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path("profiles") + "/scans") }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output { try .read(reply, listAs: "scans") }
  }

  /// `oya/support-get-bundles`
  package enum SupportGetBundles: SupportOperation {
    package static let about = About(
      "oya/support-get-bundles", "Reads a customer's data balance.", effect: .read, needs: Host.support.needs)
    package static let example = supportExample(outputs: #"{"bundles": "*"}"#)

    package typealias Input = CustomerReference
    package struct Output: Sendable { let bundles: [MobileShop.Bundle] }

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path("bundles")) }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output { try .read(reply, listAs: "bundles") }
  }

  /// `oya/support-list-purchases`
  package enum SupportListPurchases: SupportOperation {
    package static let about = About(
      "oya/support-list-purchases", "Lists what a customer has bought, in the order of the answer.", effect: .read,
      needs: Host.support.needs)
    package static let example = supportExample(outputs: #"{"purchases": "*"}"#)

    package typealias Input = CustomerReference
    package struct Output: Sendable { let purchases: [MobileShop.Purchase] }

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path("purchases")) }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output { try .read(reply, listAs: "purchases") }
  }

  /// `oya/support-get-audit-log`
  package enum SupportGetAuditLog: SupportOperation {
    package static let about = About(
      "oya/support-get-audit-log", "Reads what has happened to a customer.", effect: .read, needs: Host.support.needs)
    package static let example = supportExample(outputs: #"{"entries": "*"}"#)

    package typealias Input = CustomerReference
    package struct Output: Sendable { let entries: [AuditEntry] }

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.get, try input.path("auditLog")) }
    package static func output(_ reply: HTTPReply, of input: Input) throws(StepFailure) -> Output { try .read(reply, listAs: "entries") }
  }

  /// One line of the audit log.
  package struct AuditEntry: Sendable {
    let timestamp: Int
    let severity: String
    let message: String
  }
}

extension Oya.SupportFindProfile.Input: DescribedRecord {
  package init(_ field: inout Fields) { query = field("query", "A contact address, or a phone number, digits alone.") }
}

extension Oya.SupportFindProfile.Output: DescribedRecord {
  package init(_ field: inout Fields) { profiles = field("profiles", "Everybody who is meant; several customers may have one address.") }
}

extension Oya.SupportListScans.Output: DescribedRecord {
  package init(_ field: inout Fields) { scans = field("scans", "All of them, in the order of the answer.") }
}

extension Oya.SupportGetBundles.Output: DescribedRecord {
  package init(_ field: inout Fields) { bundles = field("bundles", "All of them, in the order of the answer.") }
}

extension Oya.SupportListPurchases.Output: DescribedRecord {
  package init(_ field: inout Fields) { purchases = field("purchases", "All of them, in the order of the answer.") }
}

extension Oya.SupportGetAuditLog.Output: DescribedRecord {
  package init(_ field: inout Fields) { entries = field("entries", "All of them, in the order of the answer.") }
}

extension Oya.AuditEntry: DescribedRecord {
  package init(_ field: inout Fields) {
    timestamp = field("timestamp", "When, in milliseconds since 1970.")
    severity = field("severity", "`INFO`, `WARN` or `ERROR`.")
    message = field("message", "What happened.")
  }
}
