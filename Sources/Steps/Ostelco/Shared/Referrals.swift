package import StepKit

extension MobileShop {
  /// `ostelco/list-referrals`, `oya/list-referrals`
  package enum ListReferrals<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/list-referrals", "Lists whom the customer has referred.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { Operator.customerRefusals.errors }
    package static var example: Example { Operator.example(with: "{}", outputs: #"{"referrals": []}"#) }

    package typealias Input = NoInput

    package struct Output: DescribedRecord {
      let referrals: [Referral]

      package init(_ field: inout Fields) {
        referrals = field("referrals", "All of them, in the order of the answer.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/referred")
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.customerRefusals) }
      return try Output.read(reply, listAs: "referrals")
    }
  }

  /// `ostelco/get-referrer`, `oya/get-referrer`
  package enum GetReferrer<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/get-referrer", "Reads who has referred the customer.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { Operator.customerRefusals.errors }
    package static var example: Example { Operator.example(with: "{}", outputs: "{}") }

    package typealias Input = NoInput
    package typealias Output = Referral

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/referred/by")
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.customerRefusals) }
      return try Referral.read(reply)
    }
  }

  /// A person, by the name that they give themselves.
  package struct Referral: Sendable { let name: String? }
}

extension MobileShop.Referral: DescribedRecord {
  package init(_ field: inout Fields) {
    name = field("name", "Their name; absent where nobody is known.")
  }
}
