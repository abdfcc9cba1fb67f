/// An absolute `http` or `https` URL in its parts, strict enough that no other reader sees another host or path in it.
///
/// Refused: user and password, backslashes, spaces, control and non-ASCII characters, percent signs in the host, a
/// host that only some resolvers read as a number. Dot segments are resolved (RFC 3986 §5.2.4) and the fragment is
/// dropped, so that what is checked is what is sent.
package struct WebAddress: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// Lower case; an IPv6 address without its brackets.
  package let host: String
  package let port: Int
  /// Starts with `/`, still percent-encoded.
  package private(set) var path: String
  /// Without the `?`; nil where there is none.
  package private(set) var query: String?

  /// - Throws: `config.url` with what is wrong; it never repeats a password.
  package init(_ text: String) throws(StepFailure) {
    if let problem = Self.badCharacter(in: text) { throw Self.refused(problem) }
    let name = text.prefix { $0 != ":" }
    let afterScheme = text.dropFirst(name.count)
    guard afterScheme.hasPrefix("://") else { throw Self.refused("`\(text)` is not an absolute URL") }
    scheme = name.lowercased()
    guard scheme == "http" || scheme == "https" else { throw Self.refused("only http and https are spoken, not `\(scheme)`") }
    let rest = afterScheme.dropFirst(3).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else {
      throw Self.refused("a URL takes no user name or password; give them as `basic: { username, password }`")
    }
    (host, port) = try Self.hostAndPort(authority, defaultPort: scheme == "https" ? 443 : 80)
    let target = rest.dropFirst(authority.count)
    let rawPath = target.prefix { $0 != "?" }
    path = Self.withoutDotSegments(String(rawPath))
    query = rawPath.endIndex < target.endIndex ? String(target[rawPath.endIndex...].dropFirst()) : nil
  }

  /// The URL of a path (with its query) below this one, which is a connection's base.
  package func appending(_ target: String) throws(StepFailure) -> WebAddress {
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    return try WebAddress(origin + base + (target.hasPrefix("/") || target.hasPrefix("?") || target.isEmpty ? target : "/\(target)"))
  }

  /// The URL with further query parameters, encoded here.
  package func adding(query items: [(name: String, value: String)]) -> WebAddress {
    guard !items.isEmpty else { return self }
    let added = items.map { "\(PercentEncoding.component($0.name))=\(PercentEncoding.component($0.value))" }.joined(separator: "&")
    var copy = self
    copy.query = query.map { $0.isEmpty ? added : "\($0)&\(added)" } ?? added
    return copy
  }

  /// Where a `Location` of an answer from here leads (RFC 3986 §5.2).
  package func resolving(location: String) throws(StepFailure) -> WebAddress {
    if location.hasPrefix("//") { return try WebAddress("\(scheme):\(location)") }
    if location.prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).contains(":") { return try WebAddress(location) }
    if location.hasPrefix("/") { return try WebAddress(origin + location) }
    if location.hasPrefix("?") { return try WebAddress(origin + path + location) }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    return try WebAddress(origin + folder + location)
  }

  /// `https://api.example.test`, with the port where it is not the scheme's own (RFC 6454 §6.2).
  package var origin: String {
    let shown = host.contains(":") ? "[\(host)]" : host
    return port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(shown)" : "\(scheme)://\(shown):\(port)"
  }

  /// The URL as it is sent.
  package var text: String { origin + path + (query.map { "?\($0)" } ?? "") }

  /// Whether it can only lead to this machine: `localhost`, 127.0.0.0/8, `::1`.
  package var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy(Self.isOctet)
  }
}

extension WebAddress {
  private static func refused(_ detail: String) -> StepFailure {
    StepFailure("config.url", title: "the URL cannot be used", detail: detail)
  }

  private static func badCharacter(in text: String) -> String? {
    for scalar in text.unicodeScalars {
      guard scalar.isASCII, scalar.value > 0x20, scalar.value != 0x7F else {
        return "a URL holds no spaces, control or non-ASCII characters; percent-encode U+\(hex(scalar.value))"
      }
      if "\\\"<>^`{|}".unicodeScalars.contains(scalar) { return "a URL does not hold `\(scalar)`; percent-encode it" }
    }
    return nil
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func hostAndPort(_ authority: Substring, defaultPort: Int) throws(StepFailure) -> (String, Int) {
    var host = authority
    var portText: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { throw refused("the IPv6 address lacks its `]`") }
      host = authority[authority.index(after: authority.startIndex)..<end]
      let rest = authority[authority.index(after: end)...]
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }), rest.isEmpty || rest.hasPrefix(":") else {
        throw refused("`\(authority)` is not an IPv6 address")
      }
      portText = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      portText = authority[authority.index(after: colon)...]
    }
    guard !host.isEmpty else { throw refused("the URL names no host") }
    if !authority.hasPrefix("[") { try checkName(host) }
    guard let portText, !portText.isEmpty else { return (host.lowercased(), defaultPort) }
    guard portText.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(portText), (1...65535).contains(port) else {
      throw refused("`\(portText)` is not a port")
    }
    return (host.lowercased(), port)
  }

  private static func checkName(_ host: Substring) throws(StepFailure) {
    guard host.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_" }) else {
      throw refused("`\(host)` is not a host name")
    }
    // Resolvers read `2130706433`, `0x7f.1` and `127.1` as addresses, and differ about `010.0.0.1`.
    let labels = host.split(separator: ".", omittingEmptySubsequences: true)
    guard let last = labels.last, last.first?.isNumber == true else { return }
    guard labels.count == 4, labels.allSatisfy(isOctet) else {
      throw refused("`\(host)` is not an IPv4 address of four decimal numbers")
    }
  }

  private static func isOctet(_ text: Substring) -> Bool {
    (1...3).contains(text.count) && text.allSatisfy { $0.isASCII && $0.isNumber } && (text == "0" || text.first != "0")
      && Int(text).map { $0 < 256 } ?? false
  }

  private static func withoutDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch PercentEncoding.dots(in: segment) {
      case 1: if isLast { kept.append("") }
      case 2:
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}
