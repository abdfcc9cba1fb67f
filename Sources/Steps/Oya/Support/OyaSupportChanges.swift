import HTTPTypes
package import StepKit

// The support API: what its members do for a customer.
extension Oya {
  /// `oya/support-refund`
  package enum SupportRefund: SupportOperation {
    package static let about = About(
      "oya/support-refund", "Gives a customer the money for a purchase back; a second time is refused.", effect: .unsafe,
      needs: Host.support.needs)
    package static let refusals =
      adminRefusals + customerMissing + [
        RefusalRule(403, needsEnvelope: true, is: refundRefused), RefusalRule(404, needsEnvelope: true, is: purchaseNotFound),
      ]
    package static let example = supportExample(
      with: #"{"customer_id": "c-mei", "purchase_id": "ch_1Dq", "reason": "requested_by_customer"}"#, outputs: #"{"id": "1GB_15SGD"}"#,
      members: #""purchases": [{"id": "ch_1Dq", "sku": "1GB_15SGD"}]"#)

    package struct Input: Sendable {
      let customerID: String
      let purchaseID: String
      let reason: RefundReason
    }
    package struct Output: Sendable { let id: String }

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .put, try supportPath("refund", input.customerID),
        query: [("purchaseRecordId", input.purchaseID), ("reason", input.reason.rawValue)])
    }
  }

  /// Why money is given back, in the payment provider's words.
  enum RefundReason: String, Choice {
    case duplicate, fraudulent
    case requestedByCustomer = "requested_by_customer"
  }

  /// `oya/support-notify`
  package enum SupportNotify: SupportOperation {
    package static let about = About(
      "oya/support-notify", "Sends a push message to all of a customer's phones.", effect: .unsafe, needs: Host.support.needs)
    package static let example = supportExample(
      with: #"{"customer_id": "c-mei", "title": "Hello", "message": "Your plan is about to end"}"#, outputs: "{}")

    package struct Input: Sendable {
      let customerID: String
      let title: String
      let message: String
    }
    package typealias Output = Nothing

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(.put, try supportPath("notify", input.customerID), query: [("title", input.title), ("message", input.message)])
    }
  }

  /// `oya/support-delete-customer`
  package enum SupportDeleteCustomer: SupportOperation {
    package static let about = About(
      "oya/support-delete-customer", "Deletes a customer and all that is theirs.", effect: .idempotent, needs: Host.support.needs)
    package static let example = supportExample(outputs: "{}")

    package typealias Input = CustomerReference
    package typealias Output = Nothing

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall { HTTPCall(.delete, try input.path("customer")) }
  }

  /// `oya/support-create-sim-profile`
  package enum SupportCreateSimProfile: SupportOperation {
    package static let about = About(
      "oya/support-create-sim-profile", "Orders an eSIM for a customer, with a name of its own.", effect: .unsafe, needs: Host.support.needs
    )
    package static let refusals = adminRefusals + provisionRefusals
    package static let example = supportExample(
      with: #"{"customer_id": "c-mei", "region": "no", "profile_type": "iphone", "alias": "Work"}"#,
      outputs: #"{"icc_id": "*", "e_sim_activation_code": "*", "status": "*", "alias": "Work", "requested_on": "*"}"#,
      members: #""regions": [{"code": "no", "jumio": "APPROVED"}]"#)

    package struct Input: Sendable {
      let customerID: String
      let region: String
      let profileType: String
      let alias: String
    }
    package typealias Output = SimProfile

    package static func call(_ input: Input) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .post, try supportPath("simprofile", input.customerID),
        query: [("regionCode", input.region), ("profileType", input.profileType), ("alias", input.alias)])
    }
  }
}

extension Oya.SupportRefund.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    customerID = field("customer_id", Oya.customerIDProse)
    purchaseID = field("purchase_id", "The purchase's `id`, which is its charge's.")
    reason = field("reason", "Why the money goes back.")
  }
}

extension Oya.SupportRefund.Output: DescribedRecord {
  package init(_ field: inout Fields) { id = field("id", "The `sku` of what was bought.") }
}

extension Oya.SupportNotify.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    customerID = field("customer_id", Oya.customerIDProse)
    title = field("title", "The message's title.")
    message = field("message", "Its text.")
  }
}

extension Oya.SupportCreateSimProfile.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    customerID = field("customer_id", Oya.customerIDProse)
    region = field("region", Oya.regionProse)
    profileType = field("profile_type", "As for `oya/create-sim-profile`.")
    alias = field("alias", "The name of the eSIM.")
  }
}
