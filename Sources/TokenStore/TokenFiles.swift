import FoundationEssentials
package import Journal
package import StepKit
package import Values

/// Tokens in sealed files of Baton's state directory, one for each session, shared by all processes of a user.
///
/// The rules (reliability.md §3, rows 35 and 36): the folder is 0700 and the files 0600, nothing is reached through a
/// link, a file is replaced as a whole, and one process at a time renews.
package struct TokenFiles: SessionStores {
  private let folder: TokenFolder
  private let environment: String

  /// - Parameters:
  ///   - state: where Baton's state lies.
  ///   - environment: the name of the run's environment.
  ///   - service: where a desktop keeps keys.
  package init(
    state: @escaping @Sendable () throws(JournalError) -> StateDirectory, environment: String,
    environmentKey: String? = JournalSeal.environmentKey, service: SecretService? = nil
  ) {
    folder = TokenFolder(state: state, environmentKey: environmentKey, service: service)
    self.environment = environment
  }

  package func store(system: String, settings: ValueMap) -> (any SessionStore)? {
    TokenFile(folder: folder, entry: TokenEntry(system: system, settings: settings, environment: environment))
  }
}

/// The folder of the entries, opened on first need.
private actor TokenFolder {
  struct Opened: Sendable {
    let directory: StateDirectory
    let thread: DatabaseThread
    let keys: TokenKeys
  }

  private let state: @Sendable () throws(JournalError) -> StateDirectory
  private let environmentKey: String?
  private let service: SecretService?
  private var opened: Opened?

  init(state: @escaping @Sendable () throws(JournalError) -> StateDirectory, environmentKey: String?, service: SecretService?) {
    self.state = state
    self.environmentKey = environmentKey
    self.service = service
  }

  func open() throws(StepFailure) -> Opened {
    if let opened { return opened }
    do throws(JournalError) {
      let above = try state()
      let thread = try DatabaseThread()
      let made = Opened(
        directory: try StateDirectory(above.path + "/tokens"), thread: thread,
        keys: TokenKeys(above, thread: thread, environmentKey: environmentKey, service: service))
      opened = made
      return made
    } catch {
      throw .tokenStore(error.description)
    }
  }
}

/// One entry.
private struct TokenFile: SessionStore {
  let folder: TokenFolder
  let entry: TokenEntry

  func load() async throws(StepFailure) -> StoredSession { try await OpenTokenFile(try await folder.open(), entry).load() }

  func acquire() async throws(StepFailure) -> any SessionStoreLease {
    let opened = try await folder.open()
    let lock = try await opened.thread.lock("\(entry.name).lock", in: opened.directory)
    let file = OpenTokenFile(opened, entry)
    // A key that cannot be had, or a full disk, is told before anything is asked for.
    _ = try await opened.keys.preferred()
    try await opened.thread.attempt { () throws(JournalError) in try file.file.reserve() }
    return TokenFileLease(file: file, lock: lock)
  }
}

/// Held until it is released, or goes.
private actor TokenFileLease: SessionStoreLease {
  private let file: OpenTokenFile
  private var lock: KernelLock?

  init(file: OpenTokenFile, lock: KernelLock) {
    self.file = file
    self.lock = lock
  }

  func load() async throws(StepFailure) -> StoredSession { try await file.load() }

  func save(_ session: StoredSession) async throws(StepFailure) { try await file.save(session) }

  func release() async {
    await file.discardDraft()
    lock = nil
  }
}

private struct OpenTokenFile: Sendable {
  /// What an entry begins with; the source of its key follows.
  private static let mark = "baton-tokens 1 "

  let file: SealedFile
  private let entry: TokenEntry
  private let folder: TokenFolder.Opened

  init(_ folder: TokenFolder.Opened, _ entry: TokenEntry) {
    self.folder = folder
    self.entry = entry
    file = SealedFile("\(entry.name).sealed", in: folder.directory)
  }

  func load() async throws(StepFailure) -> StoredSession {
    guard let bytes = try await folder.thread.attempt({ [file] () throws(JournalError) in try file.read() }) else { return StoredSession() }
    guard let (source, sealed) = Self.parts(of: bytes) else { throw damaged }
    guard let seal = try await folder.keys.seal(of: source) else {
      throw .tokenStore("`\(file.path)` was sealed with \(source.name), \(await folder.keys.absence(of: source)), or \(mend)")
    }
    guard let text = try? seal.open(sealed, for: context(source)) else {
      throw .tokenStore("`\(file.path)` does not open with \(source.name): the key is another one, or the file was changed; \(mend)")
    }
    guard let session = StoredSession(json: text) else { throw damaged }
    return session
  }

  /// Nil for bytes that `content` does not write: what the seal does not cover must not be changed either.
  private static func parts(of bytes: [UInt8]) -> (source: TokenKeys.Source, sealed: String)? {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0].hasPrefix(mark), let source = TokenKeys.Source(rawValue: String(lines[0].dropFirst(mark.count))),
      // One text has several spellings in base64: the last digit may hold bits that nobody reads.
      let sealed = Data(base64Encoded: String(lines[1]))?.base64EncodedString(), content(source, sealed) == bytes
    else { return nil }
    return (source, sealed)
  }

  private static func content(_ source: TokenKeys.Source, _ sealed: String) -> [UInt8] {
    Array("\(mark)\(source.rawValue)\n\(sealed)\n".utf8)
  }

  func save(_ session: StoredSession) async throws(StepFailure) {
    guard !session.isEmpty else {
      return try await folder.thread.attempt { [file] () throws(JournalError) in try file.remove() }
    }
    let (seal, source) = try await folder.keys.preferred()
    let context = context(source)
    try await folder.thread.attempt { [file] () throws(JournalError) in
      let sealed = try seal.seal(session.json, for: context)
      try file.replace(by: Self.content(source, sealed))
    }
  }

  func discardDraft() async { try? await folder.thread.attempt { [file] () throws(JournalError) in file.discardDraft() } }

  /// An entry that somebody renamed opens no more.
  private func context(_ source: TokenKeys.Source) -> String { "\(entry.name) \(source.rawValue)" }

  private var mend: String { "remove the file, and sign in again" }
  private var damaged: StepFailure { .tokenStore("`\(file.path)` is damaged; \(mend)") }
}
