import StepKit
import Synchronization
import Values

/// Files and state in memory.
final class ScriptedDisk: FilePort {
  private struct Contents {
    var files: [String: String] = [:]
    var states: [ValueMap] = []
  }

  private let isFull: Bool
  private let contents = Mutex(Contents())

  init(isFull: Bool) { self.isFull = isFull }

  var files: [String: String] { contents.withLock { $0.files } }
  var states: [ValueMap] { contents.withLock { $0.states } }

  func read(_ path: String) async throws(StepFailure) -> [UInt8] {
    guard let text = files[path] else { throw .file("there is no `\(path)`") }
    return Array(text.utf8)
  }

  func write(_ bytes: [UInt8], to path: String) async throws(StepFailure) {
    guard !isFull else { throw .file("`\(path)` cannot be written: the disk is full") }
    contents.withLock { $0.files[path] = String(decoding: bytes, as: UTF8.self) }
  }

  func save(_ state: ValueMap) throws(StepFailure) {
    guard !isFull else { throw StepFailure("config.state", title: "the disk is full") }
    contents.withLock { $0.states.append(state) }
  }
}
