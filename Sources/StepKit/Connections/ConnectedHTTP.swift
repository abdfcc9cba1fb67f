import HTTPTypes
import Values

/// The HTTP port of one step on one connection: adds the base URL, the token and the connection's headers, reads the
/// answer, and answers a 401 with one new token and one repeat.
///
/// Tokens and headers of the connection go to its own origin alone; redirects are followed here, hop by hop, so that
/// each hop is checked and reported like any request. Secrets are exposed here and nowhere before.
package struct ConnectedHTTP: HTTPPort {
  package var endpoint: ConnectionEndpoint
  package var session: any SessionPort
  package var transport: any HTTPTransporting
  package var clock: any ClockPort
  /// What a call is taken to be that does not say.
  package var effect: Effect
  /// The token of a call that does not say.
  package var token: TokenClass
  /// Whether every host but loopback is refused: an emergency that the live gate has not let through.
  package var staysHere: Bool
  package var limits: HTTPLimits
  package var hooks: HTTPHooks
  /// The nonce of an answer to a Digest challenge.
  var clientNonce: @Sendable () -> String = { String(UInt64.random(in: 0...(.max)), radix: 16) }

  package init(
    endpoint: ConnectionEndpoint, session: any SessionPort, transport: any HTTPTransporting, clock: any ClockPort,
    effect: Effect = .unsafe, token: TokenClass = .none, staysHere: Bool = false, limits: HTTPLimits = HTTPLimits(),
    hooks: HTTPHooks = HTTPHooks()
  ) {
    self.endpoint = endpoint
    self.session = session
    self.transport = transport
    self.clock = clock
    self.effect = effect
    self.token = token
    self.staysHere = staysHere
    self.limits = limits
    self.hooks = hooks
  }

  package func send(_ call: HTTPCall) async throws(StepFailure) -> HTTPReply {
    let message = try OutgoingMessage(call, endpoint: endpoint, effect: call.effect ?? effect)
    // Checked before a token is asked for: a refused request has no side effects.
    try check(message)
    tell(endpoint.secrets + call.secrets)
    let tokenClass = call.token ?? token
    guard tokenClass != .none, endpoint.owns(message.address), !message.hasOwnAuthorization else {
      return try await follow(message, token: nil, isRepeat: false)
    }
    let first = try await freshToken(tokenClass)
    let reply = try await follow(message, token: first, isRepeat: false)
    // A `once` request is never repeated, not even when the provider says that it did not act.
    guard reply.status == 401, message.effect != .once else { return reply }
    let second = try await replacement(for: first, tokenClass, after: reply)
    let answer = try await follow(message, token: second, isRepeat: true)
    guard answer.status == 401 else { return answer }
    await session.forget(tokenClass, refused: second)
    throw .refusedAgain(second, after: first, answer)
  }
}

// MARK: tokens

extension ConnectedHTTP {
  /// A token before the request: whatever goes wrong here, the request itself has not been sent.
  private func freshToken(_ tokenClass: TokenClass) async throws(StepFailure) -> Token {
    do {
      return try await session.token(tokenClass)
    } catch {
      var failure = error
      failure.sent = .no
      throw failure
    }
  }

  private func replacement(for refused: Token, _ tokenClass: TokenClass, after reply: HTTPReply) async throws(StepFailure) -> Token {
    do {
      return try await session.replacement(for: refused, tokenClass)
    } catch {
      if error.code.hasPrefix("auth.") {
        await session.forget(tokenClass, refused: refused)
        // A session tells by itself why it has no other.
        guard error.code == "auth.expired" else {
          throw .sessionExpired(detail: "the token was refused, and no new one could be had", cause: error, reply: reply)
        }
        throw .sessionExpired(detail: error.detail, cause: error.cause, reply: reply)
      }
      // The request itself was refused with 401: the provider did not act, whatever became of the token.
      var failure = error
      failure.isRejected = true
      throw failure
    }
  }
}

// MARK: sending

extension ConnectedHTTP {
  private func follow(_ message: OutgoingMessage, token: Token?, isRepeat: Bool) async throws(StepFailure) -> HTTPReply {
    var message = message
    let limit = message.redirects
    var followed = 0
    while true {
      let token = endpoint.owns(message.address) ? token : nil
      var reply = try await perform(message, token: token, isRepeat: isRepeat)
      if let answering = message.answering(reply, clientNonce: clientNonce) {
        reply = try await perform(answering, token: token, isRepeat: true)
      }
      guard limit > 0, let location = reply.headers[.location], message.isRedirected(by: reply.status) else { return reply }
      guard followed < limit else {
        throw StepFailure(
          "network.protocol", title: "the answer is not valid HTTP", detail: "more than \(limit) redirects", sent: .yes,
          answer: reply.answer)
      }
      followed += 1
      guard try message.redirect(to: location, status: reply.status) else { return reply }
      try check(message)
    }
  }

  private func check(_ message: OutgoingMessage) throws(StepFailure) {
    if staysHere, !message.address.isLoopback {
      throw StepFailure(
        "config.emergency_host", title: "an emergency request may not leave this machine",
        detail: "`\(message.address.host)` is not loopback; run it in the sandbox")
    }
    if let refusal = hooks.allows(message.method, message.address) { throw refusal }
    // A proxy that a flow names sees every plain request, so that it must be allowed as any host.
    if case .server(let proxy) = message.proxy, !message.address.isLoopback, let refusal = hooks.allows(message.method, try proxy.address())
    {
      throw refusal
    }
  }

  /// Waits as `rate` has it. The time of the attempt begins afterwards.
  private func takeTurn() async throws(StepFailure) {
    guard let rate = endpoint.rate else { return }
    do throws(CancellationError) {
      try await endpoint.memory.pacer.turn(rate, clock)
    } catch {
      throw StepFailure("cancelled", title: "cancelled")
    }
  }

  package func hide(_ texts: [String]) { tell(texts) }

  package func shown(_ call: HTTPCall) -> String {
    guard let message = try? OutgoingMessage(call, endpoint: endpoint, effect: call.effect ?? effect) else {
      return "\(call.method.rawValue) \(call.target)"
    }
    return "\(message.method.rawValue) \(message.shown(message.address.text))"
  }

  private func tell(_ secrets: [String]) {
    let untold = endpoint.memory.untold(secrets)
    if !untold.isEmpty { hooks.hide(untold) }
  }

  /// Keeps the cookies of the connection's own origin, and has those of all hidden.
  private func take(cookiesOf reply: TransportReply, from address: WebAddress) {
    let lines = reply.headers[values: .setCookie]
    guard !lines.isEmpty else { return }
    let now = clock.now()
    if endpoint.keepsCookies, endpoint.owns(address) { endpoint.memory.keep(lines, from: address, at: now) }
    tell(lines.compactMap { Cookie($0, from: address, at: now)?.value }.filter { $0.utf8.count >= Cookie.leastSecretLength })
  }

  private func perform(_ message: OutgoingMessage, token: Token?, isRepeat: Bool) async throws(StepFailure) -> HTTPReply {
    var message = message
    try message.add(endpoint: endpoint, token: token, at: clock.now())
    tell(message.credentialTexts)
    let exchange = message.exchange(isRepeat: isRepeat)
    try await takeTurn()
    try await hooks.admit(exchange)
    let hook = message.effect == .once ? hooks.beforeFirstByte : nil
    var willSend: (@Sendable () -> Bool)?
    if let hook { willSend = { hook(exchange) } }
    let request = message.request(endpoint: endpoint, limits: limits, willSend: willSend)
    hooks.observe(.sending(exchange))
    let start = clock.elapsed()
    let reply: TransportReply
    do throws(TransportFailure) {
      reply = try await transport.perform(request)
    } catch {
      let failure = StepFailure.transport(error)
      hooks.observe(.failed(exchange, failure, clock.elapsed() - start))
      throw failure
    }
    let duration = clock.elapsed() - start
    take(cookiesOf: reply, from: message.address)
    tell(message.secretTexts(in: reply))
    do throws(StepFailure) {
      var read = try HTTPReply(
        reply, url: message.shown(reply.url), duration: duration, secretMembers: message.secretMembers, isStrict: message.effect != .once,
        isDecoded: request.isCompressed, isTextSecret: message.isTextSecret)
      if !message.redirectSecrets(in: reply).isEmpty { read.secretHeaders.insert(.location) }
      if !message.secretMembers.isEmpty, !read.isText { tell(read.body.secretTexts) }
      hooks.observe(.replied(exchange, read, reply.timings))
      return read
    } catch {
      hooks.observe(.failed(exchange, error, duration))
      throw error
    }
  }
}
