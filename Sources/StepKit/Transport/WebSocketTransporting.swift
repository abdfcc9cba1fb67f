package import HTTPTypes

/// A WebSocket as the transport opens it: an absolute `ws` or `wss` URL and what its handshake carries.
package struct WebSocketRequest: Sendable {
  package var url: String
  package var headers: HTTPFields
  package var connectTimeout: Duration
  /// From the connection's start to the end of the handshake.
  package var openTimeout: Duration
  /// The largest whole message that is read.
  package var maxMessageBytes: Int
  package var tls: TLSOptions
  /// Whether an address that is link-local may be connected to.
  package var allowsLinkLocal: Bool

  package init(
    url: String, headers: HTTPFields = [:], connectTimeout: Duration = .seconds(10), openTimeout: Duration = .seconds(30),
    maxMessageBytes: Int = 32 << 20, tls: TLSOptions = TLSOptions(), allowsLinkLocal: Bool = false
  ) {
    self.url = url
    self.headers = headers
    self.connectTimeout = connectTimeout
    self.openTimeout = openTimeout
    self.maxMessageBytes = maxMessageBytes
    self.tls = tls
    self.allowsLinkLocal = allowsLinkLocal
  }
}

/// What came of a handshake.
package enum WebSocketOpening: Sendable {
  case open(any WebSocketChannel)
  /// The server answered with something else than 101.
  case refused(TransportReply)
}

/// An open WebSocket of a transport. Conformers keep true: pings are answered and fragments joined by it; `receive` is called
/// by one task at a time; cancellation ends a waiting call.
package protocol WebSocketChannel: Sendable {
  /// Sends one text message.
  func send(_ text: String) async throws(TransportFailure)
  /// The next whole message, or the server's close; never `idle`.
  func receive() async throws(TransportFailure) -> WebSocketEvent
  /// Sends a close frame with this code, waits briefly for the server's, and ends the connection; harmless when called again.
  func close(code: Int) async
}

/// Opens WebSockets.
package protocol WebSocketTransporting: Sendable {
  func open(_ request: WebSocketRequest) async throws(TransportFailure) -> WebSocketOpening
}

/// Where there are none.
package struct NoWebSocketTransport: WebSocketTransporting {
  package init() {}
  package func open(_ request: WebSocketRequest) async throws(TransportFailure) -> WebSocketOpening {
    throw TransportFailure(.invalidRequest, sent: .no, message: "there are no WebSockets here")
  }
}
