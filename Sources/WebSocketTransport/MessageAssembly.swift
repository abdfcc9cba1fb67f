import NIOCore
import NIOWebSocket
import StepKit

/// Joins the frames of a server to messages, and says where it does not keep to the protocol.
struct MessageAssembly {
  enum Step {
    /// Nothing yet, or nothing that matters.
    case more
    case text(String)
    case ping(ByteBuffer)
    case close(code: Int, reason: String)
  }

  /// What ends the connection from this side (RFC 6455 §7.1.7).
  struct Violation: Error {
    /// Of the close frame (§7.4.1).
    let code: Int
    let failure: TransportFailure
  }

  private let maxMessageBytes: Int
  private let peer: String
  private var isInMessage = false
  private var bytes: [UInt8] = []

  /// - Parameter peer: for messages.
  init(maxMessageBytes: Int, peer: String) {
    self.maxMessageBytes = maxMessageBytes
    self.peer = peer
  }

  mutating func take(_ frame: WebSocketFrame) throws(Violation) -> Step {
    guard frame.reservedBits.isEmpty else { throw malformed("a frame has reserved bits set") }
    guard frame.maskKey == nil else { throw malformed("a frame of a server is masked") }
    switch frame.opcode {
    case .ping: return .ping(frame.data)
    case .pong: return .more
    case .connectionClose: return try close(frame.data)
    case .text:
      guard !isInMessage else { throw malformed("a message begins in the middle of another") }
      return try append(frame)
    case .continuation:
      guard isInMessage else { throw malformed("a message goes on that never began") }
      return try append(frame)
    case .binary:
      throw violation(1003, .malformed, "\(peer) sends binary messages, and only text is read")
    default: throw malformed("a frame has an unknown opcode")
    }
  }

  private mutating func append(_ frame: WebSocketFrame) throws(Violation) -> Step {
    guard frame.data.readableBytes <= maxMessageBytes - bytes.count else { throw tooLarge }
    bytes += frame.data.readableBytesView
    isInMessage = !frame.fin
    guard frame.fin else { return .more }
    let text = String(validating: bytes, as: UTF8.self)
    bytes = []
    guard let text else { throw violation(1007, .malformed, "a text message of \(peer) is not UTF-8") }
    return .text(text)
  }

  private func close(_ data: ByteBuffer) throws(Violation) -> Step {
    var data = data
    guard data.readableBytes > 0 else { return .close(code: 1005, reason: "") }
    guard let code = data.readInteger(as: UInt16.self), Self.isValid(code) else { throw malformed("a close frame has no valid code") }
    guard let reason = String(validating: data.readableBytesView, as: UTF8.self) else {
      throw violation(1007, .malformed, "the reason of a close frame of \(peer) is not UTF-8")
    }
    return .close(code: Int(code), reason: reason)
  }

  /// Those of §7.4.1 that may stand in a frame, and those of §7.4.2 that are registered or private.
  private static func isValid(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// A message, or a frame of it, that is larger than allowed.
  var tooLarge: Violation {
    violation(1009, .bodyTooLarge, "a message of \(peer) is longer than \(maxMessageBytes) bytes")
  }

  func malformed(_ what: String) -> Violation {
    violation(1002, .malformed, "\(peer) does not keep to the WebSocket protocol (\(what))")
  }

  private func violation(_ code: Int, _ reason: TransportFailure.Reason, _ message: String) -> Violation {
    Violation(code: code, failure: TransportFailure(reason, sent: .maybe, message: message))
  }
}
