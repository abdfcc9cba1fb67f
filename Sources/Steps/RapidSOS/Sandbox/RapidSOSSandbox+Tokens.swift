import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// A token that has been given out.
  struct Token: Sendable {
    enum Class: String, Sendable { case client, user }

    let text: String
    /// Nil is a client token.
    let userID: Int64?
    let issued: Timestamp
    var expires: Timestamp

    var kind: Class { userID == nil ? .client : .user }
  }

  /// The tokens of a sandbox.
  struct Tokens: Sendable {
    private var byText: [String: Token] = [:]
    /// In the order of issue, so that the oldest can be forgotten.
    private var order: [String] = []
    private static let kept = 10_000

    mutating func issue(userID: Int64?, life: Duration, world: inout SandboxWorld) -> Token {
      if order.count == Self.kept { byText[order.removeFirst()] = nil }
      let token = Token(
        text: world.secret(length: 28), userID: userID, issued: world.now, expires: world.now.advanced(by: life))
      byText[token.text] = token
      order.append(token.text)
      return token
    }

    /// The token of a request.
    /// - Throws: the gateway's fault, or 403 for a token of the other class.
    func bearer(
      _ kind: Token.Class, of request: SandboxRequest, at now: Timestamp, _ switches: Switches
    ) throws(SandboxReply) -> Token {
      guard let token = request.bearerToken.flatMap({ byText[$0] }) else { throw Refusal.invalidAccessToken }
      guard now < token.expires else { throw Refusal.expiredAccessToken }
      guard token.kind == kind else {
        throw switches.wrongTokenStatus == 401 ? Refusal.invalidAccessToken : Refusal.wrongTokenClass
      }
      return token
    }

    /// Nil is every class.
    mutating func expire(_ kind: Token.Class?, at now: Timestamp) {
      for (text, token) in byText where kind ?? token.kind == token.kind { byText[text]?.expires = min(token.expires, now) }
    }

    /// Nil is every class.
    mutating func revoke(_ kind: Token.Class?) {
      byText = byText.filter { kind ?? $0.value.kind != $0.value.kind }
      order = order.filter { byText[$0] != nil }
    }
  }

  /// Counts wrong passwords: the third in a row is told to wait, and so is every log-in for a minute after it.
  ///
  /// Assumed: That the third attempt gets 429 is known, how long the wait is is not.
  struct LoginGuard: Sendable {
    private var wrong: [String: Int] = [:]
    private var blockedUntil: [String: Timestamp] = [:]

    mutating func isBlocked(_ username: String, at now: Timestamp) -> Bool {
      guard let end = blockedUntil[username] else { return false }
      if now < end { return true }
      forget(username)
      return false
    }

    /// Whether this wrong password is one too many.
    mutating func wrongPassword(_ username: String, at now: Timestamp, _ switches: Switches) -> Bool {
      wrong[username, default: 0] += 1
      guard wrong[username, default: 0] > switches.loginAttempts else { return false }
      blockedUntil[username] = now.advanced(by: switches.loginWait)
      return true
    }

    mutating func forget(_ username: String) {
      wrong[username] = nil
      blockedUntil[username] = nil
    }
  }
}
