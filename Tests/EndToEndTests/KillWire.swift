import Glibc
import Synchronization
import TestKit

/// The server's end of one connection.
final class KillWire: Sendable {
  private let socket: Int32

  init(_ socket: Int32) { self.socket = socket }

  /// The next byte, left where it is; nil at the end.
  func peek() -> UInt8? {
    var byte: UInt8 = 0
    return unsafe recv(socket, &byte, 1, Int32(MSG_PEEK)) == 1 ? byte : nil
  }

  /// At least one byte and at most `count`; nil at the end.
  func read(_ count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: min(count, 65536))
    let length = unsafe recv(socket, &buffer, buffer.count, 0)
    return length > 0 ? Array(buffer[..<length]) : nil
  }

  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
  }

  deinit { Glibc.close(socket) }
}

/// A process id that a thread waits for.
final class Latch: Sendable {
  private let ends: (reading: Int32, writing: Int32)

  init() {
    var pair: [Int32] = [0, 0]
    unsafe _ = pipe(&pair)
    for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    ends = (pair[0], pair[1])
  }

  func set(_ value: pid_t) {
    var value = value
    unsafe _ = write(ends.writing, &value, MemoryLayout<pid_t>.size)
  }

  func wait() -> pid_t {
    var value: pid_t = 0
    unsafe _ = read(ends.reading, &value, MemoryLayout<pid_t>.size)
    return value
  }

  deinit {
    Glibc.close(ends.reading)
    Glibc.close(ends.writing)
  }
}

/// Holds back so many threads until the last of them has come.
final class TokenGate: Sendable {
  private let missing: Mutex<Int>
  private let latch = Latch()

  init(_ count: Int) { missing = Mutex(count) }

  /// - Parameter open: what the last one does before any goes on.
  func pass(_ open: () -> Void) {
    let left = missing.withLock { missing in
      missing -= 1
      return missing
    }
    guard left >= 0 else { return }
    if left == 0 { open() } else { _ = latch.wait() }
    // One wakes the next.
    latch.set(0)
  }
}

/// A listening socket on 127.0.0.1 and its port. What it accepts has a small buffer, so that half of a long body is
/// still with the client when half of it has been read.
func loopbackListener(port: UInt16 = 0) throws -> (socket: Int32, port: UInt16) {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var (size, yes) = (Int32(16384), Int32(1))
  unsafe setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var address = loopback(port)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(listener, $0, length) == 0 && listen(listener, 256) == 0 && getsockname(listener, $0, &length) == 0
    }
  }
  guard isListening else { throw SystemError() }
  return (listener, UInt16(bigEndian: address.sin_port))
}

/// A connection that says `?` and goes.
func probe(_ port: UInt16) {
  let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = loopback(port)
  unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe _ = connect(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  unsafe _ = send(probe, "?", 1, Int32(MSG_NOSIGNAL))
  close(probe)
}

private func loopback(_ port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  return address
}
