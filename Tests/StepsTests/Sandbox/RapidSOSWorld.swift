import HTTPTypes
import SandboxKit
import Steps
import Synchronization
import Values

/// A sandbox with RapidSOS alone, a clock that tests move, and the requests of a caller.
struct RapidSOSWorld: Sendable {
  let sandbox: Sandbox
  private let clock: MovableClock

  init(given: Value = [:]) throws {
    let clock = MovableClock()
    self.clock = clock
    sandbox = try Sandbox(
      systems: [RapidSOSSandbox()], given: ["rapidsos": given], clock: SandboxClock(now: { clock.now }, sleep: { _ in }))
  }

  func move(_ duration: Duration) { clock.move(duration) }

  // MARK: Requests

  func send(_ method: HTTPRequest.Method, _ path: String, _ body: Value? = nil, token: String? = nil) -> SandboxReply {
    var headers = HTTPFields()
    headers[.authorization] = token.map { "Bearer \($0)" }
    let path = "/rapidsos\(path)"
    let request = body.map { SandboxRequest.json(method, path, $0, headers: headers) } ?? SandboxRequest(method, path, headers: headers)
    return sandbox.answer(request).reply
  }

  func form(_ text: String, basic: String? = nil) -> SandboxReply {
    var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    headers[.authorization] = basic.map { "Basic \($0)" }
    return sandbox.answer(SandboxRequest(.post, "/rapidsos/oauth/token", headers: headers, body: Array(text.utf8))).reply
  }

  func logIn(_ username: String = "dana.reyes", password: String = "correct-horse") -> SandboxReply {
    form("grant_type=password&client_id=cid-1&client_secret=s3cr3t&username=\(username)&password=\(password)")
  }

  func clientToken() -> String {
    form("grant_type=client_credentials&client_id=cid-1&client_secret=s3cr3t").json?["access_token"]?.stringValue ?? ""
  }

  func userToken() -> String { logIn().json?["access_token"]?.stringValue ?? "" }

  func register(_ changes: Value = [:]) -> SandboxReply {
    let known: Value = ["username": "dana.reyes", "password": "correct-horse", "email": "dana@example.test"]
    var body = known.mapValue ?? ValueMap()
    for (key, value) in changes.mapValue ?? ValueMap() { body[key] = value }
    return send(.post, "/v1/rain/user", .map(body), token: clientToken())
  }

  /// Of the newest message to the number.
  func pin(to number: String = "12345678888") -> String { sandbox.sms(to: number).last?.code ?? "" }

  static let user: Value = ["users": [["username": "dana.reyes", "password": "correct-horse"]]]
}

extension SandboxReply {
  /// The status and the body, as a reader compares them with the documentation.
  var text: String { "\(status) \(String(decoding: body, as: UTF8.self))" }
}

/// Stands until it is moved.
final class MovableClock: Sendable {
  private let time = Mutex(Timestamp(seconds: 1_732_179_601, nanoseconds: 50_989_000))

  var now: Timestamp { time.withLock(\.self) }
  func move(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
