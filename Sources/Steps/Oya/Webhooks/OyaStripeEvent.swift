import HTTPTypes
package import StepKit
import Values

extension Oya {
  /// `oya/stripe-event`
  package enum StripeEvent: Operation {
    package static let about = About(
      "oya/stripe-event", "Plays the payment provider: reports an event to OYA, for tests.", effect: .unsafe, needs: Host.webhooks.needs)
    package static let refusals = keyRefusals + [RefusalRule(400, is: eventRefused)]
    package static let example = Example(
      with: #"{"event": {"id": "evt_1", "object": "event", "type": "charge.succeeded", "data": {"object": {"id": "ch_1Dq"}}}}"#,
      outputs: "{}")

    package struct Input: Sendable { let event: NamedMembers<Value> }
    package typealias Output = Nothing

    package static var host: Host { .webhooks }
    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.post, "/stripe/event", body: .json(input.event.value)) }
  }
}

extension Oya.StripeEvent.Input: DescribedRecord {
  package init(_ field: inout Fields) { event = field("event", "The event as Stripe writes it, with `id`, `type` and `data`.") }
}
