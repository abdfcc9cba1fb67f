import HTTPTypes
import Synchronization

/// The WebSocket port of one step on one connection, under the same rules as its requests.
///
/// The handshake is a `GET` of the connection's own port, so that hosts, tokens, a 401, `rate`, cookies, budgets and reports are
/// as with every request: the socket is taken off the transport below it.
package struct ConnectedWebSocket: WebSocketPort {
  /// Whose endpoint, session, hooks and limits hold here too.
  package var http: ConnectedHTTP
  package var transport: any WebSocketTransporting

  package init(_ http: ConnectedHTTP, transport: any WebSocketTransporting) {
    self.http = http
    self.transport = transport
  }

  package func open(
    _ call: WebSocketCall, _ body: @Sendable (any WebSocketConnection) async throws(StepFailure) -> Void
  ) async throws(StepFailure) {
    guard http.effect != .once else {
      throw StepFailure(
        "config.request", title: "the request cannot be sent", detail: "what may be sent only once cannot go over a WebSocket")
    }
    let handshake = SocketHandshake(transport)
    let channel = try await handshake.channel(call, over: http)
    let connection = OpenWebSocket(channel: channel, clock: http.clock)
    do throws(StepFailure) {
      try await body(connection)
    } catch {
      await channel.close(code: 1001)
      throw http.effect.isReadOnly ? error : connection.corrected(error)
    }
    await channel.close(code: 1000)
  }
}

/// A transport of requests that opens a WebSocket with each, and answers 101 where one is open.
private final class SocketHandshake: HTTPTransporting {
  private let sockets: any WebSocketTransporting
  private let opened = Mutex<(any WebSocketChannel)?>(nil)

  init(_ sockets: any WebSocketTransporting) { self.sockets = sockets }

  func channel(_ call: WebSocketCall, over http: ConnectedHTTP) async throws(StepFailure) -> any WebSocketChannel {
    var http = http
    http.transport = self
    // It is the messages that act.
    let request = HTTPCall(
      .get, Self.webTarget(call.target), query: call.query, headers: call.headers, token: call.token, effect: .read, hidden: call.hidden)
    do throws(StepFailure) {
      let reply = try await http.send(request)
      guard let channel = opened.withLock({ $0 }) else { throw .http(reply, detail: "the server refuses the WebSocket") }
      return channel
    } catch {
      if let channel = opened.withLock({ $0 }) { await channel.close(code: 1001) }
      throw error
    }
  }

  /// `wss://HOST` is `https://HOST` to whoever checks addresses.
  private static func webTarget(_ target: String) -> String {
    let start = target.prefix(6).lowercased()
    if start.hasPrefix("ws://") { return "http\(target.dropFirst(2))" }
    if start.hasPrefix("wss://") { return "https\(target.dropFirst(3))" }
    return target
  }

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    if case .server(let proxy) = request.proxy {
      throw TransportFailure(
        .invalidRequest, sent: .no,
        message: "a WebSocket goes through no proxy, and the connection names `\(proxy.shown)`; open it on one without `proxy`")
    }
    let asked = WebSocketRequest(
      url: "ws\(request.url.dropFirst("http".count))", headers: request.headers, connectTimeout: request.connectTimeout,
      openTimeout: request.timeout, maxMessageBytes: request.maxBodyBytes, tls: request.tls, allowsLinkLocal: request.allowsLinkLocal)
    switch try await sockets.open(asked) {
    case .refused(var reply):
      reply.url = request.url
      return reply
    case .open(let channel, let headers):
      opened.withLock { $0 = channel }
      return TransportReply(status: 101, headers: headers, body: [], url: request.url)
    }
  }
}

/// A WebSocket as the step has it.
private final class OpenWebSocket: WebSocketConnection {
  private let channel: any WebSocketChannel
  private let clock: any ClockPort
  private let hasSent = Mutex(false)

  init(channel: any WebSocketChannel, clock: any ClockPort) {
    self.channel = channel
    self.clock = clock
  }

  func send(_ text: String) async throws(StepFailure) {
    do throws(TransportFailure) {
      try await channel.send(text)
      hasSent.withLock { $0 = true }
    } catch {
      if error.sent != .no { hasSent.withLock { $0 = true } }
      throw .webSocket(error)
    }
  }

  func next(within duration: Duration) async throws(StepFailure) -> WebSocketEvent {
    channel.activity.began()
    let came = await raced(against: duration)
    // Not before the sleep beside it has ended: an idle clock would jump there.
    channel.activity.ended()
    do throws(TransportFailure) {
      return try came.get()
    } catch  where error.reason == .cancelled && !Task.isCancelled {
      return .idle
    } catch {
      throw .webSocket(error)
    }
  }

  /// What came in; `.cancelled` where the time was over first.
  private func raced(against duration: Duration) async -> Result<WebSocketEvent, TransportFailure> {
    await withTaskGroup(of: Result<WebSocketEvent, TransportFailure>?.self) { [channel, clock] group in
      group.addTask {
        await Result { () async throws(TransportFailure) in try await channel.receive() }
      }
      group.addTask {
        try? await clock.sleep(for: duration)
        return nil
      }
      var came: Result<WebSocketEvent, TransportFailure>?
      for await result in group {
        came = result ?? came
        group.cancelAll()
      }
      return came ?? .failure(TransportFailure(.cancelled, sent: .no, message: "cancelled"))
    }
  }

  /// Whatever a message set off, a failure behind it cannot call itself unsent.
  func corrected(_ failure: StepFailure) -> StepFailure {
    guard failure.sent == .no, hasSent.withLock(\.self) else { return failure }
    var corrected = failure
    corrected.sent = .maybe
    return corrected
  }
}

extension StepFailure {
  /// What became of an open WebSocket, in the codes of requests.
  fileprivate static func webSocket(_ failure: TransportFailure) -> StepFailure {
    var named = StepFailure.transport(failure)
    switch failure.reason {
    case .reset: named.title = "the WebSocket broke"
    case .malformed: named.title = "the server does not keep to the WebSocket protocol"
    case .bodyTooLarge: named.title = "a message is larger than allowed"
    case .dns, .connect, .connectTimeout, .tlsHandshake, .tlsCertificate, .timeout, .headersTooLarge, .tooManyRedirects,
      .invalidRequest, .refusedSecondSend, .refusedByCaller, .cancelled, .system:
      break
    }
    return named
  }
}

extension Effect {
  fileprivate var isReadOnly: Bool { self == .read }
}

extension Result {
  fileprivate init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
