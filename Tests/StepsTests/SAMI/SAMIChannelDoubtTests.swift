import StepKit
import Steps
import Testing
import Values

/// Whoever repeats a device channel sends its messages twice: what went out is said, whatever it ended with.
@Suite("A device channel that ends too early")
struct SAMIChannelDoubtTests {
  private static let registered = WebSocketEvent.text(#"{"data":{"message":"OK","code":"200","cid":"r1"}}"#)
  private static let closed = WebSocketEvent.closed(code: 1001, reason: "going away")
  private static func ack(_ number: Int) -> WebSocketEvent { .text(#"{"data":{"mid":"m-\#(number)","cid":"m\#(number)"}}"#) }
  private static func refusal(_ code: Int, _ message: String) -> WebSocketEvent {
    .text(#"{"error":{"code":\#(code),"message":"\#(message)"}}"#)
  }

  /// What a channel of one device and so many messages ends with.
  private func failure(_ messages: Int, _ events: [WebSocketEvent], with: String = "") async throws -> StepFailure? {
    let list = Array(repeating: #"{"sdid": "d-31", "data": "on"}"#, count: messages).joined(separator: ", ")
    let script = try await SAMIScript([], sockets: ScriptedSocket(events))
    return await script.failure("device-channel", #"{"devices": [{"id": "d-31", "token": "t"}], "messages": [\#(list)]\#(with)}"#)
  }

  @Test(
    "where not all is acknowledged that went out, nobody knows",
    arguments: [
      ([registered, closed], "SAMI has closed the socket: 3 of 3 messages sent, 0 of them acknowledged"),
      ([registered, ack(1), ack(2), closed], "SAMI has closed the socket: 3 of 3 messages sent, 2 of them acknowledged"),
      ([registered, ack(1), .idle], "nothing came for a minute: 3 of 3 messages sent, 1 of them acknowledged"),
      ([registered, ack(1), ack(1), ack(2), closed], "SAMI has closed the socket: 3 of 3 messages sent, 2 of them acknowledged"),
    ] as [([WebSocketEvent], String)])
  func doubt(events: [WebSocketEvent], detail: String) async throws {
    let failure = try await failure(3, events, with: #", "max_seconds": 120"#)
    #expect(failure?.code == "sami.unacknowledged")
    #expect(failure?.detail == detail)
    #expect(failure?.sent == .maybe)
    #expect(failure?.isRejected == false)
  }

  @Test("where no device was registered nothing went out, and all may be sent again", arguments: [0, 2])
  func unregistered(messages: Int) async throws {
    let failure = try await failure(messages, [Self.closed])
    #expect(failure?.code == "sami.unacknowledged")
    #expect(failure?.detail == "SAMI has closed the socket: 0 of 1 devices registered; 0 of \(messages) messages sent")
    #expect(failure?.sent == .no)
    #expect(failure?.isRejected == true)
  }

  @Test("actions that do not come are no error")
  func actions() async throws {
    let script = try await SAMIScript([], sockets: ScriptedSocket([Self.registered, Self.ack(1), Self.closed]))
    let outputs = try await script.run(
      "device-channel", #"{"devices": [{"id": "d-31", "token": "t"}], "messages": [{"sdid": "d-31", "data": "on"}], "actions": 2}"#)
    #expect(outputs["sent"] == 1)
    #expect(outputs["ended"] == "closed")
  }

  @Test(
    "a refusal of one of several messages leaves the others open",
    arguments: [
      (refusal(429, "DAILY rate limit exceeded"), "sami.rate_limited", "429: DAILY rate limit exceeded"),
      (refusal(400, "Invalid ts value"), "sami.socket_refused", "400: Invalid ts value"),
    ])
  func refused(event: WebSocketEvent, code: String, detail: String) async throws {
    let failure = try await failure(3, [Self.registered, Self.ack(1), event])
    #expect(failure?.code == code)
    #expect(failure?.detail == "\(detail); 3 of 3 messages sent, 1 of them acknowledged")
    #expect(failure?.sent == .maybe)
    #expect(failure?.isRejected == false)
  }

  @Test("a refusal of the only message is certain")
  func onlyOne() async throws {
    let failure = try await failure(1, [Self.registered, Self.refusal(429, "DAILY rate limit exceeded")])
    #expect(failure?.code == "sami.rate_limited")
    #expect(failure?.sent == .yes)
    #expect(failure?.isRejected == true)
  }

  @Test("an answer that nobody can read leaves even one message open")
  func unreadable() async throws {
    let failure = try await failure(1, [Self.registered, .text("no JSON")])
    #expect(failure?.code == "decode")
    #expect(failure?.detail.hasSuffix("; 1 of 1 messages sent, 0 of them acknowledged") == true)
    #expect(failure?.sent == .maybe)
  }
}
