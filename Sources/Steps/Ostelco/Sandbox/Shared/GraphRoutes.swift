import HTTPTypes
import SandboxKit
import Values

/// `POST /graphql`: chooses from the tree that a state gives.
enum GraphRoutes<State: OperatorState> {
  static var all: [SandboxRoute<State>] { [SandboxRoute(.post, "/graphql", post)] }

  @Sendable private static func post(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let identity = try state.identity(of: call.request, at: world.now)
    let members = try call.request.jsonMembers()
    guard case .string(let query)? = members["query"] else { throw OperatorRules.unreadable }
    switch members["operationName"] {
    case nil, .null, .string: break
    default: throw OperatorRules.unreadable
    }
    switch members["variables"] {
    case nil, .null, .map: break
    default: throw OperatorRules.unreadable
    }
    return answer(query, members["variables"] ?? .null, identity, state)
  }

  /// The answer to a query, whichever method brought it.
  static func answer(_ query: String, _ variables: Value, _ identity: String, _ state: State) -> SandboxReply {
    guard let selection = GraphSelection(query: query, variables: variables) else {
      return .json(["errors": [["message": "Invalid Syntax"]]])
    }
    guard let tree = state.graph(of: identity) else { return .json([:]) }
    do throws(GraphSelection.UnknownField) {
      return .json(["data": try selection.chosen(from: tree)])
    } catch {
      return .json(["errors": [["message": .string("Validation error of type FieldUndefined: Field '\(error.name)' is undefined")]]])
    }
  }
}
