package import HTTPTypes

/// What faults and counts call a route: `[SYSTEM ]METHOD /path/{name}`, such as `POST /v1/rain/caller-ids`.
package struct RoutePattern: Hashable, Sendable, CustomStringConvertible {
  /// Nil is every system.
  package let system: String?
  package let method: HTTPRequest.Method
  package let path: PathPattern

  /// - Throws: `SandboxError` where the text has another form.
  package init(_ text: String) throws(SandboxError) {
    let words = text.split(separator: " ").map(String.init)
    guard (2...3).contains(words.count), let path = words.last, path.hasPrefix("/"), let method = words.dropLast().last,
      method.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }), let method = HTTPRequest.Method(method)
    else {
      throw SandboxError("`\(text)` is no route; write `METHOD /path/{name}`, with the system's name before it if need be")
    }
    system = words.count == 3 ? words[0] : nil
    self.method = method
    self.path = PathPattern(path)
  }

  package var description: String { "\(system.map { "\($0) " } ?? "")\(method.rawValue) \(path)" }

  /// Whether a request is meant; `path` is the one below the system's prefix, in decoded segments.
  package func matches(system: String, method: HTTPRequest.Method, path: [String]) -> Bool {
    (self.system ?? system) == system && self.method == method && self.path.values(in: path) != nil
  }
}
