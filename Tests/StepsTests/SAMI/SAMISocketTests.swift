import HTTPTypes
import StepKit
import Steps
import Synchronization
import Testing
import Values

/// A socket that brings what a script has, and keeps what it was sent.
final class ScriptedSocket: WebSocketPort, WebSocketConnection {
  private let state: Mutex<(events: [WebSocketEvent], sent: [String], calls: [WebSocketCall])>
  private let refusal: StepFailure?

  init(_ events: [WebSocketEvent], refusal: StepFailure? = nil) {
    state = Mutex((events, [], []))
    self.refusal = refusal
  }

  var sent: [String] { state.withLock { $0.sent } }
  var calls: [WebSocketCall] { state.withLock { $0.calls } }
  var left: Int { state.withLock { $0.events.count } }

  func open(
    _ call: WebSocketCall, _ body: @Sendable (any WebSocketConnection) async throws(StepFailure) -> Void
  ) async throws(StepFailure) {
    state.withLock { $0.calls.append(call) }
    if let refusal { throw refusal }
    try await body(self)
  }

  func send(_ text: String) async throws(StepFailure) { state.withLock { $0.sent.append(text) } }

  func next(within duration: Duration) async throws(StepFailure) -> WebSocketEvent {
    state.withLock { $0.events.isEmpty ? .closed(code: 1000, reason: "the script is over") : $0.events.removeFirst() }
  }
}

@Suite("SAMI's sockets")
struct SAMISocketTests {
  private static let ping = WebSocketEvent.text(#"{"type":"ping"}"#)
  private static func message(_ number: Int) -> WebSocketEvent {
    .text(
      #"{"sdtid":"nike_fuelband","data":{"stepCount":5000},"mid":"m-\#(number)","ts":1377793344153,"cts":1377793344153,"uid":"10022","sdid":"12345"}"#
    )
  }

  @Test("live messages are counted, and signs of life are not")
  func count() async throws {
    let socket = ScriptedSocket([Self.ping, Self.message(1), Self.ping, Self.message(2), Self.message(3)])
    let script = try await SAMIScript([], sockets: socket)
    let outputs = try await script.run("live", #"{"uid": "10022", "sdids": ["12345", "6789"], "count": 2}"#)
    #expect(outputs["count"] == 2)
    #expect(outputs["ended"] == "count")
    #expect(outputs["messages"]?.listValue?.map { $0["mid"] } == ["m-1", "m-2"])
    #expect(socket.left == 1)
    let call = try #require(socket.calls.first)
    #expect(call.target == "/v1.1/live")
    #expect(call.query.map(\.name) == ["uid", "sdids"])
    #expect(call.query.map(\.value) == ["10022", "12345,6789"])
    #expect(call.token == .user)
    #expect(call.headers[.authorization] == nil)
  }

  @Test(
    "the token goes where it is asked to",
    arguments: [
      (#""as": "app""#, TokenClass.client, nil, nil), (#""token": "dtk-77""#, .none, "bearer dtk-77", nil),
      (#""token_in": "query""#, .none, nil, "bearer 2f6c0d"), (#""token": "dtk-77", "token_in": "query""#, .none, nil, "bearer dtk-77"),
    ] as [(String, TokenClass, String?, String?)])
  func token(with: String, tokenClass: TokenClass, header: String?, query: String?) async throws {
    let socket = ScriptedSocket([Self.message(1)])
    let script = try await SAMIScript([], sockets: socket)
    try await script.run("live", #"{"uid": "10022", \#(with)}"#)
    let call = try #require(socket.calls.first)
    #expect(call.token == tokenClass)
    #expect(call.headers[.authorization] == header)
    #expect(call.query.first { $0.name == "Authorization" }?.value == query)
    #expect(call.hidden == (query.map { [String($0.dropFirst(7))] } ?? []))
  }

  @Test(
    "it ends where SAMI closes it, or nothing comes any more",
    arguments: [
      ([WebSocketEvent.closed(code: 1000, reason: "")], 120, "closed"), ([WebSocketEvent.idle], 120, "stalled"),
    ])
  func end(events: [WebSocketEvent], seconds: Int, ended: String) async throws {
    let script = try await SAMIScript([], sockets: ScriptedSocket(events))
    let outputs = try await script.run("live", #"{"uid": "u", "max_seconds": \#(seconds)}"#)
    #expect(outputs["ended"] == .string(ended))
    #expect(outputs["messages"] == .list([]))
  }

  @Test(
    "a socket without time, or with more than a day, is refused before it is opened",
    arguments: [("live", #"{"uid": "u", "max_seconds": "#), ("device-channel", #"{"devices": [], "max_seconds": "#)],
    ["0", "86401", "1e300"])
  func noTime(step: (name: String, with: String), seconds: String) async throws {
    let socket = ScriptedSocket([])
    let script = try await SAMIScript([], sockets: socket)
    await #expect(throws: InvalidInput.self) { try await script.run(step.name, "\(step.with)\(seconds)}") }
    #expect(socket.calls.isEmpty)
  }

  @Test(
    "a refused upgrade has the name that the answer has everywhere",
    arguments: [(401, "sami.token_refused"), (403, "sami.forbidden"), (429, "sami.rate_limited"), (500, "http.500")],
    [("live", #"{"uid": "u"}"#), ("device-channel", #"{"devices": []}"#)])
  func refusal(refusal: (status: Int, code: String), step: (name: String, with: String)) async throws {
    var headers = HTTPFields()
    for (name, value) in [("Limit", "100/1000"), ("Remaining", "0/900"), ("Reset", "1732150815/1732233600")] {
      headers[try #require(HTTPField.Name("X-Rate-Limit-\(name)"))] = value
    }
    let answer = StepFailure.Answer(status: refusal.status, headers: headers, body: ["error": ["code": 1, "message": "Why"]])
    let failure = StepFailure("http.\(refusal.status)", title: "the server answered", sent: .yes, answer: answer)
    let script = try await SAMIScript([], sockets: ScriptedSocket([], refusal: failure))
    let named = await script.failure(step.name, step.with)
    #expect(named?.code == refusal.code)
    #expect(named?.answer?.status == refusal.status)
    // A `retry` waits as long as SAMI says.
    #expect(named?.retryAt == (refusal.status == 429 ? Timestamp(seconds: 1_732_150_815) : nil))
  }

  @Test(
    "what SAMI says against a message has a name",
    arguments: [
      (#"{"error":{"code":"403","message":"Wrong cid"}}"#, "sami.socket_refused", "403: Wrong cid"),
      (#"{"error":{"code":429,"message":"DAILY rate limit exceeded"}}"#, "sami.rate_limited", "429: DAILY rate limit exceeded"),
      (#"{"data":{"message":"Device not registered","code":"401"}}"#, "sami.socket_refused", "401: Device not registered"),
      (
        #"{"error":{"code":401,"message":"Please provide a valid authorization header","cid":"r1"}}"#, "sami.token_refused",
        "401: Please provide a valid authorization header (cid `r1`)"
      ),
      (#"{"data":{"message":"Please provide a valid authorization header","code":"401","cid":"r1"}}"#, "sami.token_refused", nil),
      (#"{"error":{"code":403,"message":"You do not have the right permission: devices"}}"#, "sami.forbidden", nil),
      ("no JSON", "decode", nil),
    ] as [(String, String, String?)])
  func errors(text: String, code: String, detail: String?) async throws {
    let script = try await SAMIScript([], sockets: ScriptedSocket([.text(text)]))
    let failure = await script.failure("device-channel", #"{"devices": [{"id": "d-31", "token": "dtk-77"}]}"#)
    #expect(failure?.code == code)
    #expect(failure?.sent == .yes)
    if let detail { #expect(failure?.detail == detail) }
  }

  @Test("a device registers, sends, and takes actions")
  func channel() async throws {
    let socket = ScriptedSocket([
      Self.ping, .text(#"{"data":{"message":"OK","code":"200","cid":"r1"}}"#), .text(#"{"data":{"mid":"m-9002","cid":"m1"}}"#),
      .text(#"{"ddid":"d-31","mid":"m-9003","type":"action","data":{"actions":[{"name":"setOn","parameters":{}}]}}"#),
    ])
    let script = try await SAMIScript([], sockets: socket)
    let outputs = try await script.run(
      "device-channel",
      #"{"devices": [{"id": "d-31", "token": "dtk-77"}], "messages": [{"sdid": "d-31", "data": {"numberOfSteps": 5200}}], "actions": 1}"#)
    #expect(
      socket.sent == [
        #"{"type":"register","sdid":"d-31","Authorization":"bearer dtk-77","cid":"r1"}"#,
        #"{"sdid":"d-31","cid":"m1","type":"message","data":{"numberOfSteps":5200}}"#,
      ])
    #expect(outputs["acks"] == [["mid": "m-9002", "cid": "m1"]])
    #expect(outputs["actions"]?.listValue?.first?["mid"] == "m-9003")
    #expect(outputs["sent"] == 1)
    #expect(outputs["ended"] == "count")
    let call = try #require(socket.calls.first)
    #expect(call.target == "/v1.1/websocket")
    #expect(call.query.map { "\($0.name)=\($0.value)" } == ["ack=true"])
    #expect(call.token == TokenClass.none)
  }

  @Test("without confirmations everything is sent at once")
  func unconfirmed() async throws {
    let socket = ScriptedSocket([])
    let outputs = try await SAMIScript([], sockets: socket).run(
      "device-channel", #"{"devices": [{"id": "d-31", "token": "t"}], "messages": [{"sdid": "d-31", "data": "on"}], "ack": false}"#)
    #expect(socket.sent.count == 2)
    #expect(socket.calls.first?.query.count == 0)
    #expect(outputs["sent"] == 1)
    #expect(outputs["ended"] == "count")
  }

  @Test("a message that is too large opens nothing")
  func size() async throws {
    let socket = ScriptedSocket([])
    let script = try await SAMIScript([], sockets: socket)
    let data = String(repeating: "x", count: 10 * 1024)
    let failure = await script.failure("device-channel", #"{"devices": [], "messages": [{"sdid": "d", "data": "\#(data)"}]}"#)
    #expect(failure?.code == "sami.message_too_large")
    #expect(socket.calls.isEmpty)
  }
}
