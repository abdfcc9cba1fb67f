import FoundationEssentials
import Glibc
import Synchronization
import TestKit
import Testing

/// An empty folder of one test, in which commands run; removed with it.
final class Workspace: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "baton-end-to-end-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file.
  func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws { try write(name, Array(text.utf8), mode: mode) }

  func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws {
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    guard unsafe chmod("\(path)/\(name)", mode) == 0 else { throw SystemError() }
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  func read(_ name: String) throws -> String { String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self) }

  /// A file of the project.
  static func shipped(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: ProjectRoot.path + name)), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  /// Runs a command to its end.
  func baton(_ arguments: String..., environment: [String: String] = [:]) async throws -> Ended {
    try await baton(arguments, environment: environment)
  }

  func baton(_ arguments: [String], environment: [String: String] = [:]) async throws -> Ended {
    await Slots.shared.take()
    defer { Slots.shared.give() }
    return try await start(arguments, environment: environment).end()
  }

  /// Starts a command and leaves it running.
  func start(
    _ arguments: [String], environment: [String: String] = [:], terminal: Int32? = nil, whenEnded: @escaping @Sendable () -> Void = {}
  ) throws -> BatonProcess {
    var variables = ["PATH": "/usr/bin:/bin", "HOME": path, "BATON_TRIGGER_DIR": "\(path)/.local/state/baton", "LC_ALL": "C.UTF-8"]
    variables.merge(environment) { _, own in own }
    return try BatonProcess(arguments, folder: path, environment: variables, terminal: terminal, whenEnded: whenEnded)
  }
}

/// How many commands run at once: deadlines are for one of them, not for a hundred on two cores.
private final class Slots: Sendable {
  static let shared = Slots(4)

  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(_ count: Int) { state = Mutex((count, [])) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
