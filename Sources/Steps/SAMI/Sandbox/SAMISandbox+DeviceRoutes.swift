import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  /// `/devices`
  enum DeviceRoutes {
    private static let own: Set<Principal.Kind> = [.user, .device]

    static var all: [SandboxRoute<State>] {
      [
        route(.post, "/devices") { call, state, world throws(SandboxReply) in
          let body = try body(call.request, fields(isNew: true))
          var device = Device(
            id: "", uid: body["uid"]?.stringValue ?? "", type: try check(body, call, state), name: body["name"]?.stringValue ?? "")
          device.read(body)
          let id = newID("d", of: "device", &world) { state.device($0) != nil }
          device = device.named(id)
          state.devices.append(device)
          return .json(["data": device.value()])
        },
        route(.get, "/devices/{id}", own) { call, state, _ throws(SandboxReply) in
          let query = try query(call.request, [Field("properties", .flag)])
          return .json(["data": try state.device(call["id"], for: call.principal).value(withProperties: query["properties"] == true)])
        },
        route(.put, "/devices/{id}", own) { call, state, _ throws(SandboxReply) in
          var device = try state.device(call["id"], for: call.principal)
          let body = try body(call.request, fields(isNew: false))
          device.dtid = try check(body, call, state).id
          device.name = body["name"]?.stringValue ?? device.name
          // What is not sent is what it is for a new device.
          device.policy = "LATEST"
          device.read(body)
          if let position = state.devices.firstIndex(where: { $0.id == device.id }) { state.devices[position] = device }
          return .json(["data": device.value()])
        },
        route(.delete, "/devices/{id}", own) { call, state, _ throws(SandboxReply) in
          let device = try state.device(call["id"], for: call.principal)
          state.devices.removeAll { $0.id == device.id }
          state.deviceTokens[device.id] = nil
          return .json(["data": device.value()])
        },
        route(.get, "/devices/{id}/tokens") { call, state, _ throws(SandboxReply) in
          let device = try state.device(call["id"], for: call.principal)
          guard let token = state.deviceTokens[device.id] else { throw Refusal.notFound }
          return answer(token, device)
        },
        route(.put, "/devices/{id}/tokens") { call, state, world throws(SandboxReply) in
          let device = try state.device(call["id"], for: call.principal)
          let token = "dtk-\(world.secret(length: 28))"
          state.deviceTokens[device.id] = token
          return answer(token, device)
        },
        route(.delete, "/devices/{id}/tokens") { call, state, _ throws(SandboxReply) in
          let device = try state.device(call["id"], for: call.principal)
          guard let token = state.deviceTokens.removeValue(forKey: device.id) else { throw Refusal.notFound }
          return answer(token, device)
        },
      ]
    }

    static func fields(isNew: Bool) -> [Field] {
      [
        .id("uid"), .id("dtid"), Field("name", .text, isRequired: true, least: 5, most: 36),
        Field("manifestVersion", .integer, isRequired: !isNew, least: 1, most: 100_000),
        Field("manifestVersionPolicy", .choice(["LATEST", "DEVICE"])),
      ]
    }

    /// The type that the body names.
    private static func check(_ body: Value, _ call: Call, _ state: State) throws(SandboxReply) -> DeviceType {
      try state.checkUser(body["uid"]?.stringValue ?? "", call.principal)
      guard let type = state.type(body["dtid"]?.stringValue ?? "") else { throw Refusal.deviceTypeUnknown }
      // Assumed: A version that the type does not have.
      if let version = body["manifestVersion"]?.intValue, version > type.manifests.count {
        throw Refusal.invalid("manifestVersion", "Maximum value \(type.manifests.count)")
      }
      return type
    }

    private static func answer(_ token: String, _ device: Device) -> SandboxReply {
      .json(["data": ["accessToken": .string(token), "uid": .string(device.uid), "did": .string(device.id)]])
    }
  }
}

extension SAMISandbox.Device {
  fileprivate mutating func read(_ body: Value) {
    manifestVersion = body["manifestVersion"]?.intValue.flatMap { Int(exactly: $0) } ?? manifestVersion
    policy = body["manifestVersionPolicy"]?.stringValue ?? policy
  }

  fileprivate func named(_ id: String) -> Self {
    .init(
      id: id, uid: uid, dtid: dtid, name: name, manifestVersion: manifestVersion, policy: policy, needsProviderAuth: needsProviderAuth)
  }
}
