import HTTPTypes

/// A name and a password for HTTP's Digest authentication (RFC 7616).
package struct DigestCredentials: Hashable, Sendable {
  package var username: String
  package var password: String

  package init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}

/// What a server asks for in its 401, as far as Digest goes: MD5 and SHA-256, each with `-sess` too, and `qop=auth` or none.
struct DigestChallenge: Hashable, Sendable {
  enum Algorithm: String, CaseIterable {
    // The strongest last.
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"

    var isOfSession: Bool { self == .md5Session || self == .sha256Session }

    func digest(_ text: String) -> String {
      switch self {
      case .md5, .md5Session: HashDigest.md5(Array(text.utf8))
      case .sha256, .sha256Session: HashDigest.sha256(Array(text.utf8))
      }
    }
  }

  let realm: String
  let nonce: String
  let opaque: String?
  let algorithm: Algorithm
  /// As the server wrote it; nil where it named none.
  let algorithmText: String?
  /// Whether the server wants `qop=auth`; else it is one of RFC 2069.
  let hasQuality: Bool
  let hashesUsername: Bool

  /// The strongest challenge of an answer that can be met; nil where there is none.
  static func strongest(in headers: HTTPFields) -> DigestChallenge? {
    let challenges = headers[values: .wwwAuthenticate].flatMap(AuthenticationChallenge.all).compactMap(DigestChallenge.init)
    let ranks = Algorithm.allCases
    return challenges.max { (ranks.firstIndex(of: $0.algorithm) ?? 0) < (ranks.firstIndex(of: $1.algorithm) ?? 0) }
  }

  private init?(_ challenge: AuthenticationChallenge) {
    guard challenge.scheme == "digest", let realm = challenge.parameters["realm"], let nonce = challenge.parameters["nonce"] else {
      return nil
    }
    algorithmText = challenge.parameters["algorithm"]
    let wanted = (algorithmText ?? "MD5").lowercased()
    guard let algorithm = Algorithm.allCases.first(where: { $0.rawValue.lowercased() == wanted }) else { return nil }
    let qualities = challenge.parameters["qop"]?.split(whereSeparator: { $0 == "," || $0 == " " }).map { $0.lowercased() }
    guard qualities?.contains("auth") ?? true else { return nil }  // `auth-int` alone
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    opaque = challenge.parameters["opaque"]
    hasQuality = qualities != nil
    hashesUsername = challenge.parameters["userhash"]?.lowercased() == "true"
  }

  /// The `Authorization` that answers it.
  /// - Parameters:
  ///   - target: the path and query as they are sent.
  ///   - clientNonce: unpredictable, and new for each answer.
  func answer(_ credentials: DigestCredentials, method: String, target: String, clientNonce: String) -> String {
    let count = "00000001"
    var secret = algorithm.digest("\(credentials.username):\(realm):\(credentials.password)")
    if algorithm.isOfSession { secret = algorithm.digest("\(secret):\(nonce):\(clientNonce)") }
    let deed = algorithm.digest("\(method):\(target)")
    let response =
      hasQuality
      ? algorithm.digest("\(secret):\(nonce):\(count):\(clientNonce):auth:\(deed)") : algorithm.digest("\(secret):\(nonce):\(deed)")
    let username = hashesUsername ? algorithm.digest("\(credentials.username):\(realm)") : credentials.username
    var parts = ["username=\(quoted(username))", "realm=\(quoted(realm))", "nonce=\(quoted(nonce))", "uri=\(quoted(target))"]
    if let algorithmText { parts.append("algorithm=\(algorithmText)") }
    if hasQuality { parts += ["qop=auth", "nc=\(count)"] }
    if hasQuality || algorithm.isOfSession { parts.append("cnonce=\(quoted(clientNonce))") }
    parts.append("response=\(quoted(response))")
    if let opaque { parts.append("opaque=\(quoted(opaque))") }
    if hashesUsername { parts.append("userhash=true") }
    return "Digest \(parts.joined(separator: ", "))"
  }
}

/// One challenge of a `WWW-Authenticate` header (RFC 9110 §11.6.1).
struct AuthenticationChallenge: Hashable {
  /// Lower case.
  var scheme: String
  /// By lower-case name, their quotes removed.
  var parameters: [String: String] = [:]

  /// The challenges of one header line, in order.
  static func all(in text: String) -> [AuthenticationChallenge] {
    var found: [AuthenticationChallenge] = []
    var rest = text[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "," || $0 == "\t" }
      let word = rest.prefix { !" \t,=\"".contains($0) }
      guard !word.isEmpty else { return found }
      let after = rest.dropFirst(word.count)
      let next = after.drop { $0 == " " || $0 == "\t" }
      if next.first == "=", !found.isEmpty {
        rest = next.dropFirst().drop { $0 == " " || $0 == "\t" }
        found[found.count - 1].parameters[word.lowercased()] = value(&rest)
      } else {
        found.append(AuthenticationChallenge(scheme: word.lowercased()))
        rest = after
      }
    }
  }

  private static func value(_ rest: inout Substring) -> String {
    guard rest.first == "\"" else {
      let token = rest.prefix { $0 != "," && $0 != " " && $0 != "\t" }
      rest = rest.dropFirst(token.count)
      return String(token)
    }
    rest = rest.dropFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(character) }
    }
    return value
  }
}

/// A quoted string (RFC 9110 §5.6.4).
private func quoted(_ text: String) -> String {
  "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
}
