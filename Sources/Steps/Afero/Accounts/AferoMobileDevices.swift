import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// The app's own installation on a phone: it gets push messages, and its id lets it into the stream of events.
  enum MobileDevices {
    /// One attempt with the token as it is: a 401 renews nothing.
    static func disassociate(_ id: String, of userID: String, by token: Token, _ ports: Ports) async throws(StepFailure) {
      var call = HTTPCall(.delete, try Afero.path("users", userID, "mobileDevices", id))
      call.headers[.authorization] = "Bearer \(token.accessToken)"
      call.secrets = [token.accessToken]
      let reply = try await send(call, ports)
      guard reply.isSuccess else { throw failure(reply, [401: unauthorized]) }
    }

    static let example = #""mobile_device_id": "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77""#
    static let about = "The app's id on this device: a UUID made for this purpose alone and kept, never an advertising id."
  }

  /// `afero/update-device-info`
  package enum UpdateDeviceInfo: AferoOperation {
    package static let about = About(
      "afero/update-device-info", "Registers the app's own installation, so that messages can reach it.", effect: .idempotent, token: .user)
    package static let example = Example.afero(
      """
      {"user_id": "usr-1", "platform": "IOS", \(MobileDevices.example), "app_id": "com.example.house", "push_id": "nzHA3g==",
       "extended_data": {"app_identifier": "com.example.house", "system_os_version": "17.1"}}
      """)

    /// Where push messages come from.
    package enum PushPlatform: String, Choice {
      case iOS = "IOS"
      case android = "ANDROID"
    }

    package struct Input: DescribedRecord {
      let userID: String
      let platform: PushPlatform
      let mobileDeviceID: String
      let pushID: Secret<String>?
      let appID: String?
      let extendedData: NamedMembers<Value>

      package init(_ field: inout Fields) {
        userID = field("user_id", Prose.user)
        platform = field("platform", "Whose push service reaches it.")
        mobileDeviceID = field("mobile_device_id", MobileDevices.about)
        pushID = field("push_id", "The push service's token, in base64.")
        appID = field("app_id", "The app's own id, such as `com.example.house`.")
        extendedData = field("extended_data", "Anything else, such as the version of the system.", default: NamedMembers())
      }
    }

    package typealias Output = Nothing

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(.post, try path("users", input.userID, "mobileDevices"), body: body(input, without: ["user_id"]))
    }
  }

  /// `afero/disassociate-mobile-device`
  package enum DisassociateMobileDevice: StepHandler {
    package static let about = About(
      "afero/disassociate-mobile-device", "Takes the app's installation from its person; a refused token is not renewed for it.",
      effect: .idempotent, token: .user)
    package static let errors = common + [unauthorized]
    package static let example = Example.afero(
      #"{"user_id": "usr-1", \#(MobileDevices.example)}"#, user: #", "mobile_devices": [{\#(MobileDevices.example)}]"#)

    package struct Input: DescribedRecord {
      let userID: String
      let mobileDeviceID: String

      package init(_ field: inout Fields) {
        userID = field("user_id", Prose.user)
        mobileDeviceID = field("mobile_device_id", MobileDevices.about)
      }
    }

    package typealias Output = Nothing

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let token: Token
      if let held = await ports.session.held(.user) {
        token = held
      } else {
        // A person of the connection's settings has not been needed before.
        token = try await ports.session.token(.user)
      }
      try await MobileDevices.disassociate(input.mobileDeviceID, of: input.userID, by: token, ports)
      return Nothing.placeholder
    }
  }
}
