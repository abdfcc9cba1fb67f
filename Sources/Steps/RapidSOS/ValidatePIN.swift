import HTTPTypes
package import StepKit
import Values

extension RapidSOS {
  /// `rapidsos/validate-pin`
  package enum ValidatePIN: StepHandler {
    package static let about = About(
      "rapidsos/validate-pin", "Proves with the PIN of the SMS that a phone is the caller's.", effect: .unsafe, token: .user)
    static let wrongPIN = StepError("rapidsos.wrong_pin", "the PIN is not the one that was sent", help: "request a new PIN, and ask again")
    package static let errors = [wrongPIN, badNumber, notFound]
    package static let example = Example(
      with: #"{"phone": "(234) 567-8888", "pin": "482913"}"#, outputs: #"{"id": "*", "phone": "12345678888"}"#,
      given: #"{"users": [{"username": "dana.reyes"}], "pin": "482913"}"#,
      before: [.signIn, .init("rapidsos/request-pin", with: #"{"phone": "(234) 567-8888"}"#)])

    package struct Input: Sendable {
      let phone: String
      let pin: Secret<String>
      let notation: PhoneNotation
    }

    package typealias Output = CallerID

    struct Wire: Sendable {
      let callerID: String
      let validationCode: Secret<String>
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let wire = Wire(callerID: try CallerID.number(input.phone, input.notation), validationCode: input.pin)
      let reply = try await ports.http.send(.patch, "/v1/rain/caller-ids", json: wire)
      guard reply.isSuccess else {
        let isAboutPhone = Refusal(reply).problems.contains { $0.field == "caller_id" }
        throw failure(reply, [400: isAboutPhone ? badNumber : wrongPIN])
      }
      return try CallerID(reply)
    }
  }
}

extension RapidSOS.ValidatePIN.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    phone = field("phone", "The phone that the PIN was requested for, in any notation.")
    pin = field("pin", "The PIN of the SMS.")
    notation = field("notation", "How the number goes over the wire; the same as when the PIN was requested.", default: .digits)
  }
}

extension RapidSOS.ValidatePIN.Wire: DescribedRecord {
  init(_ field: inout Fields) {
    callerID = field("caller_id", "")
    validationCode = field("validation_code", "")
  }
}
