/// Through whom a request goes.
package enum ProxySetting: Hashable, Sendable {
  /// As the usual variables of the process have it (`ProxyVariables`).
  case environment
  /// Straight to its host, whatever the variables say.
  case direct
  case server(ProxyServer)
}

/// A proxy: `http://proxy.example.test:3128`.
package struct ProxyServer: Hashable, Sendable {
  /// `http`, `https`, `socks4`, `socks4a`, `socks5`, or `socks5h`, which looks names up at the proxy.
  package let scheme: String
  /// Lower case; an IPv6 address without its brackets.
  package let host: String
  package let port: Int
  /// For HTTP's Basic authentication, or for SOCKS.
  package var username: String?
  package var password: String?

  /// Reads a URL; without a scheme it is `http`, without a port 1080, or 443 for `https` (as curl has it). A user name and
  /// password may stand in it, percent-encoded.
  /// - Throws: `config.proxy`, which never repeats a password.
  package init(_ text: String) throws(StepFailure) {
    var rest = text[...]
    if let mark = text.firstRange(of: "://") {
      scheme = text[..<mark.lowerBound].lowercased()
      rest = text[mark.upperBound...]
    } else {
      scheme = "http"
    }
    guard Self.schemes.contains(scheme) else {
      // What stands in front of `://` may be a name and a password, put there by mistake.
      let isName = scheme.allSatisfy { $0.isASCII && $0.isLetter }
      let known = Self.schemes.map { "`\($0)`" }.joined(separator: ", ")
      throw Self.refused("a proxy's scheme is one of \(known)\(isName ? ", not `\(scheme)`" : "")")
    }
    if let at = rest.lastIndex(of: "@") {
      let pair = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      username = pair.first.flatMap { PercentEncoding.decoded(String($0)) }
      password = pair.count > 1 ? PercentEncoding.decoded(String(pair[1])) : ""
      rest = rest[rest.index(after: at)...]
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    let afterAddress = rest.hasPrefix("[") ? rest.drop { $0 != "]" } : rest
    let port = afterAddress.contains(":") ? "" : scheme == "https" ? ":443" : ":1080"
    do throws(StepFailure) {
      let address = try WebAddress("http://\(rest)\(port)")
      host = address.host
      self.port = address.port
      guard address.path == "/", address.query == nil else { throw Self.refused("a proxy's URL ends with its port") }
    } catch {
      throw Self.refused(error.detail)
    }
  }

  /// `http://proxy.example.test:3128`, without user name and password.
  package var shown: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// The proxy as hosts are checked: it sees every plain request, and the host of every other.
  /// - Throws: nothing that its own reading would not have thrown.
  func address() throws(StepFailure) -> WebAddress {
    try WebAddress("http\(scheme == "https" ? "s" : "")://\(host.contains(":") ? "[\(host)]" : host):\(port)")
  }

  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  private static func refused(_ detail: String) -> StepFailure {
    StepFailure("config.proxy", title: "the proxy cannot be used", detail: detail)
  }
}
