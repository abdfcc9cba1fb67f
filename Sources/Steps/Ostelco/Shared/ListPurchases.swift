package import StepKit
import Values

extension MobileShop {
  /// `ostelco/list-purchases`, `oya/list-purchases`
  ///
  /// The service gives them in no order; the step sorts them as the app does.
  package enum ListPurchases<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/list-purchases", "Lists what was bought, the latest first.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { Operator.customerRefusals.errors }
    package static var example: Example { Operator.example(with: "{}", outputs: #"{"purchases": "*"}"#) }

    package typealias Input = NoInput

    package struct Output: DescribedRecord {
      let purchases: [Purchase]

      package init(_ field: inout Fields) {
        purchases = field("purchases", "All purchases, sorted here by `timestamp`, the latest first.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/purchases")
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.customerRefusals) }
      return try Output.read(reply, listAs: "purchases") { map in
        map["purchases"] = .list(Purchase.sorted(map["purchases"]?.listValue ?? []).map(Purchase.dated))
      }
    }
  }

  /// Something that was bought.
  package struct Purchase: Sendable {
    let id: String
    let msisdn: String?
    let timestamp: Int
    let date: String?
    let product: Product
    let refund: Refund?
    let properties: Value?
  }

  /// Money that was given back.
  package struct Refund: Sendable {
    let id: String
    let reason: String?
    let timestamp: Int?
  }
}

extension MobileShop.Purchase {
  /// The latest first; what has the same time stays in the order of the answer.
  static func sorted(_ purchases: [Value]) -> [Value] {
    purchases.enumerated().sorted { a, b in
      let (first, second) = (a.element["timestamp"]?.intValue ?? 0, b.element["timestamp"]?.intValue ?? 0)
      return first == second ? a.offset < b.offset : first > second
    }.map(\.element)
  }

  /// With the day as the app shows it, in GMT.
  static func dated(_ purchase: Value) -> Value {
    guard case .map(var map) = purchase, let milliseconds = map["timestamp"]?.intValue, (0...253_402_300_799_999).contains(milliseconds)
    else {
      return purchase
    }
    let date = Timestamp(seconds: milliseconds / 1000).text.prefix(10).split(separator: "-")
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
    guard date.count == 3, let month = Int(date[1]), months.indices.contains(month - 1) else { return purchase }
    map["date"] = .string("\(date[2]) \(months[month - 1]) \(date[0])")
    return .map(map)
  }
}

extension MobileShop.Purchase: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The charge's id at the payment provider.")
    msisdn = field("msisdn", "Out of use; an empty text.")
    timestamp = field("timestamp", "When, in milliseconds since 1970.")
    date = field("date", "The day in GMT, such as `21 November 2024`.")
    product = field("product", "What was bought, as it was then.")
    refund = field("refund", "The refund, where there was one.")
    properties = field("properties", "What else is known; the second generation alone says so.")
  }
}

extension MobileShop.Refund: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id at the payment provider.")
    reason = field("reason", "Why it was.")
    timestamp = field("timestamp", "When, in milliseconds since 1970.")
  }
}
