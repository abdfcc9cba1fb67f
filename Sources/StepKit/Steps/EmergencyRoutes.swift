package import HTTPTypes

/// The routes that set off an emergency response, so that no request but that of their own step goes there.
///
/// Servers and what stands before them read paths in different ways: a route is refused where any of these readings
/// ends with it. Loopback is free: there is the sandbox.
package struct EmergencyRoutes: Sendable {
  private struct Route: Sendable {
    let system: String
    let step: String
    let method: String
    /// Lower case; nil stands for any one segment.
    let segments: [String?]
  }

  private let routes: [Route]
  /// By system: lower case, exact or `*.suffix`.
  private let hosts: [String: [String]]

  /// - Parameter hosts: by system, those that it has beside the ones that it is known for, such as the hosts of the
  ///   `base_url`s that a flow or an environment names; exact or `*.suffix`.
  package init(_ catalogue: StepCatalogue, hosts: [String: [String]] = [:]) {
    var known: [String: [String]] = [:]
    var routes: [Route] = []
    for system in catalogue.systems {
      for step in system.steps {
        routes += step.about.reserves.map { route in
          Route(
            system: system.name, step: step.about.name, method: route.method.uppercased(),
            segments: PathReadings.segments(of: Array(route.path.utf8)).map { $0.hasPrefix("{") ? nil : $0 })
        }
      }
      known[system.name] = (system.hosts + (hosts[system.name] ?? [])).map { Self.normalized($0) }
    }
    self.routes = routes
    self.hosts = known
  }

  /// Why a request may not be sent there, `config.emergency_route`; nil where it may.
  package func refusal(_ method: HTTPRequest.Method, _ address: WebAddress) -> StepFailure? {
    guard let step = owner(of: method.rawValue, address) else { return nil }
    return StepFailure(
      "config.emergency_route", title: "this route sets off an emergency response",
      detail: "`\(method.rawValue) \(address.origin)\(address.path)` is reserved for `\(step)`, which the flow must use instead")
  }

  /// The name of the step that such a request is reserved for; nil where nothing reserves it.
  package func owner(of method: String, _ address: WebAddress) -> String? {
    guard !routes.isEmpty, !address.isLoopback else { return nil }
    let host = Self.normalized(address.host)
    let systems = hosts.filter { $0.value.contains { Self.covers($0, host) } }
    return owner(of: method, path: address.path) { systems[$0] != nil }
  }

  /// The same for a path whose host is not known, but whose system is.
  package func owner(of method: String, path: String, ofSystem system: String) -> String? {
    owner(of: method, path: path) { $0 == system }
  }

  private func owner(of method: String, path: String, where isMeant: (String) -> Bool) -> String? {
    // Methods are case-sensitive (RFC 9110 §9.1), and not every server holds to that.
    let method = method.uppercased()
    let meant = routes.filter { $0.method == method && isMeant($0.system) }
    guard !meant.isEmpty else { return nil }
    let readings = PathReadings.all(of: path)
    return meant.first { route in readings.contains { Self.ends($0, with: route.segments) } }?.step
  }

  private static func ends(_ path: [String], with route: [String?]) -> Bool {
    path.count >= route.count && zip(path.suffix(route.count), route).allSatisfy { $1 == nil || $0 == $1 }
  }

  /// `API.Example.test.` and `api.example.test` are one host.
  private static func normalized(_ host: String) -> String {
    var host = host.lowercased()
    while host.hasSuffix(".") { host.removeLast() }
    return host
  }

  private static func covers(_ pattern: String, _ host: String) -> Bool {
    pattern.hasPrefix("*.") ? host.hasSuffix(pattern.dropFirst()) : host == pattern
  }
}

/// The ways in which a path may be read.
private enum PathReadings {
  /// Each as its segments, in lower case: decoded not at all, once, or as often as there is something to decode.
  static func all(of path: String) -> Set<[String]> {
    var readings: Set<[String]> = []
    var bytes = Array(path.utf8)
    for _ in 0..<8 {
      readings.insert(segments(of: bytes))
      // An encoded `?` or `#`, and a NUL, end the path for some.
      readings.insert(segments(of: Array(bytes.prefix { ![0x3F, 0x23, 0x00].contains($0) })))
      let decoded = decoded(bytes)
      if decoded == bytes { break }
      bytes = decoded
    }
    return readings
  }

  /// Without empty ones, parameters (`;v=1`), dot segments and what ends in white space.
  static func segments(of path: [UInt8]) -> [String] {
    var segments: [String] = []
    for bytes in path.split(whereSeparator: { $0 == 0x2F || $0 == 0x5C }) {
      var name = Array(bytes.prefix { $0 != 0x3B })
      while let last = name.last, last <= 0x20 { name.removeLast() }
      switch String(decoding: name, as: UTF8.self).lowercased() {
      case "", ".": break
      case "..": _ = segments.popLast()
      case let text: segments.append(text)
      }
    }
    return segments
  }

  /// Once; a `%` without two digits stays.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == 0x25, digits.count == 2 {
        decoded.append(UInt8(digits[0] * 16 + digits[1]))
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }
}
