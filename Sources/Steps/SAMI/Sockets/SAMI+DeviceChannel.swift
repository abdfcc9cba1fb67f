import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/device-channel`
  package enum DeviceChannel: StepHandler {
    package static let about = About(
      "sami/device-channel", "Speaks for devices over a WebSocket: sends their messages and takes the actions that are for them.",
      effect: .unsafe)
    package static let errors = [SAMISocket.refused, rateLimited, messageTooLarge]
    // Nothing is opened where there is no time for it.
    package static let example = Example(
      with: """
        {"devices": [{"id": "d-31", "token": "dtk-77"}], "messages": [{"sdid": "d-31", "data": {"numberOfSteps": 5200}}], "max_seconds": 0}
        """, outputs: #"{"acks": [], "actions": [], "ended": "time"}"#)

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
      let ended: SocketEnd
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let texts = try input.messages.enumerated().map { number, message throws(StepFailure) in try message.text(cid: "m\(number + 1)") }
      guard input.maxSeconds > 0 else { return Output(acks: [], actions: [], ended: .time) }
      ports.http.hide(input.devices.map(\.token.exposed))
      let caught = SocketCatch<ChannelState>(ChannelState())
      let clock = ports.clock
      let call = WebSocketCall("\(version)/websocket", query: input.ack ? [("ack", "true")] : [], token: TokenClass.none)
      try await ports.sockets.open(call) { connection throws(StepFailure) in
        let socket = SAMISocket(connection, clock, seconds: input.maxSeconds)
        for (number, device) in input.devices.enumerated() { try await connection.send(device.registration(cid: "r\(number + 1)")) }
        if input.ack { caught.change { $0.registrations = input.devices.count } }
        if try await isReady(socket, caught) {
          for text in texts { try await connection.send(text) }
          if input.ack { caught.change { $0.awaited = texts.count } }
          let isDone = caught.change { $0.isDone(input.actions) }
          let end =
            isDone
            ? .count
            : try await socket.listen { message throws(StepFailure) in
              try take(message, caught)
              return caught.change { $0.isDone(input.actions) }
            }
          caught.change { $0.end = end }
        }
      }
      let state = caught.all
      return Output(acks: state.acks, actions: state.actions, ended: state.end)
    }

    /// Waits until every device is registered: what is sent before is lost.
    private static func isReady(_ socket: SAMISocket, _ caught: SocketCatch<ChannelState>) async throws(StepFailure) -> Bool {
      guard caught.all.registrations > 0 else { return true }
      let end = try await socket.listen { message throws(StepFailure) in
        try take(message, caught)
        return caught.all.registrations == 0
      }
      caught.change { $0.end = end }
      return end == .count
    }

    private static func take(_ message: Value, _ caught: SocketCatch<ChannelState>) throws(StepFailure) {
      if message["type"] == "action" {
        let action = try NotifiedMessage(message)
        caught.change { $0.actions.append(action) }
      } else if let mid = message["data"]?["mid"]?.stringValue {
        let cid = message["data"]?["cid"]?.stringValue
        caught.change { $0.acks.append(ChannelAck(mid: mid, cid: cid)) }
      } else if let code = message["data"]?["code"]?.scalarText {
        guard code == "200" else {
          var failure = SAMISocket.refused.local(detail: "\(code): \(message["data"]?["message"]?.stringValue ?? "")")
          failure.sent = .yes
          throw failure
        }
        caught.change { $0.registrations = max($0.registrations - 1, 0) }
      }
    }
  }

  /// How far a channel is.
  struct ChannelState: Sendable {
    /// Devices whose registration has not been confirmed.
    var registrations = 0
    /// Messages whose ids are to come.
    var awaited = 0
    var acks: [ChannelAck] = []
    var actions: [NotifiedMessage] = []
    var end = SocketEnd.time

    func isDone(_ wanted: Int) -> Bool { acks.count >= awaited && actions.count >= wanted }
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
    devices = field("devices", "The devices that it speaks for.")
    messages = field("messages", "What they send, in order.", default: [])
    ack = field("ack", "Whether SAMI confirms what is sent; without it nobody knows.", default: true)
    actions = field("actions", "How many actions are waited for.", default: 0, minimum: 0)
    maxSeconds = field("max_seconds", "After how many seconds it is enough, whatever came.", default: 20, minimum: 0)
  }
}

extension SAMI.DeviceChannel.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    acks = field("acks", "What SAMI says to the messages.")
    actions = field("actions", "What the devices are to do.")
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
