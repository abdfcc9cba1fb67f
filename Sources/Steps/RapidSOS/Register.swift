import HTTPTypes
package import StepKit

extension RapidSOS {
  /// `rapidsos/register`
  package enum Register: StepHandler {
    package static let about = About(
      "rapidsos/register", "Registers a person; they are not signed in by it.", effect: .unsafe, token: .client)
    static let usernameTaken = StepError(
      "rapidsos.username_taken", "the user name is taken", help: "go on to `rapidsos/authenticate`, or choose another name")
    package static let errors = [usernameTaken, validationFailed, notFound]
    package static let example = Example(
      with: #"{"username": "dana.reyes", "password": "correct-horse", "email": "dana@example.test"}"#,
      outputs: #"{"id": "*", "username": "dana.reyes", "email": "dana@example.test", "created": "*"}"#)

    package struct Input: Sendable {
      let username: Secret<String>
      let password: Secret<String>
      let email: String
    }

    package struct Output: Sendable {
      let id: Int
      let username: Secret<String>
      let email: String?
      let created: String?
      let modified: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.send(.post, "/v1/rain/user", json: input)
      guard reply.isSuccess else {
        // The one text among the 400s; the others are messages by field.
        if reply.status == 400, Refusal(reply).text.contains("already exists") {
          throw usernameTaken.failure(reply, detail: Refusal(reply).text)
        }
        throw failure(reply)
      }
      return try Output.decode(reply)
    }
  }
}

extension RapidSOS.Register.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    username = field("username", "A new name, 7 to 150 characters, unique in the organisation; may be the e-mail address.")
    password = field("password", "A password of 8 to 150 characters.")
    email = field("email", "Where RapidSOS reaches them.")
  }
}

extension RapidSOS.Register.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "Their id at RapidSOS.")
    username = field("username", "The name that was registered.")
    email = field("email", "The address that was registered.")
    created = field("created", "When, in ISO 8601.")
    modified = field("modified", "When it was changed last, in ISO 8601.")
  }
}
