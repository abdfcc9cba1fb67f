package import HTTPTypes

/// Something that goes wrong on a route.
package struct Fault: Sendable {
  package enum Kind: Sendable {
    /// Answered in the system's place: the request has no effect.
    case status(Int, headers: HTTPFields, body: [UInt8])
    /// The request takes effect; its answer waits.
    case delay(Duration)
    /// The request takes effect; its answer is lost.
    case drop(Drop)
    /// The request takes effect; the body of its answer comes slowly.
    case bytesPerSecond(Int)
    /// The request takes effect; half the body of its answer is missing, and the headers do not tell.
    case truncate
  }

  package enum Drop: String, Hashable, Sendable, CaseIterable {
    case beforeResponse = "before_response"
    case midBody = "mid_body"
    case reset
  }

  package var route: RoutePattern
  /// Further conditions on the request; nil is none.
  package var condition: (@Sendable (SandboxRequest) -> Bool)?
  /// How many requests of the route are spared first.
  package var after: Int
  /// How often it happens; nil is always.
  package var times: Int?
  package var kind: Kind

  package init(
    route: RoutePattern, after: Int = 0, times: Int? = nil, kind: Kind, condition: (@Sendable (SandboxRequest) -> Bool)? = nil
  ) {
    self.route = route
    self.after = after
    self.times = times
    self.kind = kind
    self.condition = condition
  }

  /// - Throws: `SandboxError` where `route` is none.
  package init(route: String, after: Int = 0, times: Int? = nil, kind: Kind) throws(SandboxError) {
    self.init(route: try RoutePattern(route), after: after, times: times, kind: kind)
  }

  /// As the request log names it, such as `status 503` or `drop mid_body`.
  package var name: String {
    switch kind {
    case .status(let status, _, _): "status \(status)"
    case .delay(let duration): "delay \(duration)"
    case .drop(let drop): "drop \(drop.rawValue)"
    case .bytesPerSecond(let pace): "bytes_per_second \(pace)"
    case .truncate: "truncate"
    }
  }
}
