import Glibc
import Journal
import StepKit
import TokenStore
import Values

/// A folder of its own for one test, removed with it.
final class StateRoom: Sendable {
  let path: String
  var state: String { path + "/state" }
  var tokens: String { state + "/tokens" }

  init() throws {
    var template = Array("/tmp/baton-tokens-XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw RoomError() }
    path = unsafe String(cString: made)
  }

  deinit { _ = unsafe system("rm -rf '\(path)'") }

  func stores(environment: String = "", key: String? = nil, service: SecretService? = nil) -> TokenFiles {
    TokenFiles(
      state: { [state] () throws(JournalError) in try StateDirectory(state) }, environment: environment, environmentKey: key,
      service: service)
  }

  func store(_ settings: ValueMap = StateRoom.settings, key: String? = nil, service: SecretService? = nil) throws -> any SessionStore {
    guard let store = stores(key: key, service: service).store(system: "http", settings: settings) else { throw RoomError() }
    return store
  }

  static let settings: ValueMap = {
    let settings: Value = [
      "base_url": "https://api.example.test",
      "oauth": ["client_id": .secret("client-canary"), "username": .secret("user-canary"), "password": .secret("pw-canary")],
    ]
    return settings.mapValue ?? ValueMap()
  }()

  /// The names in the folder of tokens, sorted.
  var names: [String] {
    guard let folder = unsafe opendir(tokens) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The sealed entry; there is one.
  var entry: String { tokens + "/" + (names.first { $0.hasSuffix(".sealed") } ?? "none") }

  func bytes(_ file: String) -> [UInt8] {
    let descriptor = unsafe open(file, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  func write(_ bytes: [UInt8], to file: String) {
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { return }
    _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  func mode(_ file: String) -> UInt32 {
    var status = stat()
    return unsafe lstat(file, &status) == 0 ? status.st_mode & 0o7777 : 0
  }
}

struct RoomError: Error {}

extension SessionStore {
  /// As a session does it.
  func put(_ session: StoredSession) async throws {
    let lease = try await acquire()
    do {
      try await lease.save(session)
    } catch {
      await lease.release()
      throw error
    }
    await lease.release()
  }
}

let someSession = StoredSession(tokens: [
  .user: Token(
    accessToken: "access-canary", expires: Timestamp(seconds: 1_732_150_800, nanoseconds: 5), issued: Timestamp(seconds: 1_732_147_200),
    type: "Bearer", refreshToken: "refresh-canary", scope: "a b"),
  .client: Token(accessToken: "client-token-canary", expires: nil),
])
