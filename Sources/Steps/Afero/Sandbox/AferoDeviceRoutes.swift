import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// Devices and their tags.
  enum DeviceRoutes {
    static let all: [SandboxRoute<State>] = [
      route(.get, "/devices") { call, caller, state, _ throws(SandboxReply) in
        let expansions = expansions(call.request)
        let own = state.devices.filter { $0.accountID == caller.accountID }
        return .json(.list(own.map { $0.value(expansions, profile: state.profile($0)) }))
      },
      route(.post, "/devices", .write, associate),
      deviceRoute(.get, "") { call, position, _, state, _ throws(SandboxReply) in
        .json(state.devices[position].value(expansions(call.request), profile: state.profile(state.devices[position])))
      },
      deviceRoute(.delete, "", .write) { _, position, caller, state, world throws(SandboxReply) in
        let device = state.devices[position]
        state.devices[position].accountID = nil
        state.log("DISASSOCIATE", "\(device.name) was removed", device, in: caller.accountID, world: &world)
        return empty()
      },
      deviceRoute(.put, "/friendlyName", .write) { call, position, _, state, _ throws(SandboxReply) in
        let body = try read(call.request, .object([Form.required("friendlyName", .filledText)]))
        state.devices[position].name = body["friendlyName"]?.stringValue ?? ""
        return .json(["friendlyName": .string(state.devices[position].name)])
      },
      deviceRoute(.get, "/versions") { _, _, _, _, _ throws(SandboxReply) in .json(versions) },
      deviceRoute(.post, "/deviceTag", .write) { call, position, _, state, world throws(SandboxReply) in
        var tag = try tag(call.request)
        tag["deviceTagId"] = .string("tag-\(world.nextID(of: "afero.tag"))")
        state.devices[position].tags.append(answered(tag))
        return .json(.map(answered(tag)))
      },
      deviceRoute(.put, "/deviceTag", .write) { call, position, _, state, _ throws(SandboxReply) in
        let tag = try tag(call.request)
        let index = try tagIndex(tag["deviceTagId"]?.stringValue ?? "", of: state.devices[position])
        state.devices[position].tags[index] = answered(tag)
        return .json(.map(answered(tag)))
      },
      deviceRoute(.delete, "/deviceTag/{tagId}", .write) { call, position, _, state, _ throws(SandboxReply) in
        let index = try tagIndex(call["tagId"], of: state.devices[position])
        state.devices[position].tags.remove(at: index)
        return empty()
      },
    ]

    @Sendable private static func associate(
      _ call: SandboxCall, _ caller: Caller, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try read(call.request, association)
      let id = body["associationId"]?.stringValue ?? ""
      guard let position = state.devices.firstIndex(where: { $0.associationID == id }) else {
        throw Refusal.validation([FieldProblem(error: "Unknown", text: "no such device", field: "associationId", value: .string(id))])
      }
      let device = state.devices[position]
      let verified = call.request.query("verified")
      if let verified, !["true", "false"].contains(verified) { throw Refusal.validation("verified", "must be true or false", verified) }
      if device.accountID == caller.accountID { throw Refusal.alreadyAssociated }
      if device.accountID != nil {
        guard device.needsVerification else { throw Refusal.alreadyAssociated }
        guard verified == "true" else { throw Refusal.transferNeeded }
      }
      state.devices[position].accountID = caller.accountID
      if let location = body["location"]?.mapValue { state.devices[position].location = location }
      state.log("ASSOCIATE", "\(device.name) was added", device, in: caller.accountID, world: &world)
      return .json(state.devices[position].value(expansions(call.request), profile: state.profile(device)))
    }

    /// Assumed: Without the parameter there are none, and names that nobody knows are ignored.
    private static func expansions(_ request: SandboxRequest) -> Set<String> {
      Set((request.query("expansions") ?? "").split(separator: ",").map(String.init))
    }

    /// - Throws: 403 for one of Afero's own.
    private static func tag(_ request: SandboxRequest) throws(SandboxReply) -> ValueMap {
      let tag = try read(request, AferoSandbox.tag).mapValue ?? ValueMap()
      // Assumed: How that is told.
      if tag["deviceTagType"] == "SYSTEM" { throw Refusal.forbidden }
      return tag
    }

    /// - Throws: 404, and 403 for one of Afero's own.
    private static func tagIndex(_ id: String, of device: Device) throws(SandboxReply) -> Int {
      guard let index = device.tags.firstIndex(where: { $0["deviceTagId"] == .string(id) }) else { throw Refusal.notFound }
      if device.tags[index]["deviceTagType"] == "SYSTEM" { throw Refusal.forbidden }
      return index
    }

    private static let versions: Value = {
      var map = ValueMap()
      for name in ["application", "bootloader", "hub", "wifi", "softDevice", "deviceDescription"] {
        map["\(name)Version"] = 1
        map["\(name)VersionString"] = "1.0.0"
      }
      return .map(map)
    }()
  }

  /// A tag as answers have it.
  static func answered(_ tag: ValueMap) -> ValueMap {
    var answer = ValueMap()
    for name in ["deviceTagId", "key", "value", "deviceTagType", "localizationKey"] { answer[name] = tag[name] ?? .null }
    if tag["deviceTagType"] == nil { answer["deviceTagType"] = "ACCOUNT" }
    return answer
  }

  /// What each device has one of.
  enum AspectRoutes {
    static let all: [SandboxRoute<State>] = [
      deviceRoute(.get, "/location") { _, position, _, state, _ throws(SandboxReply) in
        // Assumed: A place that nobody has set is not found.
        guard let location = state.devices[position].location else { throw Refusal.notFound }
        return .json(.map(location))
      },
      deviceRoute(.put, "/location", .write) { call, position, _, state, world throws(SandboxReply) in
        var location = try read(call.request, location).mapValue ?? ValueMap()
        location["lastUpdatedTimestamp"] = .int(world.now.milliseconds)
        state.devices[position].location = location
        return .json(.map(location))
      },
      deviceRoute(.get, "/timezone") { _, position, _, state, _ throws(SandboxReply) in
        .json(.map(state.devices[position].timezone ?? Device.noTimezone))
      },
      deviceRoute(.put, "/timezone", .write) { call, position, _, state, _ throws(SandboxReply) in
        state.devices[position].timezone = try read(call.request, timezone).mapValue
        return .json(.map(state.devices[position].timezone ?? ValueMap()))
      },
    ]
  }
}
