package import StepKit
package import Values

extension Afero {
  /// `afero/sign-out`
  package enum SignOut: StepHandler {
    package static let about = About(
      "afero/sign-out", "Signs the person out: their mobile device first, where it is named, then the session, whatever the answer.",
      effect: .idempotent, signsOut: .always)
    package static let example = Example.afero(
      #"{"user_id": "usr-1", "mobile_device_id": "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77"}"#, #"{"disassociated": true}"#,
      user: #", "mobile_devices": [{"mobile_device_id": "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77"}]"#)

    package struct Input: DescribedRecord {
      let userID: String?
      let mobileDeviceID: String?

      package init(_ field: inout Fields) {
        userID = field("user_id", "Whose mobile device is disassociated first, where `mobile_device_id` names one.")
        mobileDeviceID = field("mobile_device_id", "The mobile device that no message shall reach any more, where `user_id` names whose.")
      }
    }

    package struct Output: DescribedRecord {
      let disassociated: Bool
      let errorCode: String?
      let errorDetail: String?

      package init(_ field: inout Fields) {
        disassociated = field("disassociated", "Whether the mobile device was disassociated.")
        errorCode = field("error_code", "Why it was not, such as `afero.unauthorized`; the person is signed out all the same.")
        errorDetail = field("error_detail", "The same in words.")
      }

      init(_ failure: StepFailure?, isAsked: Bool) {
        disassociated = isAsked && failure == nil
        errorCode = failure?.code
        errorDetail = failure.map { $0.detail.isEmpty ? $0.title : $0.detail }
      }
    }

    /// The two belong together.
    package static func refine(_ shape: RecordShape, literals: ValueMap, settings: ValueMap) -> RecordShape {
      var refined = shape
      for (given, other) in [("user_id", "mobile_device_id"), ("mobile_device_id", "user_id")] where literals[given] != nil {
        for index in refined.fields.indices where refined.fields[index].name == other {
          refined.fields[index].isRequired = true
          refined.fields[index].shape = String.shape
        }
      }
      return refined
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard let userID = input.userID, let mobileDeviceID = input.mobileDeviceID else {
        await ports.session.signOut()
        return Output(nil, isAsked: false)
      }
      let failure: StepFailure?
      do throws(StepFailure) {
        guard let token = await ports.session.held(.user) else { throw unauthorized.local(detail: "nobody is signed in") }
        try await MobileDevices.disassociate(mobileDeviceID, of: userID, by: token, ports)
        failure = nil
      } catch {
        failure = error
      }
      await ports.session.signOut()
      // What no branch may catch, such as a spent budget, ends the run here too.
      if let failure, !failure.isCatchable { throw failure }
      return Output(failure, isAsked: true)
    }
  }
}
