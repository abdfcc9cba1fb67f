package import Values

/// A WebSocket that stands open; the sandbox counts them, and never gives the same one twice.
package struct SandboxSocketID: Hashable, Sendable, CustomStringConvertible {
  /// 1 for the first one of a sandbox.
  package let number: Int

  init(_ number: Int) { self.number = number }

  package var description: String { "socket \(number)" }
}

/// One WebSocket of a system: a path below its prefix, and what answers there.
///
/// A system names them in `sockets`, beside its `routes`. Its state holds whatever it must know of each open socket, by its
/// id, and every handler of the system, those of requests among them, may send to all of them with `world.push` and end
/// them with `world.close`. What was pushed goes out when the handler is done, in its order.
///
/// ```swift
/// var sockets: [SandboxSocketRoute<State>] {
///   [
///     SandboxSocketRoute(
///       "/live",
///       open: { call, socket, state, world throws(SandboxReply) in
///         guard let user = state.user(of: call.request) else { throw Self.unauthorized }  // 401 instead of 101
///         state.listeners[socket] = Listener(user: user, nextPing: world.now.advanced(by: .seconds(30)))
///       },
///       received: { text, socket, state, world in
///         guard let message = try? JSON.parse(Array(text.utf8)) else {
///           return world.close(socket, code: 1003, reason: "no JSON")
///         }
///         world.push(state.answer(to: message, from: socket).json(), to: socket)
///       },
///       closed: { socket, state, _ in state.listeners[socket] = nil },
///       tick: { socket, state, world in
///         guard var listener = state.listeners[socket] else { return nil }
///         if listener.nextPing <= world.now {
///           world.push(#"{"type":"ping"}"#, to: socket)
///           listener.nextPing = world.now.advanced(by: .seconds(30))
///           state.listeners[socket] = listener
///         }
///         return listener.nextPing
///       })
///   ]
/// }
///
/// // In the handler of POST /messages:
/// for (socket, listener) in state.listeners where listener.hears(message) { world.push(message.json(), to: socket) }
/// ```
///
/// Iterate listeners in a fixed order (a sorted array, not a dictionary) where several of them get a message. The upgrade is
/// logged as `GET` on this path with status 101, and faults on that route hit it: `status` refuses it, `delay` holds it up,
/// `drop: before_response` and `drop: reset` lose its answer, and `drop: mid_body` breaks the socket, without a close frame, in
/// place of the first message that would go out. A request for the path that asks for no upgrade is answered 426.
package struct SandboxSocketRoute<State: Sendable>: Sendable {
  /// Accepts the upgrade, or throws its refusal, such as a 401. It may push already: that comes right after the 101.
  package typealias Open =
    @Sendable (_ call: SandboxCall, _ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) throws(SandboxReply) ->
    Void
  /// Takes one whole text message.
  package typealias Received =
    @Sendable (_ text: String, _ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) -> Void
  /// Told once of each socket that was accepted that it is gone, whoever ended it; nothing can be sent to it any more.
  package typealias Closed = @Sendable (_ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) -> Void
  /// Does what is due by `world.now`, such as a ping or the end of a time limit, and gives the moment at which it wants to be
  /// asked next; nil is never. Asked after `open`, after each text of the socket, and at the moment that it named last.
  package typealias Tick = @Sendable (_ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) -> Timestamp?

  package let path: PathPattern
  package let open: Open
  package let received: Received
  package let closed: Closed
  package let tick: Tick

  package init(
    _ path: String, open: @escaping Open, received: @escaping Received = { _, _, _, _ in }, closed: @escaping Closed = { _, _, _ in },
    tick: @escaping Tick = { _, _, _ in nil }
  ) {
    self.path = PathPattern(path)
    self.open = open
    self.received = received
    self.closed = closed
    self.tick = tick
  }
}

/// What goes out over a socket, to whoever holds its connection.
package enum SandboxSocketEvent: Hashable, Sendable {
  case text(String)
  /// A close frame with this code and reason (RFC 6455 §7.4); nothing follows it.
  case close(code: Int, reason: String)
  /// The connection ends without a close frame, as a fault has it; nothing follows it.
  case broken
}

/// What became of the wish for a socket.
package enum SandboxSocketOpening: Sendable {
  /// Answered with 101, after the delay.
  case open(SandboxSocket, delay: Duration)
  /// Answered like a request, or its answer lost as the outcome says.
  case refused(SandboxOutcome)
}

/// Told when something of a socket is under way that is no timer, for clocks that stand still meanwhile. Each `began` is
/// followed by one `ended`; whoever sleeps on the sandbox's clock is not counted as long as it does.
package struct SandboxActivity: Sendable {
  package let began: @Sendable () -> Void
  package let ended: @Sendable () -> Void

  package init(began: @escaping @Sendable () -> Void = {}, ended: @escaping @Sendable () -> Void = {}) {
    self.began = began
    self.ended = ended
  }
}
