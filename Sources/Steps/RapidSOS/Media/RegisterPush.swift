import HTTPTypes
package import StepKit
import Values

extension RapidSOS {
  /// `rapidsos/register-push`
  package enum RegisterPush: StepHandler {
    package static let about = About(
      "rapidsos/register-push", "Registers the device behind a phone number for push messages.", effect: .idempotent, token: .client,
      needs: ["media_url"])
    package static let errors = [badNumber, validationFailed, notFound]
    package static let example = Example(
      with: #"{"phone": "(234) 567-8888", "push_token": "9f31c0de"}"#, outputs: #"{"phone": "12345678888"}"#)

    package struct Input: Sendable {
      let phone: String
      let pushToken: Secret<String>
    }

    package struct Output: Sendable { let phone: String }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let number = try CallerID.number(input.phone, .digits)
      let body: Value = ["caller_id": .string(number), "push_token": input.pushToken.value]
      let reply = try await MediaHost(ports).send(.post, "/v1/apollo-config/register", json: body)
      guard reply.isSuccess else {
        let isAboutPhone = reply.status == 400 && Refusal(reply).problems.contains { $0.field == "caller_id" }
        throw failure(reply, isAboutPhone ? [400: badNumber] : [:])
      }
      return Output(phone: number)
    }
  }
}

extension RapidSOS.RegisterPush.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    phone = field("phone", "The caller's phone, in any notation.")
    pushToken = field("push_token", "The device's token, in hexadecimal digits.", minLength: 1)
  }
}

extension RapidSOS.RegisterPush.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    phone = field("phone", "The number it was registered for, digits alone.")
  }
}
