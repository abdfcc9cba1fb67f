import HTTPTypes
package import StepKit
import Values

extension MobileShop {
  /// `ostelco/purchase-product`, `oya/purchase-product`
  ///
  /// The provider knows no key of the purchase: sending it again buys again, so that its effect is `unsafe`.
  package enum PurchaseProduct<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/purchase-product", "Buys a product; whoever repeats it buys again.", effect: .unsafe, token: .user)
    }
    package static var errors: [StepError] { Operator.purchaseRefusals.errors }
    package static var example: Example {
      Operator.example(with: #"{"sku": "1GB_15SGD", "source_id": "tok_visa"}"#, outputs: #"{"id": "1GB_15SGD"}"#)
    }

    package typealias Input = Order

    package struct Output: DescribedRecord {
      let id: String

      package init(_ field: inout Fields) {
        id = field("id", "The `sku` that was bought.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let sku = PercentEncoding.pathSegment(input.sku) else {
        throw Operator.productUnavailable.local(detail: "`sku` is `\(input.sku)`, which names no product")
      }
      var call = HTTPCall(.post, "/products/\(sku)/purchase")
      if let source = input.sourceID?.exposed {
        // Whoever knows it can pay with it where it is a token.
        ports.http.hide([source])
        call.hidden.append(source)
        call.query.append(("sourceId", source))
      }
      if let saveCard = input.saveCard { call.query.append(("saveCard", saveCard ? "true" : "false")) }
      let reply = try await ports.http.send(call)
      guard reply.isSuccess else { throw Operator.sourceFailure(reply, Operator.purchaseRefusals, ports) }
      return try Output.read(reply) { map in
        // The description has the whole product here, the service its id.
        if map["id"] == nil { map["id"] = map["sku"] }
      }
    }
  }

  /// What is bought, and how it is paid.
  package struct Order: Sendable {
    let sku: String
    let sourceID: Secret<String>?
    let saveCard: Bool?
  }
}

extension MobileShop.Order: DescribedRecord {
  package init(_ field: inout Fields) {
    sku = field("sku", "The product.", minLength: 1)
    sourceID = field("source_id", "A token or a source of the payment provider; the default source where it is left out.")
    saveCard = field("save_card", "Whether a new source is kept for later; it is not where this is left out.")
  }
}
