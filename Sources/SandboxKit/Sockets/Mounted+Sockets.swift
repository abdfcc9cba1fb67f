import HTTPTypes
import Values

extension Mounted {
  func socketRoute(path: [String]) -> PathPattern? {
    guard let path = ownPath(path) else { return nil }
    return sockets.first { $0.path.values(in: path) != nil }?.path
  }

  /// The answer to a request for a socket's path that asks for no upgrade (RFC 9110 §15.5.22).
  func upgradeRequired(_ request: SandboxRequest, path: [String]) -> SandboxReply {
    guard request.method == .get else {
      var reply = system.methodRefused(request)
      reply.headers[.allow] = "GET"
      return reply
    }
    var reply = SandboxReply.json(["error": "here stands a WebSocket; ask for an upgrade"], status: 426)
    reply.headers[.upgrade] = "websocket"
    reply.headers[.connection] = "Upgrade"
    return reply
  }

  mutating func open(
    _ request: SandboxRequest, path: [String], as socket: SandboxSocketID, world: inout SandboxWorld
  ) -> SandboxReply? {
    guard let path = ownPath(path) else { return system.pathUnknown(request) }
    for (position, route) in sockets.enumerated() {
      guard let values = route.path.values(in: path) else { continue }
      do throws(SandboxReply) {
        try route.open(SandboxCall(request, values: values), socket, &state, &world)
        routesOfSockets[socket] = position
        return nil
      } catch {
        return error
      }
    }
    return system.pathUnknown(request)
  }

  mutating func received(_ text: String, on socket: SandboxSocketID, world: inout SandboxWorld) {
    guard let position = routesOfSockets[socket] else { return }
    sockets[position].received(text, socket, &state, &world)
  }

  mutating func closed(_ socket: SandboxSocketID, world: inout SandboxWorld) {
    guard let position = routesOfSockets.removeValue(forKey: socket) else { return }
    sockets[position].closed(socket, &state, &world)
  }

  mutating func tick(_ socket: SandboxSocketID, world: inout SandboxWorld) -> Timestamp? {
    guard let position = routesOfSockets[socket] else { return nil }
    return sockets[position].tick(socket, &state, &world)
  }
}
