import HTTPTypes
package import StepKit

extension RapidSOS {
  /// `rapidsos/fetch-profile`
  package enum FetchProfile: StepHandler {
    package static let about = About(
      "rapidsos/fetch-profile", "Reads the emergency profile of the person who is signed in.", effect: .read, token: .user)
    package static let errors = [validationFailed, notFound]
    package static let example = Example(
      with: "{}", outputs: #"{"id": "*"}"#, given: #"{"users": [{"username": "dana.reyes"}]}"#, before: [.signIn])

    package struct Input: Sendable {}

    package typealias Output = Profile

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.get("/v1/rain/personal-info")
      guard reply.isSuccess else { throw failure(reply) }
      return try Profile.decode(reply)
    }
  }
}

extension RapidSOS.FetchProfile.Input: DescribedRecord {
  package init(_ field: inout Fields) {}
}
