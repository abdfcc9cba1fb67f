import HTTPTypes
import SandboxKit
import Values

extension SecureNodeSandbox {
  /// Devices: who they are, that they are there, and their logs.
  enum DeviceRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/mobile/device/register", register),
      SandboxRoute(.post, "/mobile/device/update", update),
      SandboxRoute(.post, "/mobile/device/presence", presence),
      SandboxRoute(.post, "/mobile/device/log", log),
      SandboxRoute(.post, "/mobile/debug/upload", upload),
    ]

    @Sendable private static func register(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.registration, state.switches)
      let id = body["device_id"]?.stringValue ?? ""
      if let position = state.device(id) {
        merge(body, into: &state.devices[position].members)
        return .json(["success": true, "device": .map(state.devices[position].members)])
      }
      let device = State.Device(id: id, members: body.mapValue ?? ValueMap())
      state.devices.append(device)
      return .json(["success": true, "device": .map(device.members)])
    }

    @Sendable private static func update(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.update, state.switches)
      guard let position = state.device(body["device_id"]?.stringValue ?? "") else { throw Refusal.deviceNotRegistered }
      merge(body, into: &state.devices[position].members)
      state.devices[position].updates += 1
      return .json(["success": true, "updated_at": .string(world.now.text)])
    }

    private static func merge(_ body: Value, into members: inout ValueMap) {
      for (key, value) in body.mapValue ?? ValueMap() { members[key] = value }
    }

    // Assumed: A device that nobody knows may say that it is there; the answer is read by nobody.
    @Sendable private static func presence(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.presence, state.switches)
      if let position = state.device(body["device_id"]?.stringValue ?? "") {
        state.devices[position].presences += 1
        state.devices[position].lastPresence = body["observed_at"]?.stringValue
      }
      return .json(["success": true])
    }

    @Sendable private static func log(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.log, state.switches)
      State.keep(body.mapValue ?? ValueMap(), in: &state.logs)
      return .json(["success": true])
    }

    /// The gate opens for one upload. Assumed: A used nonce is told before a closed gate.
    @Sendable private static func upload(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.debug, state.switches)
      let nonce = body["nonce"]?.stringValue?.lowercased() ?? ""
      guard !state.uploads.contains(where: { $0.nonce == nonce }) else { throw Refusal.nonceReplayed }
      guard state.switches.isDebugOpen(world.now) else { throw Refusal.debugNotPermitted }
      guard (body["logs"]?.stringValue?.unicodeScalars.count ?? 0) <= Forms.mostLogs else { throw Refusal.tooLarge }
      let upload = State.Upload(id: "du-\(world.nextID(of: "securenode.upload"))", nonce: nonce)
      State.keep(upload, in: &state.uploads)
      state.switches.requestsDebugUpload = false
      return .json(["success": true, "id": .string(upload.id)])
    }
  }
}
