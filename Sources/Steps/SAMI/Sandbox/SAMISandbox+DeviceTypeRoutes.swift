import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  /// `/devicetypes`
  enum DeviceTypeRoutes {
    private static let anybody: Set<Principal.Kind> = [.user, .app, .device]

    static var all: [SandboxRoute<State>] {
      [
        route(.get, "/devicetypes", anybody) { call, state, _ throws(SandboxReply) in
          let query = try query(call.request, [.id("name")] + SAMIPage.fields())
          // Assumed: Whole names.
          let name = query["name"]?.stringValue
          let types = state.types.filter { $0.name == name || $0.uniqueName == name }
          return .json(SAMIPage(query).reply(types, "deviceTypes", \.value))
        },
        route(.get, "/devicetypes/{id}", anybody) { call, state, _ throws(SandboxReply) in
          .json(["data": try type(call, state).value])
        },
        route(.get, "/devicetypes/{id}/availablemanifestversions", anybody) { call, state, _ throws(SandboxReply) in
          let count = try type(call, state).manifests.count
          return .json(["data": ["versions": .list((1...count).map { .int(Int64($0)) })]])
        },
        route(.get, "/devicetypes/{id}/manifests/{version}/properties", anybody) { call, state, _ throws(SandboxReply) in
          let type = try type(call, state)
          let version = call["version"] == "latest" ? type.manifests.count : Int(call["version"])
          guard let manifest = version.flatMap({ type.manifest($0) }) else { throw Refusal.notFound }
          return .json(["data": manifest.value])
        },
      ]
    }

    private static func type(_ call: Call, _ state: State) throws(SandboxReply) -> DeviceType {
      guard let type = state.type(call["id"]) else { throw Refusal.deviceTypeUnknown }
      return type
    }
  }
}
