import HTTPTypes
package import StepKit
import Values

extension RapidSOS {
  /// `rapidsos/upload-photo`
  package enum UploadPhoto: StepHandler {
    package static let about = About(
      "rapidsos/upload-photo", "Uploads a JPEG picture to where `rapidsos/get-upload-url` says.", effect: .idempotent)
    static let uploadRefused = StepError(
      "rapidsos.upload_refused", "the store of photos refuses the upload", help: "ask for a new URL with `rapidsos/get-upload-url`")
    package static let errors = [uploadRefused]
    package static let example = Example(
      with: """
        {"url": "https://kronos-images.s3.amazonaws.com/", "file": "photos/dana.jpeg", "fields": {
          "aws_access_key_id": "AKIAEXAMPLE", "key": "a1B2c3D4e5F6g7H8.jpeg", "policy": "eyJleHBpcmF0aW9uIjoiMjAzMCJ9",
          "signature": "x0=", "x_amz_security_token": "FQoExample"}}
        """,
      outputs: #"{"photo_url": "https://kronos-images.s3.amazonaws.com/a1B2c3D4e5F6g7H8.jpeg"}"#,
      given: """
        {"uploads": [{"aws_access_key_id": "AKIAEXAMPLE", "key": "a1B2c3D4e5F6g7H8.jpeg",
          "policy": "eyJleHBpcmF0aW9uIjoiMjAzMCJ9", "signature": "x0=", "x_amz_security_token": "FQoExample"}]}
        """)

    package struct Input: Sendable {
      let url: String
      let fields: UploadFields
      let file: String
    }

    package struct Output: Sendable { let photoURL: String }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let bytes = try await ports.files.read(input.file)
      // S3 ignores every field behind the file.
      let parts = input.fields.parts + [FormPart("file", bytes, fileName: "profile_photo.jpeg", contentType: "image/jpeg")]
      var call = HTTPCall(.post, input.url, body: .multipart(parts), token: TokenClass.none)
      call.isBodySecret = true
      let reply = try await ports.http.send(call)
      guard reply.isSuccess else {
        guard (400..<500).contains(reply.status) else { throw failure(reply) }
        throw uploadRefused.failure(reply, detail: reason(reply.text))
      }
      return Output(photoURL: input.url + (input.url.hasSuffix("/") ? "" : "/") + input.fields.key)
    }

    /// What the XML of an error says: `SignatureDoesNotMatch: The request signature …`.
    private static func reason(_ xml: String) -> String {
      ["Code", "Message"].compactMap { element in
        guard let start = xml.firstRange(of: "<\(element)>"), let end = xml.firstRange(of: "</\(element)>"),
          start.upperBound <= end.lowerBound
        else { return nil }
        return String(xml[start.upperBound..<end.lowerBound])
      }
      .joined(separator: ": ")
    }
  }
}

extension RapidSOS.UploadPhoto.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    url = field("url", "Where to, as `rapidsos/get-upload-url` gives it.", format: .uri)
    fields = field("fields", "What proves that it may be uploaded, likewise.")
    file = field("file", "The picture's path in the project.", minLength: 1)
  }
}

extension RapidSOS.UploadPhoto.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    photoURL = field("photo_url", "Where the photo now lies, such as for the profile's `photo`.")
  }
}
