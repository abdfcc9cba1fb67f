import Glibc
import TestKit

/// A terminal with a test at the other end.
final class TestTerminal {
  let inner: Int32
  private let outer: Int32

  init() throws {
    var ends: (outer: Int32, inner: Int32) = (-1, -1)
    guard unsafe openpty(&ends.outer, &ends.inner, nil, nil, nil) == 0 else { throw SystemError() }
    (outer, inner) = ends
  }

  func type(_ text: String) { unsafe _ = write(outer, text, text.utf8.count) }

  /// What was shown up to a text and what came with it; less after a minute of silence.
  func read(until text: String) -> String {
    var shown = ""
    while !shown.contains(text), let more = next(timeout: 60_000) { shown += more }
    return shown
  }

  /// What has been shown and not been read.
  func rest() -> String {
    var shown = ""
    while let more = next(timeout: 0) { shown += more }
    return shown
  }

  private func next(timeout: Int32) -> String? {
    var polled = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&polled, 1, timeout) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(outer, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  deinit {
    close(inner)
    close(outer)
  }
}
