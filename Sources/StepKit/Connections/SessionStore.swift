package import Values

/// What a session leaves behind for the next run.
package struct StoredSession: Hashable, Sendable {
  package var tokens: [TokenClass: Token]

  package init(tokens: [TokenClass: Token] = [:]) { self.tokens = tokens }

  package var isEmpty: Bool { tokens.isEmpty }
}

/// Where the tokens of one connection outlive its run (`token_store: true`). Conformers keep true: what is stored is sealed;
/// between `acquire` and `release` no other process and no other session has the entry.
package protocol SessionStore: Sendable {
  /// What is stored; empty where there is nothing.
  /// - Throws: `config.token_store` where it cannot be read or opened.
  func load() async throws(StepFailure) -> StoredSession
  /// Waits until nobody else has the entry.
  /// - Throws: `config.token_store`, `cancelled`.
  func acquire() async throws(StepFailure) -> any SessionStoreLease
}

/// One holder of an entry at a time.
package protocol SessionStoreLease: Sendable {
  /// - Throws: `config.token_store` where it cannot be read or opened.
  func load() async throws(StepFailure) -> StoredSession
  /// Replaces what is stored; an empty session removes it.
  /// - Throws: `config.token_store` where it cannot be written.
  func save(_ session: StoredSession) async throws(StepFailure)
  func release() async
}

/// Finds the store of a connection.
package protocol SessionStores: Sendable {
  /// Nil where this run keeps nothing.
  /// - Parameters:
  ///   - system: the system's name.
  ///   - settings: of the connection, rendered: its URLs, its client, its user tell whose tokens they are.
  func store(system: String, settings: ValueMap) -> (any SessionStore)?
}

/// Where nothing outlives a run.
package struct NoSessionStores: SessionStores {
  package init() {}
  package func store(system: String, settings: ValueMap) -> (any SessionStore)? { nil }
}
