import FoundationEssentials
import Glibc
import Synchronization
import TestKit
import Testing

/// What a finished process left behind.
struct Ended: Sendable, CustomStringConvertible {
  /// The exit code, or minus the number of the signal that ended it.
  var code: Int32
  var stdout: String
  var stderr: String
  /// From its start to its end.
  var duration: Duration

  var everything: String { stdout + stderr }
  var description: String { "code \(code)\n--- stdout\n\(stdout)--- stderr\n\(stderr)" }
}

/// The real executable, run as a user runs it: its own session, its streams in pipes, nothing inherited.
final class BatonProcess: Sendable {
  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var ended: Ended?
  }

  /// No command here takes seconds; one that does is killed, and its test fails.
  private static let deadline: Duration = .seconds(60)

  let id: pid_t
  private let state = Mutex(State())
  /// One element whenever something was read; it ends with the process.
  private let changes: AsyncStream<Void>

  /// - Parameters:
  ///   - terminal: a descriptor for standard input and the error stream instead of `/dev/null` and a pipe.
  ///   - whenEnded: called on another thread.
  init(
    _ arguments: [String], folder: String, environment: [String: String], terminal: Int32? = nil,
    whenEnded: @escaping @Sendable () -> Void = {}
  ) throws {
    let executable = try #require(Executable.path, "there is no `baton` beside the tests; name it in BATON_BINARY")
    let (output, errors) = (try Pipe(), try Pipe())
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let terminal {
      unsafe posix_spawn_file_actions_adddup2(&actions, terminal, 0)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, terminal ?? errors.writing, 2)
    unsafe closeInheritedDescriptors(&actions)
    let start = ContinuousClock.now
    // The shell changes the folder and becomes the command.
    let words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder, executable] + arguments
    id = try unsafe Self.spawn(words, environment, &actions)
    output.closeWriting()
    errors.closeWriting()

    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    let (id, limit) = (id, start + Self.deadline)
    runThread { [self] in
      let isInTime = read(output.reading, errors.reading, until: limit) { change.yield() }
      if !isInTime { kill(id, SIGKILL) }
      var status: Int32 = 0
      unsafe _ = waitpid(id, &status, 0)
      let code = status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
      state.withLock { state in
        state.ended = Ended(
          code: code, stdout: String(decoding: state.output, as: UTF8.self),
          stderr: String(decoding: state.errors, as: UTF8.self) + (isInTime ? "" : "(killed at the deadline)\n"),
          duration: ContinuousClock.now - start)
      }
      output.closeReading()
      errors.closeReading()
      whenEnded()
      change.finish()
    }
  }

  func signal(_ number: Int32) { kill(id, number) }

  /// What stands on standard output as soon as it contains a text, or when the process has ended without it.
  func output(containing text: String) async -> String {
    var output = currentOutput
    guard !output.contains(text) else { return output }
    for await _ in changes {
      output = currentOutput
      if output.contains(text) { break }
    }
    return currentOutput
  }

  private var currentOutput: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }

  /// Waits for its end.
  func end() async throws -> Ended {
    for await _ in changes {}
    return try #require(state.withLock { $0.ended }, "the test was cancelled while the process ran")
  }

  /// Reads both streams to their ends; false when time is up.
  private func read(_ output: Int32, _ errors: Int32, until limit: ContinuousClock.Instant, noticed: () -> Void) -> Bool {
    var open = [output, errors]
    while !open.isEmpty {
      let rest = (limit - .now) / .milliseconds(1)
      guard rest > 0 else { return false }
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&polled, nfds_t(polled.count), Int32(rest) + 1) > 0 else { continue }
      for entry in polled where entry.revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe Glibc.read(entry.fd, &buffer, buffer.count)
        guard count > 0 else {
          open.removeAll { $0 == entry.fd }
          continue
        }
        state.withLock { state in
          if entry.fd == output { state.output += buffer[..<count] } else { state.errors += buffer[..<count] }
        }
        noticed()
      }
    }
    return true
  }

  /// With no signal blocked or ignored: a build in the background ignores SIGINT, and a child would inherit it.
  private static func spawn(
    _ words: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var id = pid_t()
    let problem = unsafe posix_spawn(&id, words[0], &actions, &attributes, &arguments, &variables)
    guard problem == 0 else { throw SystemError(code: problem) }
    return id
  }
}

/// Where the executable is: named by `BATON_BINARY`, or built beside the tests.
enum Executable {
  static let path: String? = {
    if let named = ProcessInfo.processInfo.environment["BATON_BINARY"] { return named }
    let self_ = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let folders = [bundle, self_].compactMap { $0 }.map { URL(filePath: $0).deletingLastPathComponent() }
    return folders.map { $0.appending(path: "baton").path() }.first { unsafe access($0, X_OK) == 0 }
  }()
}

private struct Pipe {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SystemError() }
    (reading, writing) = (ends[0], ends[1])
  }

  func closeReading() { close(reading) }
  func closeWriting() { close(writing) }
}
