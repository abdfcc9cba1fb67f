import Glibc

/// A TCP connection to a local port that shows what HTTP libraries hide: which bytes came, and how it ended.
struct RawClient: ~Copyable {
  enum Ending: Equatable { case closed, reset }

  struct Failure: Error { let call: String }

  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(call: "socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let descriptor = descriptor
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { throw Failure(call: "connect") }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure(call: "send")
    }
  }

  func get(_ path: String, _ headers: String = "") throws { try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n") }

  /// Everything up to the end of the connection.
  func readAll() async throws -> (text: String, ending: Ending) {
    var text: [UInt8] = []
    while true {
      switch try await portion() {
      case .success(let bytes): text += bytes
      case .failure(let end): return (String(decoding: text, as: UTF8.self), end.ending)
      }
    }
  }

  /// What has come as soon as it ends with a text.
  func read(until suffix: String) async throws -> String {
    var text = ""
    while !text.hasSuffix(suffix) {
      switch try await portion() {
      case .success(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .failure: return text
      }
    }
    return text
  }

  private struct End: Error { let ending: Ending }

  private func portion() async throws -> Result<[UInt8], End> {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { return .success(Array(buffer[..<count])) }
      if count == 0 { return .failure(End(ending: .closed)) }
      if errno == ECONNRESET { return .failure(End(ending: .reset)) }
      guard errno == EAGAIN else { throw Failure(call: "recv") }
      // Gives the thread back between short waits for data; the server needs it too.
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&wait, 1, 1)
      await Task.yield()
    }
  }
}
