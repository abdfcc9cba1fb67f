import StepKit
import Values

/// How far a device channel is, and what a failure has to say of it.
struct ChannelProgress: Sendable {
  static let unacknowledged = StepError(
    "sami.unacknowledged", "SAMI has not acknowledged all that was to be sent",
    help: """
      see with `sami/get-last-messages` what has come before anything is sent again; give it more `max_seconds`, or \
      `ack: false` where nobody needs to know
      """)

  /// Whether SAMI says what it has taken.
  let isConfirming: Bool
  let devices: Int
  let messages: Int
  /// How many actions are waited for.
  let wanted: Int
  var registered = 0
  /// Of the messages.
  var sent = 0
  var acks: [SAMI.ChannelAck] = []
  var actions: [SAMI.NotifiedMessage] = []
  var end = SocketEnd.time

  /// What is sent for a device before is lost.
  var isRegistered: Bool { !isConfirming || registered >= devices }
  var isDone: Bool { sent == messages && isAcknowledged && actions.count >= wanted }
  private var isAcknowledged: Bool { !isConfirming || registered >= devices && acks.count >= messages }

  /// Keeps what came.
  /// - Throws: what SAMI says against something.
  mutating func take(_ message: Value) throws(StepFailure) {
    let data = message["data"]
    if message["type"] == "action" {
      actions.append(try SAMI.NotifiedMessage(message))
    } else if let mid = data?["mid"]?.stringValue {
      let cid = data?["cid"]?.stringValue
      // What is said twice acknowledges one message.
      if cid == nil || !acks.contains(where: { $0.cid == cid }) { acks.append(SAMI.ChannelAck(mid: mid, cid: cid)) }
    } else if let data, let code = data["code"]?.scalarText {
      guard code == "200" else { throw SAMISocket.failure(data) }
      registered += 1
    }
  }

  /// The failure of a channel that has ended too early; nil where all was acknowledged that was to be.
  var missing: StepFailure? {
    guard !isAcknowledged else { return nil }
    let reason =
      switch end {
      case .count: "enough has come"
      case .time: "the time is over"
      case .closed: "SAMI has closed the socket"
      case .stalled: "nothing came for a minute"
      }
    let registrations = isRegistered ? "" : "\(registered) of \(devices) devices registered; "
    var failure = Self.unacknowledged.local(detail: "\(reason): \(registrations)\(account)")
    // Nobody loses or doubles anything by a registration.
    (failure.sent, failure.isRejected) = (sent == 0 ? .no : .maybe, sent == 0)
    return failure
  }

  /// A failure with what had gone out before it: whoever repeats the step sends that twice.
  func told(_ failure: StepFailure) -> StepFailure {
    guard sent > 0 else { return failure }
    var told = failure
    told.detail = told.detail.isEmpty ? account : "\(told.detail); \(account)"
    // One message that SAMI refuses is all that there was.
    if sent == 1, acks.isEmpty, failure.isRejected { return told }
    (told.sent, told.isRejected, told.retryAt) = (.maybe, false, nil)
    return told
  }

  private var account: String {
    let acknowledged = isConfirming && sent > 0 ? ", \(acks.count) of them acknowledged" : ""
    return "\(sent) of \(messages) messages sent\(acknowledged)"
  }
}
