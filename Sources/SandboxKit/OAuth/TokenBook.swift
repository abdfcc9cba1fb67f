package import Values

/// The tokens that a system of the sandbox has given out (RFC 6749 §1.4, §1.5), for any system.
///
/// All tokens of one consent are a family: they are revoked together (RFC 9700 §4.14.2).
package struct TokenBook: Sendable {
  /// A token that has been given out.
  package struct Entry: Hashable, Sendable {
    package var accessToken: String
    /// Nil where the next one needs a new grant.
    package var refreshToken: String?
    /// Such as `user` or `client`: what `expire` and `revoke` of a scenario name.
    package var kind: String
    /// Whose it is, such as a user's id; empty for an app's own.
    package var subject: String
    /// The app that it was given to.
    package var client: String
    package var scope: String
    package var family: Int64
    package var issued: Timestamp
    package var expires: Timestamp
    /// Nil is never.
    package var refreshExpires: Timestamp?
  }

  /// What a token in a request is worth.
  package enum Finding: Hashable, Sendable {
    case valid(Entry)
    case expired(Entry)
    /// Never given out, revoked, or forgotten.
    case unknown
  }

  private var byAccess: [String: Entry] = [:]
  private var byRefresh: [String: String] = [:]
  /// In the order of issue, so that the oldest can be forgotten.
  private var order: [String] = []
  private static let kept = 10_000

  package init() {}

  /// Gives out a token. `accessToken` is its text, predictable in every run unless the system makes its own; a family of nil
  /// is a new consent.
  @discardableResult
  package mutating func issue(
    kind: String, subject: String, client: String = "", scope: String = "", life: Duration, accessToken: String? = nil,
    refreshToken: String? = nil, refreshLife: Duration? = nil, family: Int64? = nil, world: inout SandboxWorld
  ) -> Entry {
    if order.count >= Self.kept { forget(order[0]) }
    let entry = Entry(
      accessToken: accessToken ?? world.secret(length: 28), refreshToken: refreshToken, kind: kind, subject: subject, client: client,
      scope: scope, family: family ?? world.nextID(of: "oauth.family"), issued: world.now, expires: world.now.advanced(by: life),
      refreshExpires: refreshLife.map { world.now.advanced(by: $0) })
    byAccess[entry.accessToken] = entry
    if let refresh = entry.refreshToken { byRefresh[refresh] = entry.accessToken }
    order.append(entry.accessToken)
    return entry
  }

  /// What an access token is worth.
  package func access(_ text: String?, at now: Timestamp) -> Finding {
    guard let text, let entry = byAccess[text] else { return .unknown }
    return now < entry.expires ? .valid(entry) : .expired(entry)
  }

  /// What a refresh token is worth; the entry is the one that it came with.
  package func refresh(_ text: String?, at now: Timestamp) -> Finding {
    guard let text, let access = byRefresh[text], let entry = byAccess[access] else { return .unknown }
    return entry.refreshExpires.map { now < $0 } ?? true ? .valid(entry) : .expired(entry)
  }

  /// Forgets one token and its refresh token.
  package mutating func forget(_ accessToken: String) {
    if let refresh = byAccess.removeValue(forKey: accessToken)?.refreshToken, byRefresh[refresh] == accessToken { byRefresh[refresh] = nil }
    order.removeAll { $0 == accessToken }
  }

  /// Moves a refresh token to a newer entry of its family, so that it goes on to be good.
  package mutating func keepRefresh(_ refreshToken: String, with accessToken: String) {
    guard let older = byRefresh[refreshToken] else { return }
    byAccess[older]?.refreshToken = nil
    byAccess[accessToken]?.refreshToken = refreshToken
    byRefresh[refreshToken] = accessToken
  }

  /// Ends the life of access tokens now; refresh tokens stay good. Nil is every kind.
  package mutating func expire(kind: String?, at now: Timestamp) {
    for (text, entry) in byAccess where kind ?? entry.kind == entry.kind { byAccess[text]?.expires = min(entry.expires, now) }
  }

  /// Forgets tokens and their refresh tokens. Nil is every kind.
  package mutating func revoke(kind: String?) { remove { kind ?? $0.kind == $0.kind } }

  /// Forgets all tokens of a consent.
  package mutating func revoke(family: Int64) { remove { $0.family == family } }

  /// Forgets all tokens of somebody.
  package mutating func revoke(subject: String) { remove { $0.subject == subject } }

  /// How many access tokens are good now, by kind; for overviews.
  package func counts(at now: Timestamp) -> [String: Int] {
    byAccess.values.reduce(into: [:]) { counts, entry in if now < entry.expires { counts[entry.kind, default: 0] += 1 } }
  }

  private mutating func remove(where isGone: (Entry) -> Bool) {
    byAccess = byAccess.filter { !isGone($0.value) }
    byRefresh = byRefresh.filter { byAccess[$0.value] != nil }
    order = order.filter { byAccess[$0] != nil }
  }
}
