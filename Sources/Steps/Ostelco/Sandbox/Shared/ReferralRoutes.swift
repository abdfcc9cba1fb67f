import HTTPTypes
import SandboxKit
import Values

/// `/referred` and `/referred/by`.
enum ReferralRoutes<State: OperatorState> {
  static var all: [SandboxRoute<State>] {
    [SandboxRoute(.get, "/referred", list), SandboxRoute(.get, "/referred/by", referrer)]
  }

  @Sendable private static func list(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .referrals)
    let referred = state.shop.order.filter { state.shop.account($0).referrer == id }
    return .json(.list(referred.map { person($0, state) }))
  }

  @Sendable private static func referrer(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .referrer)
    return .json(person(state.shop.account(id).referrer, state))
  }

  private static func person(_ id: String?, _ state: State) -> Value {
    ["name": id.flatMap { state.name(of: $0) }.map { .string($0) } ?? .null]
  }
}
