import HTTPTypes
package import StepKit

extension RapidSOS {
  /// `rapidsos/reset-password`
  package enum ResetPassword: StepHandler {
    package static let about = About(
      "rapidsos/reset-password", "Sends a person an e-mail by which they set a new password.", effect: .unsafe, token: .client)
    package static let errors = [notFound, validationFailed]
    package static let example = Example(
      with: #"{"email": "dana@example.test"}"#, outputs: "{}",
      given: #"{"users": [{"username": "dana.reyes", "email": "dana@example.test"}]}"#)

    package struct Input: Sendable { let email: String }

    package struct Output: Sendable {}

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.send(.post, "/v1/rain/password-reset", json: input)
      guard reply.isSuccess else { throw failure(reply) }
      return Output()
    }
  }
}

extension RapidSOS.ResetPassword.Input: DescribedRecord {
  package init(_ field: inout Fields) { email = field("email", "The address that the person was registered with.") }
}

extension RapidSOS.ResetPassword.Output: DescribedRecord {
  package init(_ field: inout Fields) {}
}
