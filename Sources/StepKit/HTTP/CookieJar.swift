package import Values

/// The cookies of one connection in one run (RFC 6265 §5.3, §5.4).
///
/// A subset: no list of public suffixes (a jar is asked only for its connection's own origin), no `SameSite`, no `HttpOnly`.
package struct CookieJar: Sendable {
  /// The oldest goes when there is one more.
  package static let mostCookies = 200

  /// In the order of their first setting.
  package private(set) var cookies: [Cookie] = []

  package init() {}

  /// Keeps what an answer sets, replaces what it sets anew, and drops what it lets expire.
  package mutating func keep(_ lines: [String], from address: WebAddress, at now: Timestamp) {
    for cookie in lines.compactMap({ Cookie($0, from: address, at: now) }) {
      let known = cookies.firstIndex { $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path }
      // Plain text does not replace what only TLS may see (RFC 6265bis §5.7).
      if let known, cookies[known].isSecure, address.scheme != "https", !address.isLoopback { continue }
      if cookie.expires.map({ $0 <= now }) ?? false {
        if let known { cookies.remove(at: known) }
      } else if let known {
        cookies[known] = cookie
      } else {
        cookies.append(cookie)
      }
    }
    if cookies.count > Self.mostCookies { cookies.removeFirst(cookies.count - Self.mostCookies) }
  }

  /// The `Cookie` header of a request; nil where there is none. Longer paths come first.
  package func header(for address: WebAddress, at now: Timestamp) -> String? {
    let sent = cookies.filter { $0.belongs(to: address, at: now) }.enumerated()
      .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
    return sent.isEmpty ? nil : sent.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}
