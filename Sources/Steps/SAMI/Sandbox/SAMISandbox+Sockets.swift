package import SandboxKit
import StepKit
import Values

extension SAMISandbox {
  package var sockets: [SandboxSocketRoute<State>] { [LiveSocket.route, ChannelSocket.route] }

  private static let pause = Duration.seconds(30)

  /// A socket's signs of life, and its end.
  struct Pulse: Sendable {
    let opened: Timestamp
    private var nextPing: Timestamp

    init(at now: Timestamp) {
      opened = now
      nextPing = now.advanced(by: pause)
    }

    /// Does what is due.
    /// - Returns: when it wants to be asked again; nil where the socket is closed.
    mutating func beat(_ socket: SandboxSocketID, _ switches: Switches, _ world: inout SandboxWorld) -> Timestamp? {
      let end = switches.socketLife.map { opened.advanced(by: $0) }
      if let end, end <= world.now {
        world.close(socket, code: 1001, reason: "going away")
        return nil
      }
      if nextPing <= world.now {
        world.push(#"{"type":"ping"}"#, to: socket)
        nextPing = world.now.advanced(by: pause)
      }
      return end.map { min($0, nextPing) } ?? nextPing
    }
  }

  /// Whoever listens to messages.
  struct Listener: Sendable {
    let uid: String
    let sdids: [String]
    let sdtids: [String]
    var pulse: Pulse

    func hears(_ message: Message) -> Bool {
      message.uid == uid && (sdids.isEmpty || sdids.contains(message.sdid ?? ""))
        && (sdtids.isEmpty || sdtids.contains(message.sdtid ?? ""))
    }
  }

  /// Whoever speaks for devices.
  struct Channel: Sendable {
    let isConfirming: Bool
    var pulse: Pulse
    /// Of messages; registrations are not counted.
    var acks = 0
    /// By device, who has registered it.
    var devices: [String: Principal] = [:]
  }

  /// `/live`
  enum LiveSocket {
    static let route = SandboxSocketRoute<State>("/v1.1/live", open: open, closed: closed, tick: tick)

    @Sendable private static func open(
      _ call: SandboxCall, _ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) {
      let request = call.request
      // Browsers cannot send headers: `?Authorization=bearer+TOKEN`.
      let token = request.bearerToken ?? request.query("Authorization").flatMap(bearer)
      guard let token, let principal = state.principal(ofToken: token, at: world.now) else { throw Refusal.unauthorized }
      let query = try query(request, [.id("uid"), Field("sdids", .texts(nil)), Field("sdtids", .texts(nil))])
      func list(_ name: String) -> [String] { query[name]?.stringValue?.split(separator: ",").map(String.init) ?? [] }
      let uid = query["uid"]?.stringValue ?? ""
      try state.checkUser(uid, principal)
      for sdid in list("sdids") { _ = try state.device(sdid, for: principal) }
      if case .device = principal, !list("sdtids").isEmpty { throw Refusal.forbidden("device types") }
      var sdids = list("sdids")
      // A device hears itself alone.
      if case .device(let did, _) = principal { sdids = [did] }
      state.listeners[socket] = Listener(uid: uid, sdids: sdids, sdtids: list("sdtids"), pulse: Pulse(at: world.now))
    }

    @Sendable private static func closed(_ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) {
      state.listeners[socket] = nil
    }

    @Sendable private static func tick(_ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) -> Timestamp? {
      state.takeDue(&world)
      guard let next = state.listeners[socket]?.pulse.beat(socket, state.switches, &world) else { return nil }
      return state.coming.first.map { min($0.due, next) } ?? next
    }
  }

  /// `/websocket`
  enum ChannelSocket {
    static let route = SandboxSocketRoute<State>("/v1.1/websocket", open: open, received: received, closed: closed, tick: tick)

    @Sendable private static func open(
      _ call: SandboxCall, _ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) {
      state.channels[socket] = Channel(
        isConfirming: call.request.query("ack") == "true", pulse: Pulse(at: world.now))
    }

    @Sendable private static func closed(_ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) {
      state.channels[socket] = nil
    }

    @Sendable private static func tick(_ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld) -> Timestamp? {
      guard let channel = state.channels[socket] else { return nil }
      if channel.devices.isEmpty, channel.pulse.opened.advanced(by: pause) <= world.now {
        world.push(error(400, "Registration timeout", nil), to: socket)
        world.close(socket, code: 1008, reason: "Registration timeout")
        return nil
      }
      return state.channels[socket]?.pulse.beat(socket, state.switches, &world)
    }

    @Sendable private static func received(
      _ text: String, _ socket: SandboxSocketID, _ state: inout State, _ world: inout SandboxWorld
    ) {
      guard let channel = state.channels[socket] else { return }
      let message = (try? JSON.parse(Array(text.utf8))) ?? .null
      let cid = message["cid"]
      let answer: Value
      do throws(Complaint) {
        guard message.mapValue != nil else { throw Complaint(400, "Bad Request") }
        answer =
          message["type"] == "register" ? try register(message, socket, &state, world.now) : try take(message, channel, &state, &world)
      } catch {
        // Without `ack` nobody is told.
        if channel.isConfirming || error.code == 400 { world.push(Self.error(error.code, error.text, cid), to: socket) }
        return
      }
      guard channel.isConfirming, case .map(var map) = answer else { return }
      if map["mid"] != nil {
        if let most = state.switches.socketAcks, channel.acks >= most { return }
        state.channels[socket]?.acks += 1
      }
      map["cid"] = cid
      world.push(Value.map(ValueMap(members: ["data": .map(map)])).json(), to: socket)
    }

    /// What SAMI says against a message.
    private struct Complaint: Error {
      let code: Int
      let text: String

      init(_ code: Int, _ text: String) {
        self.code = code
        self.text = text
      }
    }

    private static func error(_ code: Int, _ text: String, _ cid: Value?) -> String {
      var map = ValueMap()
      map["code"] = .int(Int64(code))
      map["message"] = .string(text)
      map["cid"] = cid
      return Value.map(ValueMap(members: ["error": .map(map)])).json()
    }

    private static func register(
      _ message: Value, _ socket: SandboxSocketID, _ state: inout State, _ now: Timestamp
    ) throws(Complaint) -> Value {
      guard let sdid = message["sdid"]?.stringValue else { throw Complaint(400, "Missing sdid value") }
      guard let token = message["Authorization"]?.stringValue.flatMap(bearer), let principal = state.principal(ofToken: token, at: now)
      else {
        throw Complaint(401, "Please provide a valid authorization header")
      }
      do throws(SandboxReply) {
        _ = try state.device(sdid, for: principal)
      } catch {
        throw Complaint(403, "You do not have the right permission: devices")
      }
      state.channels[socket]?.devices[sdid] = principal
      return ["message": "OK", "code": "200"]
    }

    private static func take(
      _ message: Value, _ channel: Channel, _ state: inout State, _ world: inout SandboxWorld
    ) throws(Complaint) -> Value {
      let isAction = message["type"] == "action"
      if isAction, message["ddid"] == nil { throw Complaint(400, "Missing ddid value") }
      guard isAction || message["sdid"]?.stringValue != nil else { throw Complaint(400, "Missing sdid value") }
      let principal =
        isAction ? channel.devices.sorted { $0.key < $1.key }.first?.value : channel.devices[message["sdid"]?.stringValue ?? ""]
      guard let principal else { throw Complaint(401, "Device not registered") }
      if let isOver = state.limits.count(principal, .sockets, at: world.now, state.switches) {
        throw Complaint(isOver.status, isOver.json?["error"]?["message"]?.stringValue ?? "")
      }
      if let ts = message["ts"], ts.intValue == nil { throw Complaint(400, "Invalid ts value") }
      do throws(SandboxReply) {
        return ["mid": .string(try state.accept(message, from: principal, &world).mid)]
      } catch {
        let text = error.json?["error"]?["errors"]?.listValue?.first?["messages"]?.listValue?.first ?? error.json?["error"]?["message"]
        throw Complaint(error.status, text?.stringValue ?? "Bad Request")
      }
    }
  }

  /// The token behind `bearer `, in any case of letters.
  static func bearer(_ text: String) -> String? {
    let words = text.split(separator: " ", maxSplits: 1)
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }
}

extension SAMISandbox.State {
  /// Brings a message to all who listen, and an action to whoever speaks for its device.
  func deliver(_ message: SAMISandbox.Message, _ world: inout SandboxWorld) {
    if message.sdid != nil {
      for (socket, listener) in listeners.sorted(by: { $0.key.number < $1.key.number }) where listener.hears(message) {
        world.push(message.value.json(), to: socket)
      }
    } else if let ddid = message.ddid {
      let text = Value.map(
        ValueMap(members: ["ddid": .string(ddid), "mid": .string(message.mid), "type": "action", "data": message.data])
      ).json()
      for (socket, channel) in channels.sorted(by: { $0.key.number < $1.key.number }) where channel.devices[ddid] != nil {
        world.push(text, to: socket)
      }
    }
  }
}
