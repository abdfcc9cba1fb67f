package import StepKit
import Values

extension MobileShop {
  /// `ostelco/list-products`, `oya/list-products`
  package enum ListProducts<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About(
        "\(Operator.name)/list-products", "Lists what the customer can buy, and names the one that is offered first.", effect: .read,
        token: .user)
    }
    package static var errors: [StepError] { Operator.customerRefusals.errors }
    package static var example: Example {
      Operator.example(
        with: "{}", outputs: #"{"products": "*", "default_product": "*", "default_label": "+1GB $15", "default_bytes": 1000000000}"#)
    }

    package typealias Input = NoInput
    package typealias Output = Products

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/products")
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.customerRefusals) }
      return try Products.read(reply, listAs: "products") { map in
        let products = map["products"]?.listValue ?? []
        guard let first = products.first(where: { $0["presentation"]?["is_default"]?.stringValue == "true" }) else { return }
        map["default_product"] = first
        map["default_label"] = .string(label(of: first))
        map["default_bytes"] = bytes(of: first).map { .int($0) }
      }
    }
  }

  /// What can be bought.
  package struct Products: Sendable {
    let products: [Product]
    let defaultProduct: Product?
    let defaultLabel: String?
    let defaultBytes: Int?
  }
}

extension MobileShop.Products: DescribedRecord {
  package init(_ field: inout Fields) {
    products = field("products", "All of them, in the order of the answer.")
    defaultProduct = field(
      "default_product", "The first one whose `is_default` is `true`; absent where none is, and the app shows no button.")
    defaultLabel = field("default_label", "What stands on its button, such as `+1GB $15`.")
    defaultBytes = field("default_bytes", "How many bytes it adds.")
  }
}
