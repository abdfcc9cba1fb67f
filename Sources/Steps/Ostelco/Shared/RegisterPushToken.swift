import HTTPTypes
package import StepKit
import Values

extension MobileShop {
  /// `ostelco/register-push-token`, `oya/register-push-token`
  ///
  /// There is one entry for each installation, and a repeat replaces it.
  package enum RegisterPushToken<Operator: MobileOperator>: StepHandler {
    package static var about: About {
      About(
        "\(Operator.name)/register-push-token", "Registers an installation of the app for push messages.", effect: .idempotent, token: .user
      )
    }
    package static var errors: [StepError] { Operator.pushRefusals.errors }
    package static var example: Example {
      Operator.example(
        with: #"{"token": "fcm-9x", "application_id": "sg.redotter.dev.selfcare.9725FE65"}"#,
        outputs: #"{"token": "fcm-9x", "application_id": "sg.redotter.dev.selfcare.9725FE65", "token_type": "FCM"}"#)
    }

    package struct Input: DescribedRecord {
      let token: Secret<String>
      let applicationID: String
      let tokenType: String

      package init(_ field: inout Fields) {
        token = field("token", "The token that the platform gave the installation.")
        applicationID = field("application_id", "The app's id, a dot, and the installation's.")
        tokenType = field("token_type", "Whose token it is; messages go to `FCM` alone.", default: "FCM")
      }
    }

    package struct Output: DescribedRecord {
      let token: Secret<String>
      let applicationID: String
      let tokenType: String

      package init(_ field: inout Fields) {
        token = field("token", "The token that is stored.")
        applicationID = field("application_id", "The installation.")
        tokenType = field("token_type", "Whose token it is.")
      }
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await ports.http.send(
        HTTPCall(
          .post, Operator.pushTokenPath,
          body: .json([
            "token": input.token.value, "applicationID": .string(input.applicationID), "tokenType": .string(input.tokenType),
          ]), secretMembers: ["token"]))
      guard reply.isSuccess else { throw Operator.failure(reply, Operator.pushRefusals) }
      return try Output.read(reply)
    }
  }
}
