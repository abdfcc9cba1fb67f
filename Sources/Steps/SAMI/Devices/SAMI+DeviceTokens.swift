package import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// The token of a device: it does not end, and is good for that device alone.
  package struct DeviceToken: Sendable {
    let accessToken: Secret<String>
    let uid: String
    let did: String
  }

  /// The input of the steps on it.
  package struct DeviceTokenReference: Sendable { let id: String }
}

/// One of the three calls on `/devices/{id}/tokens`.
package protocol DeviceTokenCall: Sendable {
  static var about: About { get }
  static var method: HTTPRequest.Method { get }
}

extension SAMI {
  /// `sami/get-device-token`, `sami/create-device-token`, `sami/delete-device-token`
  package enum DeviceTokenStep<Call: DeviceTokenCall>: SAMIOperation {
    package static var about: About { Call.about }
    package static var example: Example {
      Example(
        with: #"{"id": "d-31"}"#, outputs: #"{"access_token": "*", "uid": "u-12", "did": "d-31"}"#,
        given: #"{"devices": [{"id": "d-31", "token": "dtk-77"}]}"#, before: [.consent])
    }

    package typealias Input = DeviceTokenReference
    package typealias Output = DeviceToken

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(Call.method, "devices", input.id, "tokens", secretMembers: ["accessToken"])
    }
  }

  /// `GET`
  package enum GetDeviceToken: DeviceTokenCall {
    package static let about = About("sami/get-device-token", "Reads a device's token.", effect: .read, token: .user)
    package static let method = HTTPRequest.Method.get
  }

  /// `PUT`
  package enum CreateDeviceToken: DeviceTokenCall {
    package static let about = About(
      "sami/create-device-token", "Makes a new token for a device; the one before is good no more.", effect: .idempotent, token: .user)
    package static let method = HTTPRequest.Method.put
  }

  /// `DELETE`
  package enum DeleteDeviceToken: DeviceTokenCall {
    package static let about = About(
      "sami/delete-device-token", "Deletes a device's token, which is good no more.", effect: .idempotent, token: .user)
    package static let method = HTTPRequest.Method.delete
  }
}

extension SAMI.DeviceTokenReference: DescribedRecord {
  package init(_ field: inout Fields) { id = field("id", "The device's id.", minLength: 1) }
}

extension SAMI.DeviceToken: DescribedRecord {
  package init(_ field: inout Fields) {
    accessToken = field("access_token", "The token; steps on messages and devices take it as `token`.")
    uid = field("uid", "Whose the device is.")
    did = field("did", "The device's id.")
  }
}
