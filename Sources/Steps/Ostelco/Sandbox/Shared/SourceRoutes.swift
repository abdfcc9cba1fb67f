import HTTPTypes
import SandboxKit
import Values

/// `/paymentSources`.
enum SourceRoutes<State: OperatorState> {
  static var all: [SandboxRoute<State>] {
    [
      SandboxRoute(.get, "/paymentSources", list),
      SandboxRoute(.post, "/paymentSources", add),
      SandboxRoute(.put, "/paymentSources", choose),
      SandboxRoute(.delete, "/paymentSources", remove),
    ]
  }

  static func unknown(_ source: String, _ task: OperatorTask) -> SandboxReply {
    State.rules.refusal(
      task, .invalidParameter,
      nested: State.rules.payment("Invalid payment source", "No such source: \(source)"))
  }

  /// Makes the payment profile where there is none.
  @Sendable private static func list(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .sources)
    _ = state.shop.accounts[id]?.wallet.profile(&world)
    return .json(.list(state.shop.account(id).wallet.sources.map(\.value)))
  }

  @Sendable private static func add(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .addSource)
    let name = try call.request.required("sourceId")
    let outcome = Wallet.outcome(of: name)
    guard outcome != .unknown, !name.hasPrefix("card_") else { throw unknown(name, .addSource) }
    if let failure = outcome.failure(savingOnly: true) {
      throw State.rules.refusal(
        failure.cause == .declined ? State.rules.declined ?? .addSource : .addSource, failure.cause,
        nested: State.rules.payment(
          "Failed to add payment source", failure.message, declined: failure.cause == .declined ? Wallet.declineCode(of: name) : nil))
    }
    var wallet = state.shop.account(id).wallet
    _ = wallet.profile(&world)
    let source = wallet.add(name, world: &world)
    state.shop.accounts[id]?.wallet = wallet
    return .json(["id": .string(source.id)], status: 201)
  }

  @Sendable private static func choose(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let (id, source) = try saved(call, state, world, .chooseSource)
    state.shop.accounts[id]?.wallet.choose(source)
    return .json(["id": .string(source)])
  }

  @Sendable private static func remove(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let (id, source) = try saved(call, state, world, .removeSource)
    state.shop.accounts[id]?.wallet.remove(source)
    return .json(["id": .string(source)])
  }

  private static func saved(
    _ call: SandboxCall, _ state: State, _ world: SandboxWorld, _ task: OperatorTask
  ) throws(SandboxReply) -> (customer: String, source: String) {
    let id = try state.customer(of: call.request, at: world.now, for: task)
    let source = try call.request.required("sourceId")
    guard state.shop.account(id).wallet.source(source) != nil else { throw unknown(source, task) }
    return (id, source)
  }
}
