package import HTTPTypes
package import Values

/// One system that the sandbox stands in for.
///
/// Conformers keep true: an answer depends on the request, the state and the world alone (no clock, randomness or
/// network of their own); routes do not overlap; nothing an overview shows is a password.
package protocol SandboxSystem: Sendable {
  associatedtype State: Sendable

  /// Also the first segment of every path.
  var name: String { get }
  var routes: [SandboxRoute<State>] { get }
  /// Its WebSockets; none unless it says so. `SandboxSocketRoute` shows how they are written.
  var sockets: [SandboxSocketRoute<State>] { get }
  /// What every path begins with unless a scenario gives another `prefix`; empty or such as `/api`.
  var prefix: String { get }

  /// The state before the first request.
  /// - Parameter given: what a scenario states; empty where it states nothing.
  /// - Throws: `SandboxError` for a key or a value that the system does not know.
  func start(given: GivenMap, world: inout SandboxWorld) throws(SandboxError) -> State

  /// Changes the world in the middle of a run: `verb` is such as `expire` or `revoke`, `what` its argument.
  /// - Throws: `SandboxError` for a verb or an argument that the system does not know.
  func change(_ verb: String, _ what: Value, state: inout State, world: inout SandboxWorld) throws(SandboxError)

  /// What people and expressions may see of the state.
  func overview(_ state: State) -> Value

  /// What the system's API is, for tools that compare it with the answers; nil where nobody has written it.
  var api: APIDescription? { get }

  /// The JSON Schema of what `start` takes, described for editors.
  var givenSchema: Value { get }

  /// The JSON Schema of the changes of one moment, `{ VERB: WHAT }`, described for editors.
  var changeSchema: Value { get }

  /// The answer to a path that no route has.
  func pathUnknown(_ request: SandboxRequest) -> SandboxReply

  /// The answer to a path whose routes have other methods; the sandbox adds `Allow` (RFC 9110 §15.5.6).
  func methodRefused(_ request: SandboxRequest) -> SandboxReply
}

extension SandboxSystem {
  package var prefix: String { "" }
  package var sockets: [SandboxSocketRoute<State>] { [] }
  package var api: APIDescription? { nil }
  package var givenSchema: Value { ["type": "object"] }
  package var changeSchema: Value { ["type": "object"] }
}

/// One operation: a method, a path below the system's prefix, and what answers it.
package struct SandboxRoute<State: Sendable>: Sendable {
  /// Gives its answer, or throws it to refuse.
  package typealias Handler =
    @Sendable (_ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld) throws(SandboxReply) -> SandboxReply

  package let method: HTTPRequest.Method
  package let path: PathPattern
  package let handler: Handler

  package init(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
    self.method = method
    self.path = PathPattern(path)
    self.handler = handler
  }
}

/// A request that has found its route.
package struct SandboxCall: Sendable {
  package let request: SandboxRequest
  private let values: [String: String]

  package init(_ request: SandboxRequest, values: [String: String] = [:]) {
    self.request = request
    self.values = values
  }

  /// The value of `{name}` in the route's path, decoded; empty for a name that the path lacks.
  package subscript(_ name: String) -> String { values[name] ?? "" }
}
