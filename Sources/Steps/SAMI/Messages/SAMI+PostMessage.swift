import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/post-message`
  package enum PostMessage: StepHandler {
    package static let about = About("sami/post-message", "Sends a message of a device.", effect: .unsafe)
    package static let errors = usual + [tokenRefused, messageTooLarge]
    package static let example = Example(
      with: """
        {"sdid": "d-31", "data": {"numberOfSteps": 5120, "floorsAscended": 4, "floorsDescended": 3, "distance": 3710.5}}
        """,
      outputs: #"{"mid": "*", "rate_limit": "*"}"#, given: DeviceReference.given, before: [.consent])

    package struct Input: Sendable {
      let sdid: String
      let ddid: String?
      let ts: Int?
      let data: Value
      let token: Secret<String>?
    }

    package typealias Output = PostedMessage

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = ValueMap()
      body["sdid"] = .string(input.sdid)
      body["ddid"] = input.ddid.map { .string($0) }
      body["type"] = "message"
      body["ts"] = input.ts.map { .int(Int64($0)) }
      body["data"] = input.data
      return try await PostedMessage.post(SAMIRequest(.post, "messages", body: body, deviceToken: input.token), ports)
    }
  }

  /// `sami/send-action`
  package enum SendAction: StepHandler {
    package static let about = About("sami/send-action", "Tells a device to do something.", effect: .unsafe, needs: SAMICaller.needs)
    package static let errors = usual + [messageTooLarge]
    package static let example = Example(
      with: #"{"ddid": "d-40", "actions": [{"name": "setOn"}]}"#, outputs: #"{"mid": "*", "rate_limit": "*"}"#,
      given: #"{"devices": [{"id": "d-40", "dtid": "dt-9", "name": "Hall light"}]}"#, before: [.consent])

    package struct Input: Sendable {
      let ddid: String
      let ts: Int?
      let actions: [DeviceAction]
      let as_: SAMICaller
    }

    package typealias Output = PostedMessage

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      var body = ValueMap()
      body["ddid"] = .string(input.ddid)
      body["ts"] = input.ts.map { .int(Int64($0)) }
      body["type"] = "action"
      body["data"] = ["actions": input.actions.value]
      return try await PostedMessage.post(SAMIRequest(.post, "messages", body: body, as: input.as_), ports)
    }
  }

  /// One thing to do.
  package struct DeviceAction: Sendable {
    let name: String
    let parameters: NamedMembers<Value>
  }
}

/// What SAMI answers to a message.
package struct PostedMessage: Sendable {
  let mid: String
  let rateLimit: RateLimit?

  private struct Wire: DescribedRecord {
    let mid: String
    init(_ field: inout Fields) { mid = field("mid", "Its id.") }
  }

  /// More than this is refused, before anything is sent.
  static let largest = 10 * 1024

  /// - Throws: `sami.message_too_large` with nothing sent, and what any call of the API raises.
  static func post(_ request: SAMIRequest, _ ports: Ports) async throws(StepFailure) -> PostedMessage {
    let size = request.body.map { Value.map($0).jsonBytes(secrets: .exposed).count } ?? 0
    guard size <= largest else {
      throw SAMI.messageTooLarge.local(detail: "the message has \(size) bytes, and SAMI takes \(largest)")
    }
    let reply = try await SAMI.send(request, ports)
    let wire: Wire = try SAMI.decode(reply)
    return PostedMessage(mid: wire.mid, rateLimit: RateLimit(reply))
  }

  private init(mid: String, rateLimit: RateLimit?) {
    self.mid = mid
    self.rateLimit = rateLimit
  }
}

extension PostedMessage: DescribedRecord {
  package init(_ field: inout Fields) {
    mid = field("mid", "The message's id.")
    rateLimit = field("rate_limit", "What is left of the calls of a minute and of a day.")
  }
}

extension SAMI.PostMessage.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device that it comes from.", minLength: 1)
    ddid = field("ddid", "The device that it is for, where there is one.", minLength: 1)
    ts = field("ts", "When it was measured, in milliseconds since 1970; now unless stated.")
    data = field("data", "A text, or members as the device's manifest has them: what does not fit yields no normalised field.")
    token = field("token", DeviceReference.aboutToken)
  }
}

extension SAMI.SendAction.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    ddid = field("ddid", "The device that is to do it.", minLength: 1)
    ts = field("ts", "When, in milliseconds since 1970; now unless stated.")
    actions = field("actions", "What to do, in order.")
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.DeviceAction: DescribedRecord {
  package init(_ field: inout Fields) {
    name = field("name", "What, by the name that the device's manifest gives it.", minLength: 1)
    parameters = field("parameters", "How, by name.", default: NamedMembers())
  }
}
