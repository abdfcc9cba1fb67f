package import Values

/// A cookie as a server sets it (RFC 6265 §5.2, §5.3).
package struct Cookie: Hashable, Sendable {
  /// Values of fewer bytes, such as `dark`, are no secrets: to hide them would hide half of every text.
  static let leastSecretLength = 8

  package var name: String
  package var value: String
  /// The host that set it, or the domain that it named.
  package var domain: String
  /// Whether only that host gets it back.
  package var isHostOnly: Bool
  package var path: String
  /// Whether it goes over TLS alone.
  package var isSecure: Bool
  /// Nil lasts as long as the jar.
  package var expires: Timestamp?

  /// Reads the value of one `Set-Cookie` of an answer from `address`; nil for what a browser would not keep either.
  package init?(_ text: String, from address: WebAddress, at now: Timestamp) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
    guard let pair = parts.first, let mark = pair.firstIndex(of: "=") else { return nil }
    name = Self.trimmed(pair[..<mark])
    value = Self.trimmed(pair[pair.index(after: mark)...])
    guard !name.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) else { return nil }
    domain = address.host
    isHostOnly = true
    path = Self.defaultPath(of: address)
    isSecure = false
    var hasMaxAge = false
    for part in parts.dropFirst() {
      let name = part.prefix { $0 != "=" }
      let value = Self.trimmed(part.dropFirst(name.count).dropFirst())
      switch Self.trimmed(name).lowercased() {
      case "secure": isSecure = true
      case "path": path = value.hasPrefix("/") ? value : Self.defaultPath(of: address)
      case "domain": if !value.isEmpty { guard take(domain: value, of: address) else { return nil } }
      case "max-age":
        guard let seconds = Self.seconds(value) else { continue }
        hasMaxAge = true
        // Zero and less mean the earliest time there is (RFC 6265 §5.2.2); a far end is as good as none.
        let (end, isTooFar) = now.seconds.addingReportingOverflow(seconds)
        expires = seconds <= 0 ? Timestamp(seconds: .min) : isTooFar ? nil : Timestamp(seconds: end, nanoseconds: now.nanoseconds)
      case "expires": if !hasMaxAge, let date = CookieDate.parse(value) { expires = date }
      default: break
      }
    }
    // A name may promise what the attributes must keep (RFC 6265bis §4.1.3).
    if name.lowercased().hasPrefix("__host-"), !(isSecure && isHostOnly && path == "/") { return nil }
    if name.lowercased().hasPrefix("__secure-"), !isSecure { return nil }
    // What came in the clear cannot claim to be protected.
    if isSecure, address.scheme != "https", !address.isLoopback { return nil }
  }

  /// Whether a request to the address carries it.
  package func belongs(to address: WebAddress, at now: Timestamp) -> Bool {
    guard expires.map({ now < $0 }) ?? true, !isSecure || address.scheme == "https" || address.isLoopback else { return false }
    guard address.host == domain || !isHostOnly && address.host.hasSuffix(".\(domain)") else { return false }
    return address.path == path || address.path.hasPrefix(path.hasSuffix("/") ? path : "\(path)/")
  }

  private mutating func take(domain text: String, of address: WebAddress) -> Bool {
    let wanted = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
    let isAddress = address.host.contains(":") || address.host.split(separator: ".").last?.allSatisfy(\.isNumber) == true
    guard address.host == wanted || !isAddress && wanted.contains(".") && address.host.hasSuffix(".\(wanted)") else { return false }
    domain = wanted
    isHostOnly = false
    return true
  }

  /// RFC 6265 §5.1.4.
  private static func defaultPath(of address: WebAddress) -> String {
    guard let slash = address.path.lastIndex(of: "/"), slash != address.path.startIndex else { return "/" }
    return String(address.path[..<slash])
  }

  private static func seconds(_ text: String) -> Int64? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int64(text) ?? (text.hasPrefix("-") ? -1 : .max)
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var text = text[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
