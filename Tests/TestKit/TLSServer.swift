import FoundationEssentials
package import Glibc

/// Certificates made for one test process, in a folder of its own.
package struct TestCertificates: Sendable {
  /// What stands in the way of tests with TLS, if anything.
  package static let absence: String? = findOpenSSL() == nil ? "there is no `openssl` command in the path" : nil

  /// Made by the first test that asks, removed when the process exits.
  package static let shared: Result<TestCertificates, any Error> = Result { try TestCertificates() }

  /// A root that signed every certificate here but `selfSigned`.
  package var root: String { path("root.pem") }

  private static let folder = FileManager.default.temporaryDirectory.appending(path: "baton-tls-\(UUID().uuidString)").path()

  private init() throws {
    let folder = Self.folder
    atexit { try? FileManager.default.removeItem(atPath: TestCertificates.folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    let local = "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    let signed = "-CA root.pem -CAkey root.key"
    try openssl("req -x509 \(key) -keyout root.key -out root.pem -days 2 -subj /CN=root")
    try openssl("req -x509 \(key) -keyout good.key -out good.pem \(signed) -days 2 \(local)")
    try openssl("req -x509 \(key) -keyout client.key -out client.pem \(signed) -days 2 -subj /CN=client")
    try openssl("req -x509 \(key) -keyout selfSigned.key -out selfSigned.pem -days 2 \(local)")
    try openssl("req -x509 \(key) -keyout wrongHost.key -out wrongHost.pem \(signed) -days 2 -subj /CN=other.test")
    try openssl("req -new \(key) -keyout expired.key -out expired.csr \(local)")
    try openssl("x509 -req -in expired.csr \(signed) -days -1 -copy_extensions copy -out expired.pem")
  }

  /// The path of a file of this folder, such as `good.key`.
  package func path(_ name: String) -> String { "\(Self.folder)/\(name)" }

  private func openssl(_ arguments: String) throws {
    let words = arguments.split(separator: " ").map(String.init)
    let process = try OpenSSLProcess(words.map { $0.contains(".") && !$0.contains("=") ? path($0) : $0 })
    _ = process.readAll()
    guard process.wait() == 0 else { throw OpenSSLError(arguments: arguments) }
  }
}

/// The `openssl` command that failed.
package struct OpenSSLError: Error { package let arguments: String }

/// `openssl s_server` on a free port of 127.0.0.1, answering each GET with a page.
package final class TLSServer: Sendable {
  /// The port on 127.0.0.1.
  package let port: Int
  private let process: OpenSSLProcess

  /// - Parameter certificate: the name of one of `certificates`, such as `good`.
  package init(_ certificate: String, _ certificates: TestCertificates, options: [String] = []) throws {
    let files = ["-cert", certificates.path("\(certificate).pem"), "-key", certificates.path("\(certificate).key")]
    process = try OpenSSLProcess(["s_server", "-accept", "127.0.0.1:0", "-www"] + files + options)
    // It says `ACCEPT 127.0.0.1:PORT` once it listens.
    while true {
      guard let line = process.readLine() else { throw OpenSSLError(arguments: "s_server") }
      guard line.hasPrefix("ACCEPT"), let port = line.split(separator: ":").last.flatMap({ Int($0) }) else { continue }
      self.port = port
      return
    }
  }

  deinit { process.stop() }
}

private func findOpenSSL() -> String? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  return path.split(separator: ":").map { "\($0)/openssl" }.first { unsafe access($0, X_OK) == 0 }
}

/// A run of the `openssl` command, its output in a pipe.
private final class OpenSSLProcess: Sendable {
  private let id: pid_t
  private let output: Int32

  init(_ arguments: [String]) throws {
    guard let executable = findOpenSSL() else { throw OpenSSLError(arguments: "is absent") }
    var ends: [Int32] = [0, 0]
    unsafe pipe(&ends)
    output = ends[0]
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe closeInheritedDescriptors(&actions)
    var id = pid_t()
    var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
    let result = unsafe posix_spawn(&id, executable, &actions, nil, &words, environ)
    unsafe words.forEach { unsafe free($0) }
    close(ends[1])
    guard result == 0 else { throw OpenSSLError(arguments: arguments.joined(separator: " ")) }
    self.id = id
  }

  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  func readAll() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  /// Its exit status.
  func wait() -> Int32 {
    var status: Int32 = 0
    unsafe _ = waitpid(id, &status, 0)
    return status
  }

  func stop() {
    kill(id, SIGKILL)
    _ = wait()
  }

  deinit { close(output) }
}

/// Has a child close all but its three streams: what another thread has just opened would keep a pipe or a connection
/// from ending. glibc passes over those that are not open.
package func closeInheritedDescriptors(_ actions: inout posix_spawn_file_actions_t) {
  for descriptor in Int32(3)..<1024 { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
}
