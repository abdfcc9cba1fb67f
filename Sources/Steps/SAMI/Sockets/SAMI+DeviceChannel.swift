import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/device-channel`
  package enum DeviceChannel: StepHandler {
    package static let about = About(
      "sami/device-channel", "Speaks for devices over a WebSocket: sends their messages and takes the actions that are for them.",
      effect: .unsafe)
    package static let errors =
      usual + [SAMISocket.refused, tokenRefused, messageTooLarge, ChannelProgress.unacknowledged]
    package static let example = Example(
      with: """
        {"devices": [{"id": "d-31", "token": "dtk-77"}], "messages": [{"sdid": "d-31", "data": {"numberOfSteps": 5200}}]}
        """, outputs: #"{"acks": [{"mid": "m-1", "cid": "m1"}], "actions": [], "sent": 1, "ended": "count"}"#,
      given: #"{"devices": [{"id": "d-31", "token": "dtk-77"}]}"#)

    package struct Input: Sendable {
      let devices: [ChannelDevice]
      let messages: [ChannelMessage]
      let ack: Bool
      let actions: Int
      let maxSeconds: Double
    }

    package struct Output: Sendable {
      let acks: [ChannelAck]
      let actions: [NotifiedMessage]
      let sent: Int
      let ended: SocketEnd
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let texts = try input.messages.enumerated().map { number, message throws(StepFailure) in try message.text(cid: "m\(number + 1)") }
      ports.http.hide(input.devices.map(\.token.exposed))
      let caught = SocketCatch(
        ChannelProgress(isConfirming: input.ack, devices: input.devices.count, messages: texts.count, wanted: input.actions))
      let clock = ports.clock
      let call = WebSocketCall("\(version)/websocket", query: input.ack ? [("ack", "true")] : [], token: TokenClass.none)
      do throws(StepFailure) {
        try await SAMISocket.open(call, ports) { connection throws(StepFailure) in
          let socket = SAMISocket(connection, clock, seconds: input.maxSeconds)
          for (number, device) in input.devices.enumerated() { try await connection.send(device.registration(cid: "r\(number + 1)")) }
          guard try await listen(socket, caught, until: \.isRegistered) else { return }
          for text in texts {
            try await connection.send(text)
            caught.change { $0.sent += 1 }
          }
          _ = try await listen(socket, caught, until: \.isDone)
        }
      } catch {
        throw caught.all.told(error)
      }
      let progress = caught.all
      if let missing = progress.missing { throw missing }
      return Output(acks: progress.acks, actions: progress.actions, sent: progress.sent, ended: progress.end)
    }

    /// Takes what comes until the channel is so far.
    /// - Returns: whether it is; else it has ended before.
    private static func listen(
      _ socket: SAMISocket, _ caught: SocketCatch<ChannelProgress>, until isEnough: (ChannelProgress) -> Bool
    ) async throws(StepFailure) -> Bool {
      var end = SocketEnd.count
      if !isEnough(caught.all) {
        end = try await socket.listen { message throws(StepFailure) in
          var progress = caught.all
          try progress.take(message)
          caught.change { [progress] in $0 = progress }
          return isEnough(progress)
        }
      }
      caught.change { $0.end = end }
      return end == .count
    }
  }

  /// A device that the channel speaks for.
  package struct ChannelDevice: Sendable {
    let id: String
    let token: Secret<String>

    func registration(cid: String) -> String {
      let wire: Value = [
        "type": "register", "sdid": .string(id), "Authorization": .string("bearer \(token.exposed)"), "cid": .string(cid),
      ]
      return wire.json()
    }
  }

  /// A message of a device.
  package struct ChannelMessage: Sendable {
    let sdid: String
    let ddid: String?
    let ts: Int?
    let data: Value

    /// - Throws: `sami.message_too_large`.
    func text(cid: String) throws(StepFailure) -> String {
      var wire = ValueMap()
      wire["sdid"] = .string(sdid)
      wire["ddid"] = ddid.map { .string($0) }
      wire["cid"] = .string(cid)
      wire["type"] = "message"
      wire["ts"] = ts.map { .int(Int64($0)) }
      wire["data"] = data
      let bytes = Value.map(wire).jsonBytes(secrets: .exposed)
      guard bytes.count <= PostedMessage.largest else {
        throw messageTooLarge.local(detail: "message `\(cid)` has \(bytes.count) bytes, and SAMI takes \(PostedMessage.largest)")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// What SAMI says to a message.
  package struct ChannelAck: Sendable {
    let mid: String
    let cid: String?

    init(mid: String, cid: String?) {
      self.mid = mid
      self.cid = cid
    }
  }
}

extension SAMI.DeviceChannel.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    devices = field("devices", "The devices that it speaks for; a refusal calls the first one `r1`.")
    messages = field("messages", "What they send, in order; a refusal calls the first one `m1`.", default: [])
    ack = field("ack", "Whether SAMI acknowledges each message, and one that it does not is an error.", default: true)
    actions = field("actions", "How many actions are waited for.", default: 0, minimum: 0)
    maxSeconds = field(
      "max_seconds", "After how many seconds it is enough, whatever came; a day at most.", default: 20, minimum: 1,
      maximum: SAMISocket.longest)
  }
}

extension SAMI.DeviceChannel.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    acks = field("acks", "What SAMI says to the messages.")
    actions = field("actions", "What the devices are to do.")
    sent = field("sent", "How many of the messages were sent.")
    ended = field("ended", "Why it was enough.")
  }
}

extension SAMI.ChannelDevice: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The device's id.", minLength: 1)
    token = field("token", "Its own token, or one that may read and write it.", minLength: 1)
  }
}

extension SAMI.ChannelMessage: DescribedRecord {
  package init(_ field: inout Fields) {
    sdid = field("sdid", "The device that it comes from.", minLength: 1)
    ddid = field("ddid", "The device that it is for, where there is one.", minLength: 1)
    ts = field("ts", "When it was measured, in milliseconds since 1970; now unless stated.")
    data = field("data", "A text, or members as the device's manifest has them.")
  }
}

extension SAMI.ChannelAck: DescribedRecord {
  package init(_ field: inout Fields) {
    mid = field("mid", "The message's id.")
    cid = field("cid", "Which message: `m1` is the first one.")
  }
}
