import StepKit

/// A host as `baton.yaml` lists it: exact or `*.suffix`, with an optional port. Without one, the port is the usual one
/// of the scheme, so that another service of the same host is not meant by accident.
struct HostPattern: Hashable, Sendable {
  let text: String
  private let name: String
  private let isSuffix: Bool
  private let port: Int?

  init(_ text: String) {
    self.text = text
    var rest = text.lowercased()[...]
    if !rest.hasSuffix("]"), let colon = rest.lastIndex(of: ":"), let port = Int(rest[rest.index(after: colon)...]) {
      self.port = port
      rest = rest[..<colon]
    } else {
      port = nil
    }
    if rest.hasPrefix("["), rest.hasSuffix("]") { rest = rest.dropFirst().dropLast() }
    isSuffix = rest.hasPrefix("*.")
    name = String(isSuffix ? rest.dropFirst() : rest)
  }

  func matches(_ address: WebAddress) -> Bool {
    guard address.port == port ?? (address.scheme == "https" ? 443 : 80) else { return false }
    return isSuffix ? address.host.hasSuffix(name) && address.host.utf8.count > name.utf8.count : address.host == name
  }
}

extension WebAddress {
  /// As `baton.yaml` would list it.
  var listedHost: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
  }
}
