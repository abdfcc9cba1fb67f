import FoundationEssentials
import Glibc
import TestKit
import Testing

/// A running `journal-probe`: its input is open until `finish`, which waits for its end.
struct Probe: ~Copyable {
  /// What it said, and how it ended.
  struct End: Equatable {
    var lines: [String]
    /// Nil where a signal ended it.
    var exitCode: Int32?
    var signal: Int32?
  }

  private let process: pid_t
  private let stream: Int32

  /// Starts it with words, under the program and words of `wrapper`, such as `strace`.
  init(_ words: [String], under wrapper: [String] = []) throws {
    // One socket for both: its two directions end on their own, and it is born closed to other children.
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    unsafe closeInheritedDescriptors(&actions)
    let all = wrapper + [Self.path] + words
    var arguments = unsafe all.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let result = unsafe posix_spawnp(&process, all[0], &actions, nil, &arguments, environ)
    close(ends[1])
    try #require(result == 0, "cannot start \(all[0])")
    self.process = process
    stream = ends[0]
  }

  /// Waits for its first line, or as much of it as comes.
  func firstLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(stream, &byte, 1) == 1, byte != 10 { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Lets it begin: its input ends.
  func start() { shutdown(stream, Int32(SHUT_WR)) }

  func stop() { _ = Glibc.kill(process, SIGSTOP) }

  func kill() { _ = Glibc.kill(process, SIGKILL) }

  /// Closes its input and waits for its end.
  consuming func finish() -> End {
    start()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe read(stream, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer.prefix(count)
    }
    close(stream)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
    let signal = status & 0x7F
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return End(lines: lines, exitCode: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal)
  }

  static func run(_ words: [String], under wrapper: [String] = []) throws -> End { try Probe(words, under: wrapper).finish() }

  /// Beside the tests, or named by `BATON_JOURNAL_PROBE`.
  static let path: String = {
    if let named = ProcessInfo.processInfo.environment["BATON_JOURNAL_PROBE"] { return named }
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "journal-probe").path()
  }()
}

/// What the machine lets tests do.
enum Machine {
  static let canTrace = works { ["strace", "-f", "--seccomp-bpf", "-o", $0.path + "/trace", "-e", "trace=unlink"] }
  static let canMount = works { _ in ["unshare", "-m"] }

  private static func works(_ wrapper: (Room) -> [String]) -> Bool {
    let room = Room()
    return (try? Probe.run(["trigger", room.state, "K"], under: wrapper(room)))?.lines.last == "acknowledged"
  }
}
