import HTTPTypes
import Synchronization
import Values

/// The open sockets of one sandbox.
struct SocketBook: Sendable {
  struct Held: Sendable {
    /// The position of its system.
    let system: Int
    let deliver: @Sendable (SandboxSocketEvent) -> Void
    /// Whether it breaks in place of the next thing that goes out.
    let breaks: Bool
  }

  private(set) var held: [SandboxSocketID: Held] = [:]
  private var last = 0

  mutating func nextID() -> SandboxSocketID {
    last += 1
    return SandboxSocketID(last)
  }

  mutating func add(_ socket: Held, as id: SandboxSocketID) { held[id] = socket }
  mutating func remove(_ id: SandboxSocketID) -> Held? { held.removeValue(forKey: id) }

  /// The book of a sandbox that begins anew: what was open then is not, and no id comes back.
  func emptied() -> SocketBook {
    var book = SocketBook()
    book.last = last
    return book
  }
}

extension Sandbox {
  /// The answer to a wish for a WebSocket: a `GET` whose path starts with the system's name.
  ///
  /// - Parameter deliver: given what goes out, in order, from whatever thread brings it about, and before this returns as well.
  ///   It must return at once and ask nothing of the sandbox.
  package func open(
    _ request: SandboxRequest, activity: SandboxActivity = SandboxActivity(),
    deliver: @escaping @Sendable (SandboxSocketEvent) -> Void
  ) -> SandboxSocketOpening {
    let segments = PathPattern.segments(of: request.path)
    let opening = inside.withLock { inside -> Inside.Upgrade? in
      inside.world.now = clock.now()
      return inside.open(request, segments, deliver)
    }
    switch opening {
    case nil: return .refused(answer(request))
    case .refused(let outcome): return .refused(outcome)
    case .accepted(let id, let delay):
      let socket = SandboxSocket(id, of: self, activity: activity)
      socket.tick()
      return .open(socket, delay: delay)
    }
  }

  /// - Returns: when the socket wants to be ticked.
  func received(_ text: String, on id: SandboxSocketID) -> Timestamp? {
    inside.withLock { inside in
      inside.world.now = clock.now()
      guard let position = inside.sockets.held[id]?.system else { return nil }
      inside.systems[position].received(text, on: id, world: &inside.world)
      return inside.tick(id)
    }
  }

  /// - Returns: when the socket wants to be ticked again.
  func tick(_ id: SandboxSocketID) -> Timestamp? {
    inside.withLock { inside in
      inside.world.now = clock.now()
      return inside.tick(id)
    }
  }

  func closed(_ id: SandboxSocketID) {
    inside.withLock { inside in
      inside.world.now = clock.now()
      inside.end(id)
      inside.deliver()
    }
  }

  /// The sockets that are open, oldest first.
  package var openSockets: [SandboxSocketID] {
    inside.withLock { $0.sockets.held.keys.sorted { $0.number < $1.number } }
  }
}

extension Sandbox.Inside {
  enum Upgrade {
    case accepted(SandboxSocketID, delay: Duration)
    case refused(SandboxOutcome)
  }

  /// Nil where no system has a socket there.
  mutating func open(
    _ request: SandboxRequest, _ segments: [String], _ deliver: @escaping @Sendable (SandboxSocketEvent) -> Void
  ) -> Upgrade? {
    let path = Array(segments.dropFirst())
    guard request.method == .get, let position = systems.firstIndex(where: { $0.name == segments.first }),
      let route = systems[position].socketRoute(path: path)
    else { return nil }
    var request = request
    request.path = Sandbox.withoutPrefix(request.path)
    let due = faults.due(system: systems[position].name, path: path, request: request)
    let id = sockets.nextID()
    let refusal = due.answer ?? due.refusalOfSocket ?? accept(request, path, at: position, as: id)
    let outcome = Sandbox.outcome(refusal ?? SandboxReply(status: 101), due)
    log(request, system: systems[position].name, route: route, outcome, due)
    guard refusal == nil else { return .refused(outcome) }
    // It has taken effect, and nobody will hear of it.
    let isLost = due.ending == .beforeResponse || due.ending == .reset
    sockets.add(SocketBook.Held(system: position, deliver: deliver, breaks: due.ending == .midBody), as: id)
    if isLost { end(id) }
    self.deliver()
    return isLost ? .refused(outcome) : .accepted(id, delay: due.delay)
  }

  /// - Returns: the refusal.
  private mutating func accept(_ request: SandboxRequest, _ path: [String], at position: Int, as id: SandboxSocketID) -> SandboxReply? {
    world.register(id)
    let refusal = systems[position].open(request, path: path, as: id, world: &world)
    if refusal != nil { world.forget(id) }
    return refusal
  }

  mutating func tick(_ id: SandboxSocketID) -> Timestamp? {
    var next: Timestamp?
    if let position = sockets.held[id]?.system { next = systems[position].tick(id, world: &world) }
    deliver()
    return sockets.held[id] == nil ? nil : next
  }

  /// Hands over what handlers have pushed, and ends what they have closed.
  mutating func deliver() {
    while let next = world.nextOutgoing() {
      guard let socket = sockets.held[next.socket] else { continue }
      let event = socket.breaks ? .broken : next.event
      socket.deliver(event)
      switch event {
      case .text: break
      case .close, .broken: end(next.socket)
      }
    }
  }

  mutating func end(_ id: SandboxSocketID) {
    world.forget(id)
    guard let socket = sockets.remove(id) else { return }
    systems[socket.system].closed(id, world: &world)
  }
}

extension FaultBook.Due {
  /// An upgrade has no body that could be slow or half.
  fileprivate var refusalOfSocket: SandboxReply? {
    guard isTruncated || bytesPerSecond != nil else { return nil }
    return .json(
      ["error": "`truncate` and `bytes_per_second` mean nothing to a WebSocket; use `status`, `delay` or `drop`"], status: 501)
  }
}
