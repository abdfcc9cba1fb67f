import SandboxKit
import Values

extension TokenBook {
  /// Whose token a request has; 0 for an app's own.
  /// - Throws: the gateway's fault, or 403 for a token of the other class.
  func rapidSOSUser(
    _ kind: String, of request: SandboxRequest, at now: Timestamp, _ switches: RapidSOSSandbox.Switches
  ) throws(SandboxReply) -> Int64 {
    switch access(request.bearerToken, at: now) {
    case .unknown: throw RapidSOSSandbox.Refusal.invalidAccessToken
    case .expired: throw RapidSOSSandbox.Refusal.expiredAccessToken
    case .valid(let entry) where entry.kind == kind: return Int64(entry.subject) ?? 0
    case .valid:
      throw switches.wrongTokenStatus == 401 ? RapidSOSSandbox.Refusal.invalidAccessToken : RapidSOSSandbox.Refusal.wrongTokenClass
    }
  }
}

extension RapidSOSSandbox {
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
