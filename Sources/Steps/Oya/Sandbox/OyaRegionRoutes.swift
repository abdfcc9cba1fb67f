import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// `/regions`.
  enum RegionRoutes {
    static let all: [SandboxRoute<State>] = [SandboxRoute(.get, "/regions", list), SandboxRoute(.get, "/regions/{code}", read)]

    @Sendable private static func list(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let customer = state.customers[try state.asking(call, world, for: .regions)]
      return .json(.list(state.regions.map { state.details(of: $0, for: customer) }))
    }

    @Sendable private static func read(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let customer = state.customers[try state.asking(call, world, for: .regions)]
      return .json(state.details(of: try state.asked(call, for: .regions), for: customer))
    }
  }
}
