package import HTTPTypes

/// The bounds of each request on a connection.
package struct HTTPLimits: Hashable, Sendable {
  package var connectTimeout: Duration
  /// One request, from queueing to the last byte of its answer.
  package var attemptTimeout: Duration
  package var maxBodyBytes: Int
  package var tls: TLSOptions

  package init(
    connectTimeout: Duration = .seconds(10), attemptTimeout: Duration = .seconds(30), maxBodyBytes: Int = 32 << 20,
    tls: TLSOptions = TLSOptions()
  ) {
    self.connectTimeout = connectTimeout
    self.attemptTimeout = attemptTimeout
    self.maxBodyBytes = maxBodyBytes
    self.tls = tls
  }
}

/// One request as reports may show it.
package struct HTTPExchange: Hashable, Sendable {
  package var method: String
  /// With secrets hidden.
  package var url: String
  package var address: WebAddress
  package var effect: Effect
  /// The bytes that go out, for digests and counts; may hold secrets.
  package var body: [UInt8]?
  /// Whether it repeats one that was answered 401.
  package var isRepeat: Bool

  package init(method: String, url: String, address: WebAddress, effect: Effect, body: [UInt8]?, isRepeat: Bool) {
    self.method = method
    self.url = url
    self.address = address
    self.effect = effect
    self.body = body
    self.isRepeat = isRepeat
  }
}

/// What happens to a request; each `sending` is followed by exactly one `replied` or `failed`.
package enum HTTPEvent: Sendable {
  case sending(HTTPExchange)
  /// A whole answer, whatever its status.
  case replied(HTTPExchange, HTTPReply, TransferTimings)
  /// No usable answer; the failure says whether it was sent.
  case failed(HTTPExchange, StepFailure, Duration)
}

/// How the engine takes part in the requests of a step.
package struct HTTPHooks: Sendable {
  /// A refusal of the method or the host; asked for each address before anything is sent there, tokens included.
  package var allows: @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure?
  /// Awaited before each request: paces it, counts it against a budget, journals it. Throws to stop it.
  package var admit: @Sendable (HTTPExchange) async throws(StepFailure) -> Void
  /// Called by the transport when the connection stands and before the first byte leaves; false stops it with
  /// nothing sent. Only requests of effect `once` may block in it.
  package var beforeFirstByte: (@Sendable (HTTPExchange) -> Bool)?
  /// Told of every request and its end.
  package var observe: @Sendable (HTTPEvent) -> Void
  /// Told of texts that are secret from now on, before anything can show them: cookies, tokens in answers, passwords.
  package var hide: @Sendable ([String]) -> Void

  package init(
    allows: @escaping @Sendable (HTTPRequest.Method, WebAddress) -> StepFailure? = { _, _ in nil },
    admit: @escaping @Sendable (HTTPExchange) async throws(StepFailure) -> Void = { _ in },
    beforeFirstByte: (@Sendable (HTTPExchange) -> Bool)? = nil,
    observe: @escaping @Sendable (HTTPEvent) -> Void = { _ in },
    hide: @escaping @Sendable ([String]) -> Void = { _ in }
  ) {
    self.allows = allows
    self.admit = admit
    self.beforeFirstByte = beforeFirstByte
    self.observe = observe
    self.hide = hide
  }
}
