import Glibc
import Synchronization

/// A server on loopback that does on each connection exactly what a test says, well or badly, and counts what it received.
package final class RawServer: Sendable {
  /// The port on 127.0.0.1.
  package let port: UInt16
  private let listener: Int32
  private let log = Log()

  /// `http://127.0.0.1:PORT`
  package var origin: String { "http://127.0.0.1:\(port)" }

  /// Every request that was read whole, in order.
  package var received: [RawRequest] { log.requests.withLock { $0 } }

  /// How many connections were accepted.
  package var connections: Int { log.connections.withLock { $0 } }

  /// Serves each connection on a thread of its own, and closes it when `serve` returns.
  package init(_ serve: @escaping @Sendable (RawConnection) -> Void) throws {
    listener = try listen()
    port = boundPort(listener)
    let (listener, log) = (listener, log)
    runThread {
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { break }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        let number = log.connections.withLock { count in
          count += 1
          return count
        }
        runThread { serve(RawConnection(socket, number: number, log)) }
      }
      close(listener)
    }
  }

  /// Answers every request of every connection with `answer`.
  package static func answering(_ answer: @escaping @Sendable (RawRequest) -> String) throws -> RawServer {
    try RawServer { connection in
      while let request = connection.readRequest() { connection.send(answer(request)) }
    }
  }

  /// Refuses further connections; those that are open go on.
  package func stopListening() { shutdown(listener, Int32(SHUT_RDWR)) }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }  // `accept` returns an error

  final class Log: Sendable {
    let requests = Mutex<[RawRequest]>([])
    let connections = Mutex(0)
  }
}

/// A request as it stood on the wire.
package struct RawRequest: Hashable, Sendable {
  /// The request line and the header lines.
  package let lines: [String]
  /// What `Content-Length` announced.
  package let body: [UInt8]

  /// The request line, such as `GET / HTTP/1.1`.
  package var line: String { lines.first ?? "" }

  /// The values of a header, one for each line.
  package func values(of name: String) -> [String] {
    lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else { return nil }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
  }
}

/// The server's end of one connection.
package final class RawConnection: Sendable {
  /// 1 for the first connection of its server.
  package let number: Int
  private let socket: Int32
  private let log: RawServer.Log

  init(_ socket: Int32, number: Int, _ log: RawServer.Log) {
    self.socket = socket
    self.number = number
    self.log = log
  }

  /// Reads a request with its body and counts it; nil when the client has closed.
  package func readRequest() -> RawRequest? {
    var head: [UInt8] = []
    while !head.ends(with: Array("\r\n\r\n".utf8)) {
      guard let byte = read(1)?.first else { return nil }
      head.append(byte)
    }
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    let length = RawRequest(lines: lines, body: []).values(of: "Content-Length").first.flatMap { Int($0) } ?? 0
    var body: [UInt8] = []
    while body.count < length {
      guard let more = read(length - body.count) else { return nil }
      body += more
    }
    let request = RawRequest(lines: lines, body: body)
    log.requests.withLock { $0.append(request) }
    return request
  }

  /// Sends text as it is; false when the client has gone.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes as they are; false when the client has gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Holds the connection open until the client closes it.
  package func waitForClose() { while read(4096) != nil {} }

  /// Ends the connection with a reset instead of a close.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  private func read(_ count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: min(count, 65536))
    let length = unsafe recv(socket, &buffer, buffer.count, 0)
    return length > 0 ? Array(buffer[..<length]) : nil
  }

  deinit { close(socket) }
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

private func listen() throws -> Int32 {
  let listener = try boundSocket()
  guard Glibc.listen(listener, 512) == 0 else { throw SystemError() }
  return listener
}

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

/// Runs a closure on a thread of its own, which may block.
package func runThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let context = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
  let result = unsafe pthread_create(
    &thread, nil,
    { context in
      if let context = unsafe context { unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, context)
  precondition(result == 0, "no thread for a test server")
  pthread_detach(thread)
}

extension [UInt8] {
  fileprivate func ends(with other: [UInt8]) -> Bool { count >= other.count && self[(count - other.count)...].elementsEqual(other) }
}
