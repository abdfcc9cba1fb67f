import HTTPTypes
package import StepKit

extension RapidSOS {
  /// `rapidsos/request-pin`
  package enum RequestPIN: StepHandler {
    package static let about = About(
      "rapidsos/request-pin", "Sends a PIN by SMS to a phone, to prove that it is the caller's.", effect: .unsafe, token: .user)
    package static let errors = [badNumber, notFound]
    package static let example = Example(
      with: #"{"phone": "(234) 567-8888"}"#, outputs: #"{"id": "*", "phone": "12345678888"}"#,
      given: #"{"users": [{"username": "dana.reyes"}]}"#, before: [.signIn])

    package struct Input: Sendable {
      let phone: String
      let notation: PhoneNotation
    }

    package typealias Output = CallerID

    struct Wire: Sendable { let callerID: String }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let number = try CallerID.number(input.phone, input.notation)
      let reply = try await ports.http.send(.post, "/v1/rain/caller-ids", json: Wire(callerID: number))
      guard reply.isSuccess else { throw failure(reply, [400: badNumber]) }
      return try CallerID(reply)
    }
  }

  /// A phone as RapidSOS keeps it.
  package struct CallerID: Sendable {
    let id: Int
    let phone: String

    /// The number for the wire. Its length is the server's to judge; without any digit there is nothing to send.
    static func number(_ phone: String, _ notation: PhoneNotation) throws(StepFailure) -> String {
      let number = PhoneNumber(phone)
      guard !number.normalised.isEmpty else { throw badNumber.local(detail: "`\(phone)` has no digits") }
      return notation.text(of: number)
    }

    /// - Throws: `decode`.
    init(_ reply: HTTPReply) throws(StepFailure) {
      let wire = try Wire.decode(reply)
      (id, phone) = (wire.id, wire.callerID)
    }

    struct Wire: Sendable {
      let id: Int
      let callerID: String
    }
  }
}

extension RapidSOS.RequestPIN.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    phone = field("phone", "The caller's phone, in any notation.")
    notation = field("notation", "How the number goes over the wire: digits alone, or with `+` in front.", default: .digits)
  }
}

extension RapidSOS.RequestPIN.Wire: DescribedRecord {
  init(_ field: inout Fields) { callerID = field("caller_id", "") }
}

extension RapidSOS.CallerID: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The number's id at RapidSOS.")
    phone = field("phone", "The number, digits alone.")
  }
}

extension RapidSOS.CallerID.Wire: DescribedRecord {
  init(_ field: inout Fields) {
    id = field("id", "")
    callerID = field("caller_id", "")
  }
}

extension Example.Preparation {
  /// The person of the examples, signed in.
  static let signIn = Example.Preparation(
    "rapidsos/authenticate", with: #"{"grant": "password", "username": "dana.reyes", "password": "correct-horse"}"#)
}
