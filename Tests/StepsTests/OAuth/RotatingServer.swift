import StepKit
import Synchronization
import Values

/// A token endpoint that rotates refresh tokens: each is good for one use, and a second use ends its family (RFC 9700 §4.14.2).
final class RotatingServer: TokenIssuer {
  private struct State {
    var asked: [String] = []
    var count = 0
    var refresh = ""
    var refusal: StepFailure?
    var refusesLogIn: StepFailure?
  }

  private let state: Mutex<State>
  private let life: Int64
  private let settingsToken: String?

  /// - Parameter refresh: the refresh token that is good at first; also the one in the connection's settings, where it says so.
  init(refresh: String = "", isInSettings: Bool = false, life: Int64 = 3600) {
    state = Mutex(State(refresh: refresh))
    settingsToken = isInSettings ? refresh : nil
    self.life = life
  }

  /// `refresh r1`, `client`, `user ada`.
  var asked: [String] { state.withLock { $0.asked } }
  /// Of every refresh, or nil.
  func refuse(refresh: StepFailure?, logIn: StepFailure? = nil) { state.withLock { ($0.refusal, $0.refusesLogIn) = (refresh, logIn) } }

  func given(_ settings: ValueMap) -> [TokenClass: Token] {
    settingsToken.map { [.user: Token(accessToken: "", expires: Timestamp(seconds: 0), refreshToken: $0)] } ?? [:]
  }

  func token(for grant: TokenGrant, settings: ValueMap, http: any HTTPPort, clock: any ClockPort) async throws(StepFailure) -> Token {
    let now = clock.now()
    return try state.withLock { (state) throws(StepFailure) in
      switch grant {
      case .client: state.asked.append("client")
      case .user(let person):
        state.asked.append("user \(person.username)")
        if let refusal = state.refusesLogIn { throw refusal }
      case .code(let code): state.asked.append("code \(code.code)")
      case .refresh(let token, _):
        state.asked.append("refresh \(token.refreshToken ?? "")")
        if let refusal = state.refusal { throw refusal }
        guard token.refreshToken == state.refresh else { throw .reused }
      }
      state.count += 1
      state.refresh = "r\(state.count)"
      return Token(
        accessToken: "t\(state.count)", expires: Timestamp(seconds: now.seconds + life, nanoseconds: now.nanoseconds), issued: now,
        refreshToken: state.refresh)
    }
  }
}

extension StepFailure {
  static let reused = StepFailure("auth.invalid_grant", title: "the refresh token has been used")
}

/// Keeps a session in memory, and fails when told to.
final class SessionShelf: SessionStore, SessionStoreLease {
  private struct State {
    var session = StoredSession()
    var failure: StepFailure?
    var log: [String] = []
  }

  private let state = Mutex(State())

  var session: StoredSession {
    get { state.withLock { $0.session } }
    set { state.withLock { $0.session = newValue } }
  }
  /// `acquire`, `load`, `save user=t1`, `release`.
  var log: [String] { state.withLock { $0.log } }
  func fail(_ failure: StepFailure?) { state.withLock { $0.failure = failure } }

  private func note(_ line: String) throws(StepFailure) {
    try state.withLock { (state) throws(StepFailure) in
      if let failure = state.failure { throw failure }
      state.log.append(line)
    }
  }

  func load() async throws(StepFailure) -> StoredSession {
    try note("load")
    return session
  }

  func acquire() async throws(StepFailure) -> any SessionStoreLease {
    try note("acquire")
    return self
  }

  func save(_ session: StoredSession) async throws(StepFailure) {
    try note("save \(session.tokens.map { "\($0.key.rawValue)=\($0.value.accessToken)" }.sorted().joined(separator: " "))")
    self.session = session
  }

  func release() async { try? note("release") }
}

extension StepClock {
  /// A session of somebody with that server, at this time.
  /// - Parameter hidden: hears of every text that no report may show.
  func session(
    _ server: RotatingServer, credentials: Credentials? = nil, store: (any SessionStore)? = nil, hidden: HiddenTexts? = nil
  ) -> ConnectionSession {
    ConnectionSession(
      issuer: server, settings: ValueMap(), http: UnreachableHTTP(), clock: self, credentials: credentials, store: store,
      hide: { hidden?.append($0) })
  }
}
