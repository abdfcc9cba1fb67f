import HTTPTypes
import SandboxKit
import Synchronization
import Values

/// A system with a WebSocket: what is posted, or said over one socket, is heard on all.
struct Chat: SandboxSystem {
  struct State: Sendable {
    var listeners: [SandboxSocketID] = []
    var pings: [SandboxSocketID: Timestamp] = [:]
    var closed = 0
  }

  var name = "chat"
  var prefix = "/v1"

  var routes: [SandboxRoute<State>] {
    [
      SandboxRoute(.post, "/messages") { call, state, world throws(SandboxReply) in
        for socket in state.listeners { world.push(call.request.json?["text"]?.stringValue ?? "", to: socket) }
        return SandboxReply(status: 204)
      }
    ]
  }

  var sockets: [SandboxSocketRoute<State>] {
    [
      SandboxSocketRoute(
        "/live/{room}",
        open: { call, socket, state, world throws(SandboxReply) in
          guard call.request.bearerToken == "good" else { throw .json(["error": "who are you?"], status: 401) }
          state.listeners.append(socket)
          state.pings[socket] = world.now.advanced(by: .seconds(30))
          world.push("welcome to \(call["room"])", to: socket)
        },
        received: { text, socket, state, world in
          if text == "leave" { return world.close(socket, code: 4000, reason: "bye") }
          for listener in state.listeners { world.push("\(socket.number): \(text)", to: listener) }
        },
        closed: { socket, state, world in
          state.listeners.removeAll { $0 == socket }
          state.pings[socket] = nil
          state.closed += 1
          for listener in state.listeners { world.push("\(socket.number) has left", to: listener) }
        },
        tick: { socket, state, world in
          guard let due = state.pings[socket] else { return nil }
          if due <= world.now {
            world.push(#"{"type":"ping"}"#, to: socket)
            state.pings[socket] = world.now.advanced(by: .seconds(30))
          }
          return state.pings[socket]
        })
    ]
  }

  func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State {
    try given.finish()
    return State()
  }

  func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError) {
    for socket in state.listeners { world.close(socket, code: 1001, reason: verb) }
  }

  func overview(_ state: State) -> Value { ["open": .int(Int64(state.listeners.count)), "closed": .int(Int64(state.closed))] }
  func pathUnknown(_ request: SandboxRequest) -> SandboxReply { .json(["error": "no such page"], status: 404) }
  func methodRefused(_ request: SandboxRequest) -> SandboxReply { .json(["error": "not that way"], status: 405) }
}

/// What one client of a sandbox without a server hears.
final class Listener: Sendable {
  let socket: SandboxSocket?
  let refusal: SandboxOutcome?

  init(_ sandbox: Sandbox, path: String = "/chat/v1/live/hall", token: String = "good") {
    let box = Box()
    switch sandbox.open(SandboxRequest(.get, path, headers: [.authorization: "Bearer \(token)"]), deliver: { box.add($0) }) {
    case .open(let socket, _): (self.socket, refusal) = (socket, nil)
    case .refused(let outcome): (socket, refusal) = (nil, outcome)
    }
    self.box = box
  }

  private let box: Box
  private final class Box: Sendable {
    let events = Mutex<[SandboxSocketEvent]>([])
    func add(_ event: SandboxSocketEvent) { events.withLock { $0.append(event) } }
  }

  /// What came since it was asked last.
  func news() -> [SandboxSocketEvent] {
    box.events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
