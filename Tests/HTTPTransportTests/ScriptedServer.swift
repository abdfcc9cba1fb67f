import Glibc
import Synchronization
import TestKit

/// A server, over TLS or not, that reads and answers byte by byte as a test says; `RawServer` reads whole requests.
final class ScriptedServer: Sendable {
  private let scheme: String
  private let listener: LoopbackListener
  private let heard: Log

  /// Every body that was counted, in order.
  var received: [[UInt8]] { heard.bodies.withLock { $0 } }

  var port: UInt16 { listener.port }

  var origin: String { "\(scheme)://127.0.0.1:\(port)" }

  /// - Parameters:
  ///   - certificates: nil is plain text.
  ///   - takesHTTP2: whether it takes `h2` in the handshake (ALPN); else it takes part in none.
  init(
    _ certificates: TestCertificates? = nil, takesHTTP2: Bool = false, _ serve: @escaping @Sendable (ScriptedConnection) -> Void
  ) throws {
    scheme = certificates == nil ? "http" : "https"
    let channels = try certificates.map { try LibSSL($0, takesHTTP2: takesHTTP2) }
    let heard = Log()
    self.heard = heard
    listener = try LoopbackListener()
    listener.serveAll { socket in
      runThread {
        // The connection ends, and with it its TLS session, before its socket does.
        if let connection = ScriptedConnection(socket, channels, heard) { serve(connection) }
        close(socket)
      }
    }
  }

  deinit { listener.stop() }

  fileprivate final class Log: Sendable {
    let bodies = Mutex<[[UInt8]]>([])
  }
}

/// The server's end of one connection.
final class ScriptedConnection {
  private let socket: Int32
  private let library: LibSSL?
  private let session: UInt
  private let log: ScriptedServer.Log

  /// Nil where the TLS handshake fails.
  fileprivate init?(_ socket: Int32, _ library: LibSSL?, _ log: ScriptedServer.Log) {
    (self.socket, self.library, self.log) = (socket, library, log)
    session = library?.session(on: socket) ?? 0
    if library != nil, session == 0 { return nil }
  }

  /// That many bytes, or nil when the client has gone.
  func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: min(count - bytes.count, 16384))
      let length = unsafe library?.read(session, &buffer) ?? recv(socket, &buffer, buffer.count, 0)
      guard length > 0 else { return nil }
      bytes += buffer[..<length]
    }
    return bytes
  }

  /// The request line and the header lines of a request; nil when the client has gone.
  func readHead() -> [String]? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = read(1) else { return nil }
      head += byte
    }
    return String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  /// The body that these header lines announce.
  func readBody(_ head: [String]) -> [UInt8]? {
    let line = head.first { $0.lowercased().hasPrefix("content-length:") }
    return read(line.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0)
  }

  /// Takes a request as received.
  func count(_ body: [UInt8]) { log.bodies.withLock { $0.append(body) } }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe library?.write(session, &rest) ?? Glibc.send(socket, rest, rest.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }

  /// Holds the connection open until the client closes it.
  func waitForClose() { while read(1) != nil {} }

  /// Has the connection end with a reset, not with a close.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }

  deinit { library?.free(session) }
}

/// The functions of libssl that a server needs, from the library that libcurl brings along. Handles are numbers here, so that
/// they may cross threads.
private struct LibSSL: Sendable {
  struct Absent: Error { let name: String }

  private typealias OneToOne = @convention(c) (UInt) -> UInt
  private typealias File = @convention(c) (UInt, UnsafePointer<CChar>, CInt) -> CInt
  private typealias Transfer = @convention(c) (UInt, UnsafeMutableRawPointer?, CInt) -> CInt
  private typealias Choose =
    @convention(c) (
      UInt, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, CUnsignedInt,
      UnsafeMutableRawPointer?
    ) -> CInt

  private let handle: UInt
  private let context: UInt

  init(_ certificates: TestCertificates, takesHTTP2: Bool) throws {
    guard let found = unsafe dlopen("libssl.so.3", RTLD_NOW) else { throw Absent(name: "libssl.so.3") }
    handle = UInt(bitPattern: found)
    let method = unsafe Self.function("TLS_server_method", in: handle, as: (@convention(c) () -> UInt).self)()
    context = unsafe Self.function("SSL_CTX_new", in: handle, as: OneToOne.self)(method)
    let pem: CInt = 1
    let isCertified = unsafe function("SSL_CTX_use_certificate_file", as: File.self)(context, certificates.path("good.pem"), pem)
    let isKeyed = unsafe function("SSL_CTX_use_PrivateKey_file", as: File.self)(context, certificates.path("good.key"), pem)
    guard isCertified == 1, isKeyed == 1 else { throw Absent(name: "good.pem") }
    if takesHTTP2 { chooseHTTP2() }
  }

  private func chooseHTTP2() {
    let choose = unsafe function(
      "SSL_CTX_set_alpn_select_cb", as: (@convention(c) (UInt, Choose, UnsafeMutableRawPointer?) -> Void).self)
    unsafe choose(
      context,
      { _, chosen, length, offered, count, _ in
        // The client's list is of names with their lengths in front.
        guard let offered = unsafe offered else { return 3 }
        var index = 0
        while index + 2 < Int(count) {
          let size = unsafe Int(offered[index])
          if size == 2, unsafe offered[index + 1] == UInt8(ascii: "h"), unsafe offered[index + 2] == UInt8(ascii: "2") {
            unsafe chosen?.pointee = offered + index + 1
            unsafe length?.pointee = 2
            return 0
          }
          index += size + 1
        }
        return 3
      }, nil)
  }

  @unsafe private static func function<Function>(_ name: String, in handle: UInt, as type: Function.Type) -> Function {
    guard let found = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: handle), name) else {
      preconditionFailure("libssl has no `\(name)`")
    }
    return unsafe unsafeBitCast(found, to: type)
  }

  @unsafe private func function<Function>(_ name: String, as type: Function.Type) -> Function {
    unsafe Self.function(name, in: handle, as: type)
  }

  /// 0 where the handshake fails.
  func session(on socket: Int32) -> UInt {
    let session = unsafe function("SSL_new", as: OneToOne.self)(context)
    unsafe _ = function("SSL_set_fd", as: (@convention(c) (UInt, CInt) -> CInt).self)(session, socket)
    if unsafe function("SSL_accept", as: (@convention(c) (UInt) -> CInt).self)(session) == 1 { return session }
    free(session)
    return 0
  }

  func read(_ session: UInt, _ buffer: inout [UInt8]) -> Int {
    unsafe Int(function("SSL_read", as: Transfer.self)(session, &buffer, CInt(buffer.count)))
  }

  func write(_ session: UInt, _ bytes: inout [UInt8]) -> Int {
    unsafe Int(function("SSL_write", as: Transfer.self)(session, &bytes, CInt(bytes.count)))
  }

  func free(_ session: UInt) {
    if session != 0 { unsafe function("SSL_free", as: (@convention(c) (UInt) -> Void).self)(session) }
  }
}
