import HTTPTypes
package import StepKit

extension Oya {
  /// `oya/ping`
  package enum Ping: Operation {
    package static let about = About("oya/ping", "Asks whether OYA is there, and what time it has.", effect: .read)
    package static let refusals: [RefusalRule] = []
    package static let example = Example(with: "{}", outputs: #"{"timestamp": 1732150800000}"#)

    package typealias Input = MobileShop.NoInput
    package struct Output: Sendable { let timestamp: Int }

    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.get, "/ping") }
  }

  /// `oya/uuid`
  package enum NewUUID: Operation {
    package static let about = About("oya/uuid", "Asks OYA for a new UUID, as a sign of life.", effect: .read)
    package static let refusals: [RefusalRule] = []
    package static let example = Example(with: "{}", outputs: #"{"uuid": "*"}"#)

    package typealias Input = MobileShop.NoInput
    package struct Output: Sendable { let uuid: String }

    package static func call(_ input: Input) -> HTTPCall { HTTPCall(.get, "/uuid") }
  }
}

extension Oya.Ping.Output: DescribedRecord {
  package init(_ field: inout Fields) { timestamp = field("timestamp", "Milliseconds since 1970.") }
}

extension Oya.NewUUID.Output: DescribedRecord {
  package init(_ field: inout Fields) { uuid = field("uuid", "A new one each time.") }
}
