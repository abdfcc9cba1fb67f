package import HTTPTypes

/// How often a request may leave the machine, whatever the library below feels helpful about.
package enum Delivery: Hashable, Sendable {
  /// Sending again is harmless; a resend by the transport itself (a reused connection that had died) is allowed.
  case repeatable
  /// At most one send: the transport's pre-request hook counts, and a second call aborts the transfer.
  case single
  /// `single`, on a handle and a thread of its own: fresh connection, no reuse, HTTP/1.1, no redirects, no
  /// negotiation of authentication, no `Expect`. Not to be relaxed by a flow.
  case once
}

/// TLS settings beyond the verified default (TLS 1.2 or newer, the system's trust store).
package struct TLSOptions: Hashable, Sendable {
  /// A PEM file of trusted roots instead of the system's.
  package var caFile: String?
  package var certificateFile: String?
  package var keyFile: String?
  /// `sha256//BASE64` of the public key.
  package var pinnedPublicKey: String?

  package init(caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil, pinnedPublicKey: String? = nil) {
    self.caFile = caFile
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.pinnedPublicKey = pinnedPublicKey
  }
}

/// A version of HTTP that a request asks for.
package enum HTTPVersion: String, Choice {
  case http1_1 = "1.1"
  /// Over TLS, where the server agrees in the handshake (ALPN); else HTTP/1.1.
  case http2 = "2"
}

/// One request as it goes to the wire: everything is rendered, nothing is secret any more.
package struct TransportRequest: Sendable {
  package var method: HTTPRequest.Method
  /// An absolute `http` or `https` URL.
  package var url: String
  package var headers: HTTPFields
  package var body: [UInt8]?
  package var delivery: Delivery
  package var connectTimeout: Duration
  /// The whole attempt, from queueing to the last byte.
  package var timeout: Duration
  /// More bytes than this, counted after decoding, end the transfer with `bodyTooLarge`.
  package var maxBodyBytes: Int
  /// How many redirects are followed; 0 follows none.
  package var redirects: Int
  package var tls: TLSOptions
  /// Called once, after the connection stands and before the first byte leaves; false aborts with nothing sent. After true a
  /// failure never says `sent: no`: what was called sent stays so, even where it was then cancelled. Only `once` transfers may
  /// block in it.
  package var willSend: (@Sendable () -> Bool)?
  /// Whether the peer may have a link-local address (169.254.0.0/16, fe80::/10), where cloud machines keep credentials.
  package var allowsLinkLocal = false
  /// Through whom it goes; loopback is never proxied, and `once` never by a variable.
  package var proxy = ProxySetting.environment
  /// Nil leaves it to the two ends: HTTP/2 over TLS where both speak it, else HTTP/1.1. `once` is always HTTP/1.1.
  package var httpVersion: HTTPVersion?
  /// Opens the place for a body that is too large to hold; without it every body is held, up to `maxBodyBytes`.
  package var openSpool: OpenSpool?
  /// Whether compressed answers are asked for and undone; else the body comes as it was sent.
  package var isCompressed = true

  package init(
    method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: [UInt8]? = nil, delivery: Delivery,
    connectTimeout: Duration = .seconds(10), timeout: Duration = .seconds(30), maxBodyBytes: Int = 32 << 20, redirects: Int = 0,
    tls: TLSOptions = TLSOptions(), willSend: (@Sendable () -> Bool)? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.delivery = delivery
    self.connectTimeout = connectTimeout
    self.timeout = timeout
    self.maxBodyBytes = maxBodyBytes
    self.redirects = redirects
    self.tls = tls
    self.willSend = willSend
  }
}
