import HTTPTypes
package import StepKit
import Values

extension MobileShop {
  /// `ostelco/list-payment-sources`, `oya/list-payment-sources`
  package enum ListPaymentSources<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/list-payment-sources", "Lists the saved payment sources, the newest first.", effect: .read, token: .user)
    }
    package static var errors: [StepError] { Operator.customerRefusals.errors }
    package static var example: Example {
      Operator.example(with: "{}", outputs: #"{"sources": "*"}"#, members: #""sources": ["tok_visa"]"#)
    }

    package typealias Input = NoInput

    package struct Output: DescribedRecord {
      let sources: [PaymentSource]

      package init(_ field: inout Fields) {
        sources = field("sources", "All of them, in the order of the answer: the newest first.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.send(HTTPCall(.get, "/paymentSources", secretMembers: ["id"], isTextSecret: true))
      guard reply.isSuccess else { throw Operator.sourceFailure(reply, Operator.customerRefusals, ports) }
      return try Output.read(reply, listAs: "sources")
    }
  }

  /// `…/add-payment-source`: a token becomes a source of the customer.
  package enum AddPaymentSource<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/add-payment-source", "Saves a payment source, to pay with it later.", effect: .unsafe, token: .user)
    }
    package static var errors: [StepError] { Operator.sourceRefusals.errors }
    package static var example: Example { Operator.example(with: #"{"source_id": "tok_visa"}"#, outputs: #"{"id": "*"}"#) }

    package typealias Input = SourceReference
    package typealias Output = SavedSource

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      try await input.send(.post, Operator.self, ports)
    }
  }

  /// `…/set-default-source`: what a purchase without a source is paid with.
  package enum SetDefaultSource<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About(
        "\(Operator.name)/set-default-source", "Chooses the source that pays where a purchase names none.", effect: .idempotent,
        token: .user)
    }
    package static var errors: [StepError] { Operator.sourceRefusals.errors }
    package static var example: Example { .ofSavedSource(Operator.self) }

    package typealias Input = SourceReference
    package typealias Output = SavedSource

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      try await input.send(.put, Operator.self, ports)
    }
  }

  /// `…/remove-source`
  package enum RemoveSource<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About("\(Operator.name)/remove-source", "Removes a saved payment source.", effect: .idempotent, token: .user)
    }
    package static var errors: [StepError] { Operator.sourceRefusals.errors }
    package static var example: Example { .ofSavedSource(Operator.self) }

    package typealias Input = SourceReference
    package typealias Output = SavedSource

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      try await input.send(.delete, Operator.self, ports)
    }
  }

  /// A card or another source that is saved.
  package struct PaymentSource: Sendable {
    let id: Secret<String>
    let type: String
    let details: Value?
  }

  /// Which source is meant.
  package struct SourceReference: Sendable { let sourceID: Secret<String> }

  /// The source that was saved, chosen or removed.
  package struct SavedSource: Sendable { let id: Secret<String> }
}

extension MobileShop.SourceReference {
  fileprivate func send(
    _ method: HTTPRequest.Method, _ mobile: (some MobileOperator).Type, _ ports: Ports
  ) async throws(StepFailure) -> MobileShop.SavedSource {
    let source = sourceID.exposed
    ports.http.hide([source])
    let reply = try await ports.http.send(
      HTTPCall(
        method, "/paymentSources", query: [("sourceId", source)], hidden: [source], secretMembers: ["id"], isTextSecret: true))
    guard reply.isSuccess else { throw mobile.sourceFailure(reply, mobile.sourceRefusals, ports) }
    return try MobileShop.SavedSource.read(reply)
  }
}

extension Example {
  /// Of a customer's first saved source.
  fileprivate static func ofSavedSource(_ mobile: (some MobileOperator).Type) -> Example {
    mobile.example(with: #"{"source_id": "card_1"}"#, outputs: #"{"id": "card_1"}"#, members: #""sources": ["tok_visa"]"#)
  }
}

extension MobileShop.PaymentSource: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id at the payment provider.")
    type = field("type", "`card` or `source`.")
    details = field("details", "What the provider says of it: brand, last digits, expiry.")
  }
}

extension MobileShop.SourceReference: DescribedRecord {
  package init(_ field: inout Fields) {
    sourceID = field("source_id", "A token (`tok_…`) or a source (`src_…`, `card_…`) of the payment provider.", minLength: 1)
  }
}

extension MobileShop.SavedSource: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Its id at the payment provider.")
  }
}
