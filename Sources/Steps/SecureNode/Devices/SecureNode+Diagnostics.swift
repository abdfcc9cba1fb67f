import HTTPTypes
package import StepKit
import Values

extension SecureNode {
  /// `securenode/send-log`
  package enum SendLog: StepHandler {
    package static let about = About(
      "securenode/send-log", "Sends one line of a device's log, cut to 1800 characters; SecureNode calls it deprecated.", effect: .unsafe)
    package static let errors = commonErrors
    package static let example = Example(
      with: """
        {"device_id": "5C1E0001", "level": "warn", "message": "sync failed", "occurred_at": "2024-11-21T09:10:00Z",
        "meta": {"latency_ms": 900}}
        """, outputs: #"{"success": true}"#)
    /// What SecureNode's clients cut a message to.
    static let longestMessage = 1800

    package enum Level: String, Choice { case debug, info, warn, error }

    package struct Input: Sendable {
      let deviceID: String
      let level: Level
      let message: String
      let meta: NamedMembers<Value>?
      let occurredAt: String?
    }

    package typealias Output = Acknowledgement

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = body(input, withoutEmpty: "occurred_at")
      body["message"] = .string(String(input.message.prefix(longestMessage)))
      return try Output.decode(
        try await Client(ports).sendExpecting(.post, "/mobile/device/log", body: .map(body), effect: .unsafe))
    }
  }

  /// `securenode/upload-debug`
  ///
  /// A repeat is refused for its nonce even if the first has arrived, so that it is never sent again by itself.
  package enum UploadDebug: StepHandler {
    package static let about = About(
      "securenode/upload-debug", "Uploads a device's log where the portal has asked for it; each nonce is taken once.", effect: .unsafe)
    package static let errors = [nonceReplayed, tooLarge] + commonErrors
    package static let example = Example(
      with: #"{"device_id": "5C1E0001", "nonce": "6a1f5c0e-9c1b-4c1e-8a9e-1c2d3e4f5a6b", "logs": "(sync:ok)\n"}"#,
      outputs: #"{"success": true, "id": "du-1"}"#, given: #"{"debug_enabled": true, "debug_request_upload": true}"#)

    package struct Input: Sendable {
      let deviceID: String
      let nonce: String
      let createdAt: String?
      let expiresAt: String?
      let state: Value?
      let logs: String?
    }

    package struct Output: Sendable {
      let success: Bool?
      let id: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await Client(ports).sendExpecting(
        .post, "/mobile/debug/upload", body: .map(body(input, withoutEmpty: "created_at", "expires_at")), effect: .unsafe,
        [409: nonceReplayed, 413: tooLarge])
      return try Output.decode(reply)
    }
  }
}

extension SecureNode.SendLog.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceID = field("device_id", "The device.", minLength: 1)
    level = field("level", "How grave it is.")
    message = field("message", "The line; what is longer than 1800 characters is cut off.")
    meta = field("meta", "What else is known of it.")
    occurredAt = field("occurred_at", "When it happened, in ISO 8601.", constraint: .written(.timeOrEmpty))
  }
}

extension SecureNode.UploadDebug.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    deviceID = field("device_id", "The device.", minLength: 1)
    nonce = field("nonce", "A UUID that has not been used yet, such as `${{ uuid() }}`.", minLength: 1)
    createdAt = field("created_at", "When the log was gathered, in ISO 8601.", constraint: .written(.timeOrEmpty))
    expiresAt = field("expires_at", "Until when it may be kept, in ISO 8601.", constraint: .written(.timeOrEmpty))
    state = field("state", "The state of the app, in whatever form.")
    logs = field("logs", "The log; SecureNode takes 200,000 characters.")
  }
}

extension SecureNode.UploadDebug.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    success = field("success", "What the server says of itself.")
    id = field("id", "The id of the upload.")
  }
}
