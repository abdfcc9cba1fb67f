import HTTPTypes
package import StepKit
import Values

extension Ostelco {
  /// `ostelco/refund-purchase`: the support desk's, with a token of its own.
  package enum RefundPurchase: StepHandler {
    package static let about = About(
      "ostelco/refund-purchase", "Gives a customer the money for a purchase back, as the support desk does.", effect: .unsafe,
      needs: ["admin_token"])
    static let refundRefused = error(
      "refund_refused", "the purchase cannot be refunded", help: "it is refunded already, or was free")
    static let purchaseNotFound = error("purchase_not_found", "there is no such customer, or no such purchase of theirs")
    static let noAdminToken = error(
      "no_admin_token", "a refund needs the token of the support desk", help: "give the connection an `admin_token`")
    private static let rules = [
      RefusalRule(403, needsEnvelope: true, is: refundRefused), RefusalRule(404, needsEnvelope: true, is: purchaseNotFound),
      RefusalRule(502, needsEnvelope: true, is: paymentFailed),
    ]
    package static let errors = rules.errors + [noAdminToken]
    package static let example = Ostelco.example(
      with: #"{"email": "mei@example.test", "purchase_id": "ch_1Dq", "reason": "requested_by_customer"}"#,
      outputs: #"{"id": "1GB_15SGD"}"#, members: #""purchases": [{"sku": "1GB_15SGD", "id": "ch_1Dq"}]"#)

    /// What the payment provider knows.
    package enum Reason: String, Choice {
      case duplicate, fraudulent
      case requestedByCustomer = "requested_by_customer"
    }

    package struct Input: DescribedRecord {
      let email: String
      let purchaseID: String
      let reason: Reason

      package init(_ field: inout Fields) {
        email = field("email", "Whose purchase it is.", minLength: 1)
        purchaseID = field("purchase_id", "The `id` of the purchase.", minLength: 1)
        reason = field("reason", "Why it is refunded.")
      }
    }

    package struct Output: DescribedRecord {
      let id: String

      package init(_ field: inout Fields) {
        id = field("id", "The `sku` of what was bought.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let token = Settings(valid: ports.settings).adminToken?.exposed, !token.isEmpty else {
        throw noAdminToken.local(detail: "the connection has no `admin_token`")
      }
      guard let email = PercentEncoding.pathSegment(input.email) else {
        throw purchaseNotFound.local(detail: "`\(input.email)` is nobody's address")
      }
      var headers = HTTPFields()
      headers[.authorization] = "Bearer \(token)"
      var call = HTTPCall(
        .put, "/refund/\(email)", query: [("purchaseRecordId", input.purchaseID), ("reason", input.reason.rawValue)], headers: headers,
        token: TokenClass.none)
      call.secretHeaders = [.authorization]
      let reply = try await ports.http.send(call)
      guard reply.isSuccess else { throw failure(reply, rules) }
      return try Output.read(reply)
    }
  }
}
