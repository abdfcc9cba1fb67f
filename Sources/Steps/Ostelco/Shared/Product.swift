package import StepKit
import Values

extension MobileShop {
  /// Something that can be bought.
  package struct Product: Sendable {
    let sku: String
    let price: Price
    let properties: Properties
    let presentation: Presentation
    let payment: Value?
  }

  /// An amount of money.
  package struct Price: Sendable {
    let amount: Int
    let currency: String
  }

  /// What a product gives; all are texts on the wire.
  package struct Properties: Sendable {
    let noOfBytes: String?
    let productType: String?
    let further: FurtherMembers
  }

  /// How a product is shown; all are texts on the wire.
  package struct Presentation: Sendable {
    let productLabel: String?
    let priceLabel: String?
    let isDefault: String?
    let further: FurtherMembers
  }

  /// How many bytes a product of an answer adds: the text without its underscores; nil where it says nothing.
  static func bytes(of product: Value) -> Int64? {
    (product["properties"]?["no_of_bytes"]?.stringValue).flatMap { Int64($0.filter { $0 != "_" }) }
  }

  /// Label and price, as on the app's button.
  static func label(of product: Value) -> String {
    ["product_label", "price_label"].compactMap { product["presentation"]?[$0]?.stringValue }.joined(separator: " ")
  }
}

extension MobileShop.Product: DescribedRecord {
  package init(_ field: inout Fields) {
    sku = field("sku", "Its id, to buy it by.")
    price = field("price", "What it costs.")
    properties = field("properties", "What it gives.")
    presentation = field("presentation", "How it is shown.")
    payment = field("payment", "How it is paid; the second generation alone says so.")
  }
}

extension MobileShop.Price: DescribedRecord {
  package init(_ field: inout Fields) {
    amount = field("amount", "In minor units, such as cents.")
    currency = field("currency", "In ISO 4217, such as `SGD`.")
  }
}

extension MobileShop.Properties: DescribedRecord {
  package init(_ field: inout Fields) {
    noOfBytes = field("no_of_bytes", "The bytes that it adds, with underscores between the thousands.")
    productType = field("product_type", "Its kind.")
    further = field.further()
  }
}

extension MobileShop.Presentation: DescribedRecord {
  package init(_ field: inout Fields) {
    productLabel = field("product_label", "Its name, such as `+1GB`.")
    priceLabel = field("price_label", "Its price, such as `$15`.")
    isDefault = field("is_default", "`true` for what the app's button buys.")
    further = field.further()
  }
}
