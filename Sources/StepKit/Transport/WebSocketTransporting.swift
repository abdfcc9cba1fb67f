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
  /// Whether the peer may have a link-local address (169.254.0.0/16, fe80::/10), where cloud machines keep credentials.
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
  /// Open; the headers are those of the 101.
  case open(any WebSocketChannel, headers: HTTPFields)
  /// The server answered with something else than 101.
  case refused(TransportReply)
}

/// An open WebSocket of a transport. Conformers keep true: pings are answered and fragments joined by it; `receive` is called
/// by one task at a time; cancellation ends a waiting `receive`, which loses no message, and leaves the connection as it is.
package protocol WebSocketChannel: Sendable {
  /// Whoever calls `receive` tells it `began` before, and `ended` as soon as what waited beside it has been stopped; a `receive`
  /// that waits is not counted meanwhile. A clock that listens here thus never passes over what has come in.
  var activity: any ActivityPort { get }
  /// Sends one text message. Cancellation in the middle of it ends the connection.
  func send(_ text: String) async throws(TransportFailure)
  /// The next whole message, or the server's close, again and again once it has come; never `idle`.
  func receive() async throws(TransportFailure) -> WebSocketEvent
  /// Sends a close frame with this code, waits briefly for the server's, and ends the connection; harmless when called again.
  /// In a cancelled task nothing is waited for.
  func close(code: Int) async
}

extension WebSocketChannel {
  package var activity: any ActivityPort { NoActivity() }
}

/// Opens WebSockets, straight to their hosts. Conformers keep true: a call that throws, and one that answers `refused`, leave no
/// connection behind; a cancelled task stops it and throws `.cancelled`; no failure says `sent: no` once a byte of the request
/// may have left.
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
