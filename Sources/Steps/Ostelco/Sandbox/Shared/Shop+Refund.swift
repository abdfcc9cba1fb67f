import SandboxKit
import Values

extension Shop {
  /// Gives the money for a purchase back; the bytes stay.
  /// - Throws: 404 for a purchase that the customer does not have, 403 for one that is refunded already or was free.
  mutating func refund(
    _ purchaseID: String, of customerID: String, reason: String, rules: OperatorRules, world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    guard let position = account(customerID).purchases.firstIndex(where: { $0.id == purchaseID }) else {
      throw rules.refusal(.refund, .notFound, nested: OperatorRules.missing("PurchaseRecord", purchaseID))
    }
    let purchase = account(customerID).purchases[position]
    let what = "the purchase \(purchaseID) of product \(purchase.product.sku)"
    if let earlier = purchase.refund["id"]?.stringValue {
      throw rules.refusal(.refund, .validation, adding: "Attempt at refunding again \(what), refund \(earlier)")
    }
    guard purchase.product.amount > 0 else {
      throw rules.refusal(.refund, .validation, adding: "Attempt at refunding \(what), which was free")
    }
    // The provider knows three, and calls any other an invalid parameter.
    guard ["duplicate", "fraudulent", "requested_by_customer"].contains(reason) else {
      throw rules.refusal(.refund, .invalidParameter, nested: rules.payment("Failed to refund \(what)", "Invalid reason: \(reason)"))
    }
    accounts[customerID]?.purchases[position].refund = [
      "id": .string("re_\(world.nextID(of: "operator.refund"))"), "reason": .string(reason), "timestamp": .int(world.now.milliseconds),
    ]
    return .json(["id": .string(purchase.product.sku)])
  }
}
