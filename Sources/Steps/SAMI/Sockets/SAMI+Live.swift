import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/live`
  package enum Live: StepHandler {
    package static let about = About(
      "sami/live", "Listens to the messages of a user's devices as they come, over a WebSocket.", effect: .read)
    package static let errors = [SAMISocket.refused, rateLimited, forbidden, tokenRefused]
    // Nothing is opened where there is no time to listen.
    package static let example = Example(
      with: #"{"uid": "u-12", "sdids": ["d-31"], "count": 1, "max_seconds": 0}"#,
      outputs: #"{"messages": [], "count": 0, "ended": "time"}"#)

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
      guard input.maxSeconds > 0 else { return Output(messages: [], count: 0, ended: .time) }
      let caught = SocketCatch<(messages: [NotifiedMessage], end: SocketEnd)>(([], .time))
      let (most, seconds, clock) = (input.count, input.maxSeconds, ports.clock)
      do throws(StepFailure) {
        try await ports.sockets.open(try await call(input, ports)) { connection throws(StepFailure) in
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
      } catch {
        throw named(error)
      }
      let all = caught.all
      return Output(messages: all.messages, count: all.messages.count, ended: all.end)
    }

    private static func call(_ input: Input, _ ports: Ports) async throws(StepFailure) -> WebSocketCall {
      let tokenClass: TokenClass = input.as_ == .app ? .client : .user
      var query = input.wire(without: ["count", "max_seconds", "as", "token", "token_in"])
        .compactMap { key, value in value.scalarText.map { (name: key.text, value: $0) } }
      var call = WebSocketCall("\(version)/live", token: input.token == nil ? tokenClass : TokenClass.none)
      var own = input.token?.exposed
      if own == nil, input.tokenIn == .query { own = try await ports.session.token(tokenClass).accessToken }
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

    /// What a refused upgrade means.
    private static func named(_ failure: StepFailure) -> StepFailure {
      let declared: StepError? =
        switch failure.code {
        case "http.401": tokenRefused
        case "http.403": forbidden
        case "http.429": rateLimited
        default: nil
        }
      guard let declared else { return failure }
      var named = declared.local(detail: failure.detail)
      (named.tags, named.sent, named.answer) = ([failure.code], failure.sent, failure.answer)
      return named
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
    maxSeconds = field("max_seconds", "After how many seconds it is enough, however many came.", default: 20, minimum: 0)
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
