/// The usual variables that name a proxy, read as curl reads them: `http_proxy` for http, `https_proxy` or `HTTPS_PROXY`
/// for https, `all_proxy` or `ALL_PROXY` for both, and `no_proxy` or `NO_PROXY` for the exceptions.
///
/// `HTTP_PROXY` counts for nothing: a web server's CGI sets it from a client's `Proxy` header (CVE-2016-5385).
package struct ProxyVariables: Hashable, Sendable {
  /// The names that are read.
  package static let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

  /// A proxy, and the variable that names it.
  package struct Choice: Hashable, Sendable {
    package let server: ProxyServer
    package let variable: String
  }

  private let values: [String: String]

  /// - Parameter read: the value of a variable; nil or empty where it is not set.
  package init(_ read: (String) -> String?) {
    var values: [String: String] = [:]
    for name in Self.names {
      if let value = read(name), !value.isEmpty { values[name] = value }
    }
    self.values = values
  }

  /// Whether none of them is set.
  package var isEmpty: Bool { values.isEmpty }

  /// The proxy of a request to a host; nil where it goes straight there.
  /// - Throws: `config.proxy` with the variable's name, for a value that names no proxy.
  package func proxy(scheme: String, host: String) throws(StepFailure) -> Choice? {
    guard !values.isEmpty, !isExcepted(host) else { return nil }
    let names = (scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
    guard let variable = names.first(where: { values[$0] != nil }), let text = values[variable] else { return nil }
    do {
      return Choice(server: try ProxyServer(text), variable: variable)
    } catch {
      throw StepFailure("config.proxy", title: "the proxy cannot be used", detail: "the variable `\(variable)`: \(error.detail)")
    }
  }

  /// Whether `no_proxy` names the host, a domain that it is in, or a network of IPv4 addresses; `*` names all.
  private func isExcepted(_ host: String) -> Bool {
    guard let list = values["no_proxy"] ?? values["NO_PROXY"] else { return false }
    let host = host.hasSuffix(".") ? String(host.dropLast()) : host
    return list.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
      var name = entry.hasPrefix(".") ? entry.dropFirst() : entry
      if name.hasSuffix(".") { name = name.dropLast() }
      if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
      guard !name.isEmpty else { return false }
      return name == "*" || host == name || host.hasSuffix(".\(name)") || IPv4Network(name)?.contains(host) == true
    }
  }
}

/// `10.0.0.0/8`
private struct IPv4Network {
  private let prefix: UInt32
  private let length: Int

  init?(_ text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = Self.number(String(parts[0])), let length = Int(parts[1]), (0...32).contains(length) else {
      return nil
    }
    self.length = length
    prefix = address
  }

  func contains(_ host: String) -> Bool {
    guard let address = Self.number(host) else { return false }
    return length == 0 || (address ^ prefix) >> UInt32(32 - length) == 0
  }

  private static func number(_ text: String) -> UInt32? {
    let octets = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard octets.count == 4 else { return nil }
    return octets.reduce(0 as UInt32?) { number, octet in
      guard let number, let octet else { return nil }
      return number << 8 | UInt32(octet)
    }
  }
}
