import Synchronization
import Values

/// What a connection remembers in one run: the cookies that it was given, which of its secrets were told, and when its
/// next request may start.
///
/// A reference, so that every step over the connection shares it. An item of a concurrent loop that signs in for itself
/// takes an endpoint with a memory of its own (`ConnectionEndpoint.separated`).
package final class ConnectionMemory: Sendable {
  private struct State: Sendable {
    var jar = CookieJar()
    var told: Set<String> = []
  }

  private let state: Mutex<State>
  /// For `rate`.
  let pacer: Pacer

  package init() {
    state = Mutex(State())
    pacer = Pacer()
  }

  private init(_ jar: CookieJar, _ pacer: Pacer) {
    state = Mutex(State(jar: jar))
    self.pacer = pacer
  }

  /// The cookies that are kept.
  package var jar: CookieJar { state.withLock { $0.jar } }

  func keep(_ lines: [String], from address: WebAddress, at now: Timestamp) {
    state.withLock { $0.jar.keep(lines, from: address, at: now) }
  }

  /// Forgets every cookie: they belong to whoever was signed in.
  func forgetCookies() { state.withLock { $0.jar = CookieJar() } }

  /// The texts among these that it was not asked about before.
  func untold(_ texts: [String]) -> [String] {
    guard !texts.isEmpty else { return [] }
    return state.withLock { state in texts.filter { !$0.isEmpty && state.told.insert($0).inserted } }
  }

  /// A memory that begins with the same cookies, and goes on to share the pace: the provider counts all of them.
  func copy() -> ConnectionMemory { ConnectionMemory(jar, pacer) }
}
