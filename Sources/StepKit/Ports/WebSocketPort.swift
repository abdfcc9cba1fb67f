package import HTTPTypes

/// A WebSocket (RFC 6455) as a step asks for it: its connection adds the base URL, the token and its headers.
package struct WebSocketCall: Sendable {
  /// A path below the connection's base URL, already percent-encoded, or an absolute `ws`, `wss`, `http` or `https` URL.
  package var target: String
  /// Encoded when the URL is built.
  package var query: [(name: String, value: String)]
  package var headers: HTTPFields
  /// The token in `Authorization`; nil is the step's own class.
  package var token: TokenClass?
  /// Texts in the target and the query that reports may not show.
  package var hidden: [String]

  package init(
    _ target: String, query: [(name: String, value: String)] = [], headers: HTTPFields = [:], token: TokenClass? = nil,
    hidden: [String] = []
  ) {
    self.target = target
    self.query = query
    self.headers = headers
    self.token = token
    self.hidden = hidden
  }
}

/// What comes in over a WebSocket.
package enum WebSocketEvent: Hashable, Sendable {
  /// A whole text message, its fragments joined.
  case text(String)
  /// The server has closed it, with the code and the reason of its close frame (RFC 6455 §7.4).
  case closed(code: Int, reason: String)
  /// Nothing came in the time that was given.
  case idle
}

/// An open WebSocket. Pings are answered by it.
package protocol WebSocketConnection: Sendable {
  /// - Throws: `network.reset` where it is closed, `cancelled`.
  func send(_ text: String) async throws(StepFailure)
  /// What comes next, within this time.
  /// - Throws: `network.reset` where the connection broke without a close frame, `decode.too_large`, `cancelled`.
  func next(within duration: Duration) async throws(StepFailure) -> WebSocketEvent
}

/// Opens WebSockets under the same rules as requests: allowed hosts, TLS, the connection's token and pace, one repeat after a
/// 401.
package protocol WebSocketPort: Sendable {
  /// Opens one, hands it to `body`, and closes it whatever becomes of that.
  /// - Throws: what a request raises; `http.STATUS` where the server refuses the upgrade; what `body` throws.
  func open(
    _ call: WebSocketCall, _ body: @Sendable (any WebSocketConnection) async throws(StepFailure) -> Void
  ) async throws(StepFailure)
}

/// Where there are none.
package struct NoWebSockets: WebSocketPort {
  package init() {}
  package func open(
    _ call: WebSocketCall, _ body: @Sendable (any WebSocketConnection) async throws(StepFailure) -> Void
  ) async throws(StepFailure) {
    throw StepFailure("config.request", title: "the request cannot be sent", detail: "there are no WebSockets here")
  }
}
