package import Values

/// What the checker must know of the sandbox, which it cannot import: its systems, and what they accept.
package struct SandboxSurface: Sendable {
  /// What is wrong with a value that is given to the sandbox.
  package struct Problem: Error, Hashable, Sendable {
    /// Where in the value, such as `given.rapidsos.users[0].usrname`; empty where that says nothing.
    package let path: String
    /// Lower case, no full stop.
    package let message: String

    package init(_ message: String, at path: String = "") {
      self.path = path
      self.message = message
    }
  }

  /// What a route's text comes to.
  package enum RouteReading: Hashable, Sendable {
    case known
    /// Well-formed, and no system has it; the routes that there are.
    case unknown(known: [String])
    /// Not a route at all.
    case malformed
  }

  /// The names of the systems.
  package var systems: [String]
  /// The JSON Schema of what a system may be given.
  package var givenSchema: @Sendable (_ system: String) -> Value
  /// The JSON Schema of what may change in a system.
  package var changeSchema: @Sendable (_ system: String) -> Value
  /// Sets a sandbox up with a whole `given`, and says what keeps it from that.
  package var givenProblem: @Sendable (Value) -> Problem?
  package var faultProblem: @Sendable (Value) -> Problem?
  /// Reads an answer to plain HTTP: its route and its settings.
  package var stubProblem: @Sendable (_ route: String, ValueMap) -> Problem?
  /// `[SYSTEM ]METHOD /path/{name}`.
  package var route: @Sendable (String) -> RouteReading
  /// Whether two texts may mean the same route; false where one is none.
  package var routesOverlap: @Sendable (String, String) -> Bool

  package init(
    systems: [String], givenSchema: @escaping @Sendable (_ system: String) -> Value,
    changeSchema: @escaping @Sendable (_ system: String) -> Value, givenProblem: @escaping @Sendable (Value) -> Problem?,
    faultProblem: @escaping @Sendable (Value) -> Problem?, stubProblem: @escaping @Sendable (_ route: String, ValueMap) -> Problem?,
    route: @escaping @Sendable (String) -> RouteReading, routesOverlap: @escaping @Sendable (String, String) -> Bool
  ) {
    self.systems = systems
    self.givenSchema = givenSchema
    self.changeSchema = changeSchema
    self.givenProblem = givenProblem
    self.faultProblem = faultProblem
    self.stubProblem = stubProblem
    self.route = route
    self.routesOverlap = routesOverlap
  }
}
