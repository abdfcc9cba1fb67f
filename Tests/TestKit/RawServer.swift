import Glibc
import Synchronization

/// A server on loopback that does on each connection exactly what a test says, well or badly, and counts what it received.
package final class RawServer: Sendable {
  /// The port on 127.0.0.1.
  package var port: UInt16 { listener.port }
  private let listener: LoopbackListener
  private let log = Log()

  /// `http://127.0.0.1:PORT`
  package var origin: String { "http://127.0.0.1:\(port)" }

  /// Every request that was read whole, in order.
  package var received: [RawRequest] { log.requests.withLock { $0 } }

  /// How many connections were accepted.
  package var connections: Int { log.connections.withLock { $0 } }

  /// Serves each connection on a thread of its own, and closes it when `serve` returns.
  package init(_ serve: @escaping @Sendable (RawConnection) -> Void) throws {
    listener = try LoopbackListener()
    listener.serveAll { [log] socket in
      let number = log.connections.withLock { count in
        count += 1
        return count
      }
      runThread { serve(RawConnection(socket, number: number, log)) }
    }
  }

  /// Answers every request of every connection with `answer`.
  package static func answering(_ answer: @escaping @Sendable (RawRequest) -> String) throws -> RawServer {
    try RawServer { connection in
      while let request = connection.readRequest() { connection.send(answer(request)) }
    }
  }

  /// Refuses further connections; those that are open go on.
  package func stopListening() { listener.stop() }

  deinit { listener.stop() }

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

/// Runs a closure on a thread of its own, which may block. SIGPIPE is blocked in it: not every library that writes to a socket
/// can be told to do without, and a client may have gone.
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
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGPIPE)
      unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
      if let context = unsafe context { unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, context)
  precondition(result == 0, "no thread for a test server")
  pthread_detach(thread)
}

extension [UInt8] {
  fileprivate func ends(with other: [UInt8]) -> Bool { count >= other.count && self[(count - other.count)...].elementsEqual(other) }
}
