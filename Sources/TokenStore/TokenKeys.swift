import Glibc
import Journal
import StepKit

/// The key of the token store: of the environment, else of the Secret Service, else of the state directory's key file.
///
/// Who sets a key in the environment means that one: where it is set, no other opens anything, so that nobody who can write
/// in the state directory can put a session there that another key has sealed. A keyring may come and go by itself: what the
/// file's key has sealed opens on, and is sealed with the better key when it is stored again.
actor TokenKeys {
  /// Where a key lies; an entry names it, for what was sealed with one opens with no other.
  enum Source: String, CaseIterable {
    case environment
    case service = "secret-service"
    case file

    /// For messages.
    var name: String {
      switch self {
      case .environment: "the key in `\(JournalSeal.variable)`"
      case .service: "the key in the Secret Service"
      case .file: "the key file `\(JournalSeal.fileName)`"
      }
    }
  }

  private static let purpose = "tokens"

  private let state: StateDirectory
  private let thread: DatabaseThread
  private let environmentKey: String?
  private let service: SecretService?
  private var seals: [Source: JournalSeal] = [:]

  init(_ state: StateDirectory, thread: DatabaseThread, environmentKey: String?, service: SecretService?) {
    self.state = state
    self.thread = thread
    self.environmentKey = environmentKey
    self.service = service
  }

  /// The seal for what is stored from now on.
  func preferred() async throws(StepFailure) -> (seal: JournalSeal, source: Source) {
    for source in Source.allCases {
      if let seal = try await seal(of: source, makesKey: true) { return (seal, source) }
    }
    throw .tokenStore("there is no key to seal tokens with")
  }

  /// The seal of one source; nil where it has no key, or may not be used.
  func seal(of source: Source) async throws(StepFailure) -> JournalSeal? {
    isUsed(source) ? try await seal(of: source, makesKey: false) : nil
  }

  /// Why a source has no seal, and the mend, as the end of a sentence that names it.
  func absence(of source: Source) -> String {
    isUsed(source)
      ? "which is not there; bring it back"
      : "and `\(JournalSeal.variable)` is set, whose key is then the only one; unset it"
  }

  private func isUsed(_ source: Source) -> Bool { environmentKey == nil || source == .environment }

  private func seal(of source: Source, makesKey: Bool) async throws(StepFailure) -> JournalSeal? {
    if let known = seals[source] { return known }
    let seal: JournalSeal?
    switch source {
    case .environment: seal = environmentKey == nil ? nil : try await opened(environmentKey)
    case .service: seal = try await serviceSeal(makesKey: makesKey)
    case .file: seal = try await opened(nil)
    }
    seals[source] = seal
    return seal
  }

  private func opened(_ environmentKey: String?) async throws(StepFailure) -> JournalSeal {
    try await thread.attempt { [state] () throws(JournalError) in
      try JournalSeal(in: state, environmentKey: environmentKey, purpose: Self.purpose)
    }
  }

  private func serviceSeal(makesKey: Bool) async throws(StepFailure) -> JournalSeal? {
    guard let service else { return nil }
    switch try await service.find() {
    case .key(let bytes): return try Self.seal(bytes)
    case .unavailable: return nil
    case .none: return makesKey ? try await madeInService(service) : nil
    }
  }

  /// Of several first users one makes the key, and the others find it.
  private func madeInService(_ service: SecretService) async throws(StepFailure) -> JournalSeal? {
    let lock = try await thread.lock("secret-service.lock", in: state)
    defer { withExtendedLifetime(lock) {} }
    if case .key(let bytes) = try await service.find() { return try Self.seal(bytes) }
    guard try await service.keep(JournalSeal.newKey()), case .key(let bytes) = try await service.find() else { return nil }
    return try Self.seal(bytes)
  }

  private static func seal(_ bytes: [UInt8]) throws(StepFailure) -> JournalSeal {
    guard let seal = JournalSeal(key: bytes, purpose: purpose) else {
      throw .tokenStore("the Secret Service holds no key under `application baton`; remove that item, and what was sealed is given up")
    }
    return seal
  }
}

extension DatabaseThread {
  /// Does something that blocks, on this thread; what goes wrong is the token store's.
  func attempt<T: Sendable>(_ body: @escaping @Sendable () throws(JournalError) -> T) async throws(StepFailure) -> T {
    do throws(JournalError) {
      return try await perform(body)
    } catch {
      throw .tokenStore(error.description)
    }
  }

  /// Waits for the lock of a file in the folder; the kernel takes it from a process that ends.
  ///
  /// - Throws: `cancelled`, `config.token_store`.
  func lock(_ name: String, in directory: StateDirectory) async throws(StepFailure) -> KernelLock {
    let path = try await attempt { () throws(JournalError) in try directory.lockFile(name) }
    var pause = Duration.milliseconds(1)
    while true {
      if let lock = try await attempt({ () throws(JournalError) in try LockFile(path: path).lock(0) }) { return lock }
      do {
        try await Task.sleep(for: pause)
      } catch {
        throw StepFailure("cancelled", title: "cancelled")
      }
      // Many who wait do not all come back at once.
      pause = min(pause * 2, .milliseconds(Int.random(in: 10...30)))
    }
  }
}

extension StepFailure {
  static func tokenStore(_ detail: String) -> StepFailure {
    StepFailure("config.token_store", title: "the stored tokens cannot be used", detail: detail)
  }
}
