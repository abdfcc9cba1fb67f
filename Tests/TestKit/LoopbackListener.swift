import Glibc
import Synchronization

/// A listening socket of 127.0.0.1 that one thread accepts from and any thread may stop.
package final class LoopbackListener: Sendable {
  package let port: UInt16
  private let socket: Int32
  /// Once it is closed its number is the next one that is given out: a shutdown would then hit a stranger's socket.
  private let isOpen = Mutex(true)

  package init() throws {
    socket = try boundSocket()
    port = boundPort(socket)
    guard listen(socket, 512) == 0 else { throw SystemError() }
  }

  /// Hands every connection to `serve`, on a thread of its own, until it is stopped.
  package func serveAll(_ serve: @escaping @Sendable (_ connection: Int32) -> Void) {
    runThread { [self] in
      while true {
        let connection = accept(socket, nil, nil)
        if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard connection >= 0 else { break }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        serve(connection)
      }
      isOpen.withLock { isOpen in
        close(socket)
        isOpen = false
      }
    }
  }

  /// Refuses further connections; those that are open go on.
  package func stop() {
    isOpen.withLock { isOpen in
      if isOpen { shutdown(socket, Int32(SHUT_RDWR)) }  // `accept` returns an error
    }
  }
}

/// What the system refused a test, by its `errno`.
package struct SystemError: Error {
  package let code: Int32

  package init(code: Int32 = errno) { self.code = code }
}

/// A port of 127.0.0.1 on which nobody listens. It stays taken for as long as the tests run, so that no server of
/// another test gets it meanwhile.
package func closedPort() throws -> UInt16 { try takenPort.get() }

private let takenPort = Result { boundPort(try boundSocket()) }

private func boundSocket() throws -> Int32 {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, size) == 0 }
  }
  guard isBound else { throw SystemError() }
  return listener
}

private func boundPort(_ socket: Int32) -> UInt16 {
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe _ = getsockname(socket, $0, &size) }
  }
  return UInt16(bigEndian: address.sin_port)
}
