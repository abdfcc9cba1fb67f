import HTTPTypes
package import StepKit
import Values

extension RapidSOS {
  /// `rapidsos/get-upload-url`
  package enum GetUploadURL: StepHandler {
    package static let about = About(
      "rapidsos/get-upload-url", "Asks where a photo may be uploaded to, and with which signature.", effect: .read, needs: ["media_url"])
    static let badKey = StepError(
      "rapidsos.bad_key", "RapidSOS does not take this key", help: "leave `key` out, or give 16 letters and digits and `.jpeg`")
    package static let errors = [badKey, notFound]
    package static let example = Example(
      with: #"{"key": "a1B2c3D4e5F6g7H8.jpeg"}"#, outputs: #"{"url": "*", "fields": "*"}"#)

    package struct Input: Sendable { let key: String? }

    package struct Output: Sendable {
      let url: String
      let fields: UploadFields
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let key = input.key ?? freshKey(ports.random)
      let reply = try await MediaHost(ports).send(
        .get, "/v1/kronos/upload-url", query: [("key", key)], secretMembers: ["policy", "signature", "x-amz-security-token"])
      guard reply.isSuccess else { throw failure(reply, [400: badKey]) }
      let wire = try Wire.decode(reply)
      return Output(url: wire.url, fields: UploadFields(valid: UploadFields.read(wire.fields.value)))
    }

    /// 16 letters and digits, as the reference client makes them.
    private static func freshKey(_ random: any RandomPort) -> String {
      let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
      return String(random.bytes(16).map { alphabet[Int($0) % alphabet.count] }) + ".jpeg"
    }

    struct Wire: Sendable {
      let url: String
      let fields: WireFields
    }
  }

  /// The form fields that prove an upload, under the names of flows.
  package struct UploadFields: Sendable {
    let awsAccessKeyID: String
    let key: String
    let policy: Secret<String>
    let signature: Secret<String>
    let xAmzSecurityToken: Secret<String>?

    /// Their names on the wire, in the order of RapidSOS's own client.
    static let names: [(flow: String, wire: String)] = [
      ("aws_access_key_id", wire: "AWSAccessKeyId"), ("key", "key"), ("policy", "policy"), ("signature", "signature"),
      ("x_amz_security_token", "x-amz-security-token"),
    ]

    /// The fields of an answer under the names of flows.
    static func read(_ wire: Value) -> Value {
      var map = ValueMap()
      for name in names { map[name.flow] = wire[name.wire] }
      return .map(map)
    }

    /// The parts of the form, in order.
    var parts: [FormPart] {
      Self.names.compactMap { name in
        encoded[name.flow]?.exposed.stringValue.map { FormPart(name.wire, Array($0.utf8)) }
      }
    }
  }

  /// The fields as the wire has them: their names are no labels of Swift.
  struct WireFields: FieldValue {
    let value: Value

    static var shape: Shape {
      let record = UploadFields.recordShape
      return .record(
        RecordShape(
          UploadFields.names.compactMap { name in
            record.field(name.flow).map {
              RecordShape.Field(name.wire, $0.about, $0.shape, isRequired: $0.isRequired)
            }
          }))
    }
    static var placeholder: Self { Self(valid: .null) }
    init(valid value: Value) { self.value = value }
  }
}

extension RapidSOS.GetUploadURL.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    key = field("key", "The photo's name there, 16 letters and digits and `.jpeg`; a fresh one where it is left out.")
  }
}

extension RapidSOS.GetUploadURL.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    url = field("url", "Where to upload it to.")
    fields = field("fields", "What proves that it may be uploaded.")
  }
}

extension RapidSOS.GetUploadURL.Wire: DescribedRecord {
  init(_ field: inout Fields) {
    url = field("url", "")
    fields = field("fields", "")
  }
}

extension RapidSOS.UploadFields: DescribedRecord {
  package init(_ field: inout Fields) {
    awsAccessKeyID = field("aws_access_key_id", "Who signed.")
    key = field("key", "The photo's name there.")
    policy = field("policy", "What may be uploaded, and until when.")
    signature = field("signature", "The proof of the policy.")
    xAmzSecurityToken = field("x_amz_security_token", "The signer's session, where the signer has one.")
  }
}
