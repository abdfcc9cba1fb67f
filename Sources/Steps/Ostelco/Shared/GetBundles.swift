package import StepKit
import Values

extension MobileShop {
  /// `ostelco/get-bundles`, `oya/get-bundles`
  package enum GetBundles<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/get-bundles", "Reads the data balance.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { Operator.customerRefusals.errors }
    package static var example: Example {
      Operator.example(
        with: "{}", outputs: #"{"bundles": "*", "balance": 2147483648, "balance_text": "2.15 GB", "fetched_at": "*"}"#,
        members: #""balance": 2147483648"#)
    }

    package typealias Input = NoInput
    package typealias Output = Bundles

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/bundles")
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.customerRefusals) }
      return try Bundles.read(reply, listAs: "bundles") { map in
        map["fetched_at"] = Value.timestamp(ports.clock.now()).scalarText.map { .string($0) }
        // The app shows the first one; without any there is nothing left.
        let balance = map["bundles"]?.listValue?.first?["balance"]?.intValue ?? 0
        map["balance"] = .int(balance)
        map["balance_text"] = .string(byteText(Int(balance)))
      }
    }
  }

  /// What takes no input.
  package struct NoInput: DescribedRecord {
    package init(_ field: inout Fields) {}
  }

  /// Data that is left.
  package struct Bundle: Sendable {
    let id: String
    let balance: Int
    let lastConsumedOn: String?
  }

  /// The balance as the app shows it.
  package struct Bundles: Sendable {
    let bundles: [Bundle]
    let balance: Int
    let balanceText: String
    let fetchedAt: String
  }
}

extension MobileShop.Bundle: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id.")
    balance = field("balance", "Bytes that are left.")
    lastConsumedOn = field("last_consumed_on", "When some were used last; the second generation alone says so.")
  }
}

extension MobileShop.Bundles: DescribedRecord {
  package init(_ field: inout Fields) {
    bundles = field("bundles", "All bundles, in the order of the answer.")
    balance = field("balance", "Bytes that are left in the first one; 0 where there is none.")
    balanceText = field("balance_text", "The same for people, in decimal units, such as `2.15 GB`.")
    fetchedAt = field("fetched_at", "When it was read, in UTC.", format: .dateTime)
  }
}
