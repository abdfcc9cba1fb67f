/// Which tokens a session holds, and who is signed in by them: what it knows without asking anybody.
///
/// A value: `ConnectionSession` changes it between two requests, and never while one is under way.
struct HeldTokens: Sendable {
  /// How it stands with the user.
  enum Standing: Hashable, Sendable {
    /// Nobody has signed in yet.
    case notYet
    case signedIn
    /// A step signs somebody in, or has tried to and did not.
    case failed
    /// The user of the settings was refused.
    case refused
    /// The token was refused, or could not be renewed.
    case ended
    /// The step is nil where it has no name.
    case signedOut(by: String?)
  }

  private(set) var standing = Standing.notYet
  /// Of the connection's settings: the user who needs no log-in, until they are refused.
  private(set) var configured: Credentials?
  /// Tokens that the settings hold themselves.
  let given: [TokenClass: Token]
  /// Whether the settings name a user.
  let namesUser: Bool
  /// Of whoever has signed in by a step.
  private(set) var credentials: Credentials?
  /// Whether whoever signs in, or has done so, is the user of the settings, where they name one: nobody else is the store's.
  private(set) var isOfSettings = true
  private var tokens: [TokenClass: Token] = [:]
  /// The tokens that the present ones have renewed, the latest last.
  private var earlier: [TokenClass: [String]] = [:]
  /// The tokens of the session that was refused last: whoever comes with one of them comes too late.
  private var ended: [TokenClass: Set<String>] = [:]

  private static let mostEarlier = 32

  init(configured: Credentials?, given: [TokenClass: Token]) {
    self.configured = configured
    self.given = given
    namesUser = configured != nil || given[.user] != nil
  }

  subscript(_ tokenClass: TokenClass) -> Token? { tokens[tokenClass] }

  /// Whether the session that this token belonged to is over.
  func hasEnded(_ token: Token, _ tokenClass: TokenClass) -> Bool { ended[tokenClass]?.contains(token.accessToken) == true }

  mutating func keep(_ token: Token, _ tokenClass: TokenClass) {
    if let old = tokens[tokenClass], old.accessToken != token.accessToken {
      earlier[tokenClass] = (earlier[tokenClass] ?? []).suffix(Self.mostEarlier - 1) + [old.accessToken]
    }
    tokens[tokenClass] = token
    if tokenClass == .user { standing = .signedIn }
  }

  /// Whether the settings, and the store, may say who the user is. After a sign-in that failed, and after a sign-out, nobody
  /// takes that place behind a flow's back.
  var isOpenToSettings: Bool {
    switch standing {
    case .notYet, .signedIn, .refused, .ended: isOfSettings
    case .failed, .signedOut: false
    }
  }

  /// A step signs somebody in: nobody is, until it has.
  mutating func replace(_ tokenClass: TokenClass, by person: Credentials?) {
    tokens[tokenClass] = nil
    earlier[tokenClass] = nil
    guard tokenClass == .user else { return }
    credentials = nil
    isOfSettings = !namesUser || person != nil && person == configured
    standing = .failed
  }

  mutating func note(signedIn person: Credentials) { credentials = person }

  /// A password that was refused, or a token of the settings, is not tried again.
  mutating func noteRefused(_ grant: TokenGrant) {
    guard grant == configured.map(TokenGrant.user) else { return }
    configured = nil
    if tokens[.user] == nil { standing = .refused }
  }

  /// The session is over.
  /// - Parameter last: its token, where that was the store's.
  mutating func end(_ tokenClass: TokenClass, with last: Token? = nil) {
    let token = tokens.removeValue(forKey: tokenClass) ?? last
    if let token { earlier[tokenClass, default: []].append(token.accessToken) }
    if let past = earlier.removeValue(forKey: tokenClass), !past.isEmpty { ended[tokenClass] = Set(past) }
    guard tokenClass == .user else { return }
    credentials = nil
    if token != nil { standing = .ended }
  }

  /// A token that is not held any more was refused.
  /// - Returns: false where that is known.
  mutating func noteEnded(_ token: Token, _ tokenClass: TokenClass) -> Bool {
    ended[tokenClass, default: []].insert(token.accessToken).inserted
  }

  mutating func signOut(by step: String?) {
    end(.user)
    standing = .signedOut(by: step)
  }

  /// How the token after this one may be asked for, in this order: by its refresh token, then by what the settings hold.
  /// Credentials that a step handed in renew what they got, where nothing else does.
  func grants(after old: Token?, _ tokenClass: TokenClass) -> [TokenGrant] {
    var grants: [TokenGrant] = []
    if let old, old.refreshToken != nil { grants.append(.refresh(old, tokenClass)) }
    if tokenClass == .user, grants.isEmpty, let credentials { return [.user(credentials)] }
    guard tokenClass != .user || isOpenToSettings else { return grants }
    if let token = given[tokenClass], token.refreshToken != old?.refreshToken { grants.append(.refresh(token, tokenClass)) }
    switch tokenClass {
    case .client: grants.append(.client)
    case .user: if let configured { grants.append(.user(configured)) }
    case .none: break
    }
    return grants
  }
}
