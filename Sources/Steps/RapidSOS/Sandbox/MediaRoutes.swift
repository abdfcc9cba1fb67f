import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// An upload that has been signed.
  struct Upload: Sendable {
    let key: String
    let accessKeyID: String
    let policy: String
    let signature: String
    let token: String?
    /// Nil does not end.
    let expires: Timestamp?
  }

  /// What has been uploaded.
  struct Photo: Sendable {
    let key: String
    let contentType: String
    let bytes: [UInt8]
  }

  /// The routes of the media host, and the store of photos behind it.
  enum MediaRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/v1/kronos/upload-url", uploadURL),
      SandboxRoute(.post, "/v1/apollo-config/register", registerPush),
      SandboxRoute(.post, "/kronos-images/", PhotoStore.upload),
      SandboxRoute(.get, "/kronos-images/{key}", PhotoStore.photo),
    ]

    /// Assumed: How long it may be used.
    private static let life = Duration.seconds(3600)

    @Sendable private static func uploadURL(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard let key = call.request.query("key") else { throw refused("key", "Missing data for required field.") }
      guard key.wholeMatch(of: /[A-Za-z0-9]{16}\.jpeg/) != nil else { throw refused("key", "String does not match expected pattern.") }
      let upload = Upload(
        key: key, accessKeyID: "AKIA\(world.secret(length: 16).uppercased())", policy: world.secret(length: 40),
        signature: world.secret(length: 27) + "=", token: world.secret(length: 40), expires: world.now.advanced(by: life))
      state.sign(upload)
      return .json([
        "url": .string("http://\(call.request.authority ?? "localhost")/rapidsos/kronos-images/"),
        "fields": [
          "AWSAccessKeyId": .string(upload.accessKeyID), "key": .string(key), "policy": .string(upload.policy),
          "signature": .string(upload.signature), "x-amz-security-token": .string(upload.token ?? ""),
        ],
      ])
    }

    private static func refused(_ field: String, _ message: String) -> SandboxReply {
      var errors = FieldErrors()
      errors.add(field, message)
      return Refusal.fields(errors)
    }

    @Sendable private static func registerPush(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      _ = try state.tokens.rapidSOSUser("client", of: call.request, at: world.now, state.switches)
      var fields = try BodyFields(call.request)
      let number = fields.phone("caller_id", takesPlus: false)
      let token = fields.hexadecimal("push_token")
      try fields.check()
      state.pushTokens[number] = token
      // Assumed: No client reads the answer.
      return .json([:])
    }
  }

  /// The bucket of photos, as far as an upload by a signed form needs S3.
  enum PhotoStore {
    @Sendable static func upload(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard call.request.isMultipart else {
        throw refusal(412, "PreconditionFailed", "Bucket POST must be of the enclosure-type multipart/form-data")
      }
      guard let parts = call.request.parts else {
        throw refusal(400, "MalformedPOSTRequest", "The body of your POST request is not well-formed multipart/form-data.")
      }
      let files = parts.filter { $0.name == "file" }
      guard files.count == 1, let file = files.first else {
        throw refusal(400, "InvalidArgument", "POST requires exactly one file upload per request.")
      }
      // Fields behind the file are ignored (S3, "POST Object").
      let fields = Dictionary(
        parts.prefix { $0.name != "file" }.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) },
        uniquingKeysWith: { first, _ in first })
      guard let key = fields["key"], !key.isEmpty else {
        throw refusal(400, "InvalidArgument", "Bucket POST must contain a field named 'key'.")
      }
      try check(fields, state.upload(key), at: world.now)
      state.store(Photo(key: key, contentType: file.contentType ?? "binary/octet-stream", bytes: file.bytes))
      return SandboxReply(status: 204)
    }

    private static func check(_ fields: [String: String], _ upload: Upload?, at now: Timestamp) throws(SandboxReply) {
      guard fields["policy"] != nil, fields["signature"] != nil else { throw refusal(403, "AccessDenied", "Access Denied") }
      guard let upload, fields["AWSAccessKeyId"] == upload.accessKeyID else {
        throw refusal(403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
      }
      guard fields["policy"] == upload.policy, fields["signature"] == upload.signature else {
        throw refusal(
          403, "SignatureDoesNotMatch",
          "The request signature we calculated does not match the signature you provided. Check your key and signing method.")
      }
      guard fields["x-amz-security-token"] == upload.token else {
        throw refusal(403, "InvalidToken", "The provided token is malformed or otherwise invalid.")
      }
      if let expires = upload.expires, expires <= now {
        throw refusal(403, "AccessDenied", "Invalid according to Policy: Policy expired.")
      }
    }

    @Sendable static func photo(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      guard let photo = state.photos.first(where: { $0.key == call["key"] }) else {
        throw refusal(404, "NoSuchKey", "The specified key does not exist.")
      }
      return SandboxReply(status: 200, headers: [.contentType: photo.contentType], body: photo.bytes)
    }

    private static func refusal(_ status: Int, _ code: String, _ message: String) -> SandboxReply {
      let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(code)</Code><Message>\(message)</Message></Error>"
      return SandboxReply(status: status, headers: [.contentType: "application/xml"], body: Array(xml.utf8))
    }
  }
}
