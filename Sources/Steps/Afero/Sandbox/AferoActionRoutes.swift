import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// What is asked of a device.
  enum ActionRoutes {
    static let all: [SandboxRoute<State>] = [
      deviceRoute(.post, "/actions", .write) { call, position, caller, state, world throws(SandboxReply) in
        let body = try read(call.request, action)
        if let refusal = refusal(of: state.devices[position]) { throw refusal }
        perform(body, on: position, caller, &state, &world)
        return .json(started(body["type"] ?? .null, caller, &state, world))
      },
      deviceRoute(.post, "/requests", .write) { call, position, caller, state, world throws(SandboxReply) in
        let items = try read(call.request, requests).listValue ?? []
        let refusal = refusal(of: state.devices[position])
        if let refusal, state.switches.refusesWholeBatch { throw refusal }
        var results: [Value] = []
        for item in items {
          let isSound = isSound(item)
          if refusal == nil, isSound { perform(item, on: position, caller, &state, &world) }
          results.append(result(refusal, isSound, &state, world))
        }
        return .json(.list(results))
      },
    ]

    /// Who asks, as answers say it.
    static func started(_ type: Value, _ caller: Caller, _ state: inout State, _ world: SandboxWorld) -> Value {
      let user = state.users[caller.position]
      return [
        "type": type, "requestId": .int(state.nextRequest()), "timestampMs": .int(world.now.milliseconds), "sender": "ClientApi",
        "source": [
          "type": "user", "userId": .string(user.id), "firstName": .string(user.firstName), "lastName": .string(user.lastName),
        ],
      ]
    }

    /// Writes an attribute. Assumed: The device does at once as it is told.
    static func perform(
      _ request: Value, on position: Int, _ caller: Caller, _ state: inout State, _ world: inout SandboxWorld
    ) {
      guard request["type"] == "attribute_write", let id = request["attrId"]?.intValue else { return }
      let value = request["value"]?.stringValue
      let data = request["data"]?.stringValue ?? hex(value ?? "")
      state.devices[position].write(id, data, at: world.now)
      let device = state.devices[position]
      state.log(
        "ATTRIBUTE", "\(device.name) changed", device, [("attributeId", .int(id)), ("attributeValue", .string(value ?? data))],
        in: caller.accountID, world: &world)
    }

    private static func refusal(of device: Device) -> SandboxReply? {
      if device.isLinking { return Refusal.linking }
      return device.isOnline ? nil : Refusal.offline
    }

    /// Whether a request of a batch names its attribute, and a write its value.
    private static func isSound(_ request: Value) -> Bool {
      switch request["type"] {
      case "attribute_write": request["attrId"] != nil && request["value"] != nil
      case "attribute_read": request["attrId"] != nil
      default: true
      }
    }

    private static func result(_ refusal: SandboxReply?, _ isSound: Bool, _ state: inout State, _ world: SandboxWorld) -> Value {
      let now = Value.int(world.now.milliseconds)
      if let refusal {
        return ["status": "NOT_ATTEMPTED", "requestId": 0, "statusCode": .int(Int64(refusal.status)), "timestampMs": now]
      }
      // Assumed: What is told of a request that says too little.
      if !isSound { return ["status": "FAILURE", "requestId": 0, "statusCode": 400, "timestampMs": now] }
      return ["status": "SUCCESS", "requestId": .int(state.nextRequest()), "statusCode": 200, "timestampMs": now]
    }

    /// A number as its bytes, the lowest first. Assumed: Any other text as its own bytes.
    private static func hex(_ text: String) -> String {
      guard var number = UInt64(text) else { return text.utf8.map { hex($0) }.joined() }
      var out = ""
      repeat {
        out += hex(UInt8(number & 255))
        number >>= 8
      } while number > 0
      return out
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
  }

  /// What kinds of devices can do.
  enum ProfileRoutes {
    static let all: [SandboxRoute<State>] = [
      route(.get, "/deviceProfiles") { _, caller, state, _ throws(SandboxReply) in .json(.list(profiles(of: caller, state).map(\.profile)))
      },
      route(.get, "/deviceProfiles/{profileId}") { call, caller, state, _ throws(SandboxReply) in
        guard let found = profiles(of: caller, state).first(where: { $0.id == call["profileId"] }) else { throw Refusal.notFound }
        return .json(found.profile)
      },
      deviceRoute(.get, "/deviceProfile") { _, position, _, state, _ throws(SandboxReply) in
        .json(state.profile(state.devices[position]))
      },
      SandboxRoute(.get, "/v1/devices/{associationId}/deviceProfiles/versions/{version}") { call, state, world throws(SandboxReply) in
        _ = try state.signedIn(call.request, at: world.now)
        guard let device = state.devices.first(where: { $0.associationID == call["associationId"] }) else { throw Refusal.notFound }
        let profile = state.profile(device)
        guard let version = Int64(call["version"]), version == profile["version"]?.intValue ?? 1 else { throw Refusal.notFound }
        return .json(profile)
      },
    ]

    /// Those of the account's devices, each once.
    private static func profiles(of caller: Caller, _ state: State) -> [(id: String, profile: Value)] {
      var seen: Set<String> = []
      return state.devices.filter { $0.accountID == caller.accountID && seen.insert($0.profileID).inserted }.map {
        ($0.profileID, state.profile($0))
      }
    }
  }
}
