import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// Who has asked for something.
  package struct ActionSource: DescribedRecord {
    let type: String?
    let userID: String?
    let firstName: String?
    let lastName: String?

    package init(_ field: inout Fields) {
      type = field("type", "What they are, such as `user`.")
      userID = field("user_id", "Their id.")
      firstName = field("first_name", "Their first name.")
      lastName = field("last_name", "Their last name.")
    }
  }

  /// What Afero says of something that it has begun.
  package struct StartedAction: DescribedRecord {
    let type: String?
    let requestID: Int
    let timestampMs: Int?
    let sender: String?
    let source: ActionSource?

    package init(_ field: inout Fields) {
      type = field("type", "What was asked for.")
      requestID = field("request_id", "The number of the request; the device answers later.")
      timestampMs = field("timestamp_ms", "When, in milliseconds since 1970.")
      sender = field("sender", "What has taken the request.")
      source = field("source", "Who has asked.")
    }
  }

  /// What may be asked of an attribute.
  package enum ActionType: String, Choice {
    case attributeWrite = "attribute_write"
    case attributeRead = "attribute_read"
  }

  /// `afero/send-action`
  package enum SendAction: AferoOperation {
    package static let about = About(
      "afero/send-action", "Writes or reads one attribute of a device; the device answers later.", effect: .unsafe, token: .user)
    package static let meanings = [423: deviceLinking, 424: deviceOffline]
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "device_id": "dev-3", "attr_id": 1, "data": "01"}"#,
      #"{"type": "attribute_write", "request_id": 1, "timestamp_ms": "*", "sender": "ClientApi", "source": "*"}"#, user: DeviceExample.user)

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String
      let type: ActionType
      let attrID: Int
      let data: String?
      let value_: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        type = field("type", "Whether the attribute is written or read.", default: .attributeWrite)
        attrID = field("attr_id", "The attribute's number.")
        data = field("data", "Its bytes in hex, the lowest first.")
        value_ = field("value", "Its value as text, in the place of `data`.")
      }
    }

    package typealias Output = StartedAction

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      if input.type == .attributeWrite, input.data == nil, input.value_ == nil {
        throw badRequest.local(detail: "there is nothing to write: give `data` or `value`")
      }
      return HTTPCall(
        .post, try path("accounts", input.accountID, "devices", input.deviceID, "actions"),
        body: body(input, without: ["account_id", "device_id"]))
    }
  }

  /// `afero/send-requests`
  package enum SendRequests: AferoOperation {
    package static let about = About(
      "afero/send-requests", "Sends several requests to a device; the answer says of each whether it was sent.", effect: .unsafe,
      token: .user)
    package static let meanings = SendAction.meanings
    package static let example = Example.afero(
      #"{"account_id": "acc-1", "device_id": "dev-3", "requests": [{"type": "attribute_write", "attr_id": 1, "value": "1"}]}"#,
      #"{"results": "*", "all_succeeded": true}"#, user: DeviceExample.user)

    /// What may be asked of a device.
    package enum RequestType: String, Choice {
      case attributeWrite = "attribute_write"
      case attributeRead = "attribute_read"
      case notifyViewing = "notify_viewing"
    }

    /// One thing that is asked.
    package struct Request: DescribedRecord {
      let type: RequestType
      let attrID: Int?
      let value_: String?
      let seconds: Int?

      package init(_ field: inout Fields) {
        type = field("type", "Whether an attribute is written or read, or somebody looks at the device.")
        attrID = field("attr_id", "The attribute's number.")
        value_ = field("value", "Its value as text.")
        seconds = field("seconds", "How long somebody will look.", minimum: 0)
      }

      /// The input's name for what its type cannot do without; nil where nothing is missing.
      var missing: String? {
        switch type {
        case .notifyViewing: nil
        case .attributeRead: attrID == nil ? "attr_id" : nil
        case .attributeWrite: attrID == nil ? "attr_id" : value_ == nil ? "value" : nil
        }
      }
    }

    /// What became of it.
    package struct Result: DescribedRecord {
      let status: String
      let requestID: Int?
      let statusCode: Int?
      let timestampMs: Int?

      package init(_ field: inout Fields) {
        status = field("status", "`SUCCESS`, `FAILURE` or `NOT_ATTEMPTED`.")
        requestID = field("request_id", "The number of the request.")
        statusCode = field("status_code", "Why, as a status: 424 is a device that cannot be reached.")
        timestampMs = field("timestamp_ms", "When, in milliseconds since 1970.")
      }
    }

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String
      let requests: [Request]

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", Prose.device)
        requests = field("requests", "What is asked, in this order.")
      }
    }

    package struct Output: DescribedRecord {
      let results: [Result]
      let allSucceeded: Bool

      package init(_ field: inout Fields) {
        results = field("results", "What became of each, in the same order.")
        allSucceeded = field("all_succeeded", "Whether each of them is `SUCCESS`.")
      }
    }

    private struct Page: AferoBareAnswer {
      let results: [Result]

      init(_ field: inout Fields) { results = field("results", "The answer.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      for (index, request) in input.requests.enumerated() {
        guard let name = request.missing else { continue }
        throw badRequest.local(detail: "`requests[\(index)].\(name)` is missing, which `\(request.type.rawValue)` needs")
      }
      return HTTPCall(
        .post, try path("accounts", input.accountID, "devices", input.deviceID, "requests"),
        body: .json(AferoNames.onWire(input.requests.value, [Request].shape)))
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let reply = try await send(try call(input, Settings(valid: ports.settings)), ports)
      guard reply.isSuccess else { throw failure(reply, meanings) }
      let page: Page = try answer(reply)
      return Output(page.results)
    }
  }
}

extension Afero.SendRequests.Output {
  fileprivate init(_ results: [Afero.SendRequests.Result]) {
    self.results = results
    allSucceeded = results.allSatisfy { $0.status == "SUCCESS" }
  }
}
