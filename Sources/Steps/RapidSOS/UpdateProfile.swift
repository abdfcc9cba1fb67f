import HTTPTypes
package import StepKit
import Values

extension RapidSOS {
  /// `rapidsos/update-profile`
  package enum UpdateProfile: StepHandler {
    package static let about = About(
      "rapidsos/update-profile", "Changes the given sections of the emergency profile and leaves the others.", effect: .idempotent,
      token: .user)
    package static let errors = [validationFailed, notFound]
    package static let example = Example(
      with: """
        {"full_name": ["Dana Reyes"], "phone_number": [{"number": "+12345678888", "label": "cell"}],
         "emergency_contact": [{"full_name": "Ira Reyes", "phone": "+12345670000", "label": "brother"}]}
        """,
      outputs: #"{"id": "*", "full_name": "*", "phone_number": "*", "emergency_contact": "*"}"#,
      given: #"{"users": [{"username": "dana.reyes"}]}"#, before: [.signIn])

    package struct Input: DescribedRecord {
      let id: NumberOrText?
      let sections: ProfileSections

      package init(_ field: inout Fields) {
        id = field("id", "The person's id, as `rapidsos/fetch-profile` gives it; sent along where it is given.")
        sections = ProfileSections(&field)
      }
    }

    package typealias Output = Profile

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = ValueMap()
      // The reference client sends it as a text, although answers have a number.
      body["id"] = input.id?.value.scalarText.map { .string($0) }
      for (name, section) in SectionCatalogue.profile.wire(input.sections.encoded) { body[name] = section }
      let reply = try await ports.http.send(HTTPCall(.patch, "/v1/rain/personal-info", body: .json(.map(body))))
      guard reply.isSuccess else { throw failure(reply) }
      return try Profile.decode(reply)
    }
  }
}
