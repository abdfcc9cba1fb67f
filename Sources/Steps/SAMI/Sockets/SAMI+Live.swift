import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/live`
  package enum Live: StepHandler {
    package static let about = About(
      "sami/live", "Listens to the messages of a user's devices as they come, over a WebSocket.", effect: .read, needs: SAMICaller.needs)
    package static let errors = usual + [SAMISocket.refused, tokenRefused]
    package static let example = Example(
      with: #"{"uid": "u-12", "sdids": ["d-31"], "count": 1, "max_seconds": 20}"#,
      outputs: """
        {"messages": [{"mid": "m-1", "sdid": "d-31", "sdtid": "dt-7", "uid": "u-12", "mv": 2, "ts": 1732150805000,
          "cts": 1732150805000, "data": {"numberOfSteps": 5200}}], "count": 1, "ended": "count"}
        """,
      given: """
        {"devices": [{"id": "d-31"}], "messages": [{"sdid": "d-31", "in": "5s", "data": {"numberOfSteps": 5200}}]}
        """, before: [.consent])

    package struct Input: Sendable {
      let uid: String
      let sdids: [String]?
      let sdtids: [String]?
      let count: Int
      let maxSeconds: Double
      let as_: SAMICaller
      let token: Secret<String>?
      let tokenIn: TokenPlace
    }

    /// Where the token goes.
    package enum TokenPlace: String, Choice { case header, query }

    package struct Output: Sendable {
      let messages: [NotifiedMessage]
      let count: Int
      let ended: SocketEnd
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      guard input.token == nil || input.sdtids == nil else { throw .input("`sdtids` do not go together with a device's `token`") }
      try SAMIRequest.check(("sdids", input.sdids), ("sdtids", input.sdtids))
      let tokenClass: TokenClass = input.as_ == .app ? .client : .user
      guard input.token == nil, input.tokenIn == .query else {
        return try await listen(try call(input, tokenClass, input.token?.exposed, ports), input, ports)
      }
      return try await withToken(tokenClass, ports) { token throws(StepFailure) in
        try await listen(try call(input, tokenClass, token, ports), input, ports)
      }
    }

    private static func listen(_ call: WebSocketCall, _ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let caught = SocketCatch<(messages: [NotifiedMessage], end: SocketEnd)>(([], .time))
      let (most, seconds, clock) = (input.count, input.maxSeconds, ports.clock)
      try await SAMISocket.open(call, ports) { connection throws(StepFailure) in
        let socket = SAMISocket(connection, clock, seconds: seconds)
        let end = try await socket.listen { message throws(StepFailure) in
          let message = try NotifiedMessage(message)
          return caught.change { content in
            content.messages.append(message)
            return content.messages.count >= most
          }
        }
        caught.change { $0.end = end }
      }
      let all = caught.all
      return Output(messages: all.messages, count: all.messages.count, ended: all.end)
    }

    /// - Parameter own: the token where the call carries it by itself; nil leaves that to the connection.
    private static func call(
      _ input: Input, _ tokenClass: TokenClass, _ own: String?, _ ports: Ports
    ) throws(StepFailure) -> WebSocketCall {
      var query = input.wire(without: ["count", "max_seconds", "as", "token", "token_in"])
        .compactMap { key, value in value.scalarText.map { (name: key.text, value: $0) } }
      var call = WebSocketCall("\(version)/live", token: tokenClass)
      if let own {
        guard HTTPField.isValidValue(own) else { throw .input("`token` has characters that no header takes") }
        ports.http.hide([own])
        call.token = TokenClass.none
        switch input.tokenIn {
        case .header: call.headers[.authorization] = "bearer \(own)"
        case .query:
          query.append((name: "Authorization", value: "bearer \(own)"))
          call.hidden = [own]
        }
      }
      call.query = query
      return call
    }
  }
}

extension SAMI.NotifiedMessage {
  /// A message as a socket brings it.
  init(_ wire: Value) throws(StepFailure) {
    let read = WireNames.read(wire, Self.shape)
    let violations = Self.shape.violations(in: read, unknown: .ignored)
    guard violations.isEmpty else {
      throw StepFailure(
        "decode", title: "the answer is not of the documented shape", detail: violations.map(\.message).joined(separator: "; "), sent: .yes)
    }
    self.init(valid: read)
  }
}

extension SAMI.Live.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", "Whose devices.", minLength: 1)
    sdids = field("sdids", "These devices alone, which is faster.")
    sdtids = field("sdtids", "Devices of these types alone; not with a device's token.")
    count = field("count", "After how many messages it is enough.", default: 1, minimum: 1)
    maxSeconds = field(
      "max_seconds", "After how many seconds it is enough, however many came; a day at most.", default: 20, minimum: 1,
      maximum: SAMISocket.longest)
    as_ = field("as", SAMICaller.about, default: .user)
    token = field("token", DeviceReference.aboutToken)
    tokenIn = field("token_in", "Whether the token goes into a header, or into the query as browsers need it.", default: .header)
  }
}

extension SAMI.Live.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    messages = field("messages", "What came, in no certain order.")
    count = field("count", "How many came.")
    ended = field("ended", "Why it was enough.")
  }
}
