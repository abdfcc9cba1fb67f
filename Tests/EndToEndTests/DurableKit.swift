import FoundationEssentials
import Glibc
import Synchronization
import TestKit
import Testing

/// A folder with a server that does with each path what a test says, and whose arrivals a test can wait for.
final class Scene: Sendable {
  /// What becomes of a request.
  enum Reply: Sendable {
    case answer(String)
    /// Nothing comes; the connection stays open.
    case hold
    /// The connection ends without an answer.
    case close
    case reset
    /// The beginning of an answer, after which the connection stays open.
    case begin(String)
    /// The beginning of an answer, after which the connection ends.
    case tear(String)

    static let fine = Reply.answer(TestText.fine)
  }

  private final class Script: Sendable {
    let replies = Mutex<[String: [Reply]]>([:])
    let listener = Mutex<AsyncStream<String>.Continuation?>(nil)

    /// The last one of a path stays.
    func next(_ path: String) -> Reply {
      replies.withLock { replies in
        guard let list = replies[path], let first = list.first else { return path.contains("/oauth/token") ? .answer(tokenAnswer) : .fine }
        if list.count > 1 { replies[path] = Array(list.dropFirst()) }
        return first
      }
    }
  }

  let workspace: Workspace
  let server: RawServer
  private let script = Script()

  init() throws {
    workspace = try Workspace()
    let script = script
    server = try RawServer { connection in
      while let request = connection.readRequest() {
        let path = request.path
        let reply = script.next(path)
        // What has begun is there before anybody hears of it.
        if case .begin(let text) = reply { connection.send(text) }
        script.listener.withLock { _ = $0?.yield(path) }
        switch reply {
        case .answer(let text): connection.send(text)
        case .hold, .begin: return connection.waitForClose()
        case .close: return
        case .reset: return connection.reset()
        case .tear(let text):
          connection.send(text)
          return
        }
      }
    }
  }

  var origin: String { server.origin }

  /// What comes of requests to a path: one after the other, and the last one from then on.
  func reply(_ path: String, _ replies: Reply...) { script.replies.withLock { $0[path] = replies } }

  func count(_ path: String) -> Int { server.received.count { $0.path == path } }

  func bodies(_ path: String) -> [String] {
    server.received.filter { $0.path == path }.map { String(decoding: $0.body, as: UTF8.self) }
  }

  /// Writes `a.flow.yaml`; `ORIGIN` is this server's. A flow without connections gets one.
  func flow(_ text: String, _ name: String = "a.flow.yaml") throws {
    let connections = text.contains("connections:") ? "" : "connections: { api: { system: http, base_url: \"\(origin)\" } }\n"
    try workspace.write(name, connections + text.replacing("ORIGIN", with: origin))
  }

  func baton(_ arguments: String..., environment: [String: String] = [:]) async throws -> Ended {
    try await workspace.seated(arguments, environment: environment)
  }

  /// Starts a command; the stream has the path of each request that comes, and ends with the process.
  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> (BatonProcess, arrivals: AsyncStream<String>) {
    let (arrivals, arrival) = AsyncStream<String>.makeStream()
    script.listener.withLock { $0 = arrival }
    return (try workspace.start(arguments, environment: environment, whenEnded: { arrival.finish() }), arrivals)
  }

  /// Starts a command, and signals it as soon as a request to `path` has come.
  func baton(_ arguments: String..., signalled signal: Int32, at path: String, environment: [String: String] = [:]) async throws -> Ended {
    try await baton(arguments, signalled: signal, at: path, environment: environment)
  }

  func baton(_ arguments: [String], signalled signal: Int32, at path: String, environment: [String: String] = [:]) async throws -> Ended {
    let (process, arrivals) = try start(arguments, environment: environment)
    for await arrived in arrivals where arrived == path { break }
    process.signal(signal)
    return try await process.end()
  }

  /// The id of the only run, or of the latest.
  func run(environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    let list = try JSONValue(try await workspace.seated(["runs", "--json"], environment: environment).stdout)
    return try #require(list["runs"]?.items.first?["run"]?.text, "no run is listed", sourceLocation: sourceLocation)
  }

  /// What `show --json` says of a run.
  func story(_ run: String) async throws -> JSONValue { try JSONValue(try await baton("show", run, "--json").stdout) }
}

/// The right to run: few of these tests do so at once, so that what one of them starts is not kept waiting by the others.
final class Seat: Sendable {
  private static let count = 3
  private static let state = Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>((count, []))

  private init() {}

  /// Given back when the test's suite is gone.
  static func take() async -> Seat {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    return Seat()
  }

  deinit {
    let next = Self.state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}

extension Workspace {
  /// Runs a command to its end, at once: for a test that has a seat.
  func seated(_ arguments: [String], environment: [String: String] = [:]) async throws -> Ended {
    try await start(arguments, environment: environment).end()
  }
}

/// Texts of several tests.
enum TestText {
  static let fine = answer("200 OK", #"{"id": "42"}"#)

  /// A flow that triggers an emergency; more steps may follow.
  static let emergency = """
    connections:
      rapidsos: { base_url: "ORIGIN", client_id: an-id, client_secret: a-secret-of-the-test }
    steps:
      - id: fire
        uses: rapidsos/trigger-call-flow
        dedupe_key: incident-1
        with:
          call_flow: kronos_contacts
          variables:
            location: { latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }
            user: { full_name: Dana Reyes, phone_number: (234) 567-8888 }
            company: Baton

    """
}

extension RawRequest {
  /// Without its query.
  var path: String {
    let target = line.split(separator: " ").dropFirst().first ?? ""
    return String(target.prefix { $0 != "?" })
  }
}

/// A `baton sandbox` that stays, and a server in front of it that sees every request.
final class StandingSandbox: Sendable {
  enum Moment: Hashable, Sendable { case before, after }

  private final class Script: Sendable {
    /// The request of which the client hears nothing: its number, and whether the sandbox gets it.
    let held = Mutex<(number: Int, moment: Moment)?>(nil)
    let count = Mutex(0)
    let arrival = Mutex<AsyncStream<Void>.Continuation?>(nil)
  }

  let front: RawServer
  let port: UInt16
  private let process: BatonProcess
  private let script = Script()

  static func start(in workspace: Workspace) async throws -> StandingSandbox {
    let process = try workspace.start(["sandbox", "--port", "0"])
    let shown = await process.output(containing: "Ctrl-C")
    let address = try #require(shown.firstMatch(of: /sandbox on http:\/\/127\.0\.0\.1:(\d+)\n/), "\(shown)")
    return try StandingSandbox(process, port: try #require(UInt16(address.1)))
  }

  private init(_ process: BatonProcess, port: UInt16) throws {
    self.process = process
    self.port = port
    let script = script
    front = try RawServer { connection in
      while let request = connection.readRequest() {
        let number = script.count.withLock { count in
          count += 1
          return count
        }
        let held = script.held.withLock { $0.flatMap { $0.number == number ? $0.moment : nil } }
        let reply = held == .before ? [] : (try? exchange(request.lines, request.body, port: port)) ?? []
        if held != nil {
          script.arrival.withLock { _ = $0?.yield() }
          return connection.waitForClose()
        }
        guard connection.send(reply) else { return }
      }
    }
  }

  /// Runs a command until its request of this number is there, and kills it.
  func kill(_ workspace: Workspace, _ arguments: [String], atRequest number: Int, _ moment: Moment, environment: [String: String])
    async throws -> Ended
  {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    script.arrival.withLock { $0 = arrival }
    script.held.withLock { $0 = (number, moment) }
    defer { script.held.withLock { $0 = nil } }
    let process = try workspace.start(arguments, environment: environment, whenEnded: { arrival.finish() })
    for await _ in arrivals { break }
    process.signal(SIGKILL)
    return try await process.end()
  }

  /// What the sandbox has received, as its own log says: `METHOD /path` of each.
  func log() throws -> [String] {
    let reply = String(decoding: try exchange(["GET /_sandbox/requests HTTP/1.1", "Host: sandbox"], port: port), as: UTF8.self)
    let body = try #require(reply.firstRange(of: "\r\n\r\n").map { String(reply[$0.upperBound...]) })
    return try JSONValue(body).items.map { "\($0["method"]?.text ?? "?") \($0["path"]?.text ?? "?")" }
  }

  deinit { process.signal(SIGKILL) }
}

/// Sends a request to a port of 127.0.0.1 and reads the answer up to the end of the connection.
func exchange(_ head: [String], _ body: [UInt8] = [], port: UInt16) throws -> [UInt8] {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) == 0 }
  }
  guard isConnected else { throw SystemError() }
  let lines = head.filter { !$0.lowercased().hasPrefix("connection:") } + ["Connection: close", "", ""]
  let bytes = Array(lines.joined(separator: "\r\n").utf8) + body
  guard unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw SystemError() }
  var reply: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return reply }
    reply += buffer[..<count]
  }
}
