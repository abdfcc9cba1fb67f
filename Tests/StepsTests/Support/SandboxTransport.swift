import HTTPTypes
import SandboxKit
import StepKit
import Synchronization
import Values

/// A transport without sockets: asks a sandbox in this process.
struct SandboxTransport: HTTPTransporting {
  static let origin = "http://127.0.0.1:1"
  let sandbox: Sandbox

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    guard request.url.hasPrefix(Self.origin) else {
      throw TransportFailure(.connect, sent: .no, message: "nothing listens at \(request.url)")
    }
    let target = String(request.url.dropFirst(Self.origin.count))
    let outcome = sandbox.answer(SandboxRequest(request.method, target: target, headers: request.headers, body: request.body ?? []))
    guard outcome.delay <= request.timeout else { throw TransportFailure(.timeout, sent: .maybe, message: "no whole answer in time") }
    switch outcome.ending {
    case .whole: break
    case .beforeResponse, .midBody, .reset: throw TransportFailure(.reset, sent: .maybe, message: "the connection ended")
    }
    return TransportReply(status: outcome.reply.status, headers: outcome.reply.headers, body: outcome.reply.body, url: request.url)
  }
}

/// A transport that answers what it is told, in order, and keeps what it was asked.
final class ScriptedTransport: HTTPTransporting {
  private let state: Mutex<(asked: [TransportRequest], answers: [Result<TransportReply, TransportFailure>])>

  init(_ answers: [Result<TransportReply, TransportFailure>]) { state = Mutex(([], answers)) }

  var asked: [TransportRequest] { state.withLock { $0.asked } }

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    let answer = state.withLock { state in
      state.asked.append(request)
      return state.answers.isEmpty
        ? .failure(TransportFailure(.system, sent: .no, message: "the script is over")) : state.answers.removeFirst()
    }
    return try answer.get()
  }
}

extension Result where Success == TransportReply, Failure == TransportFailure {
  static func json(_ status: Int, _ body: String, _ headers: HTTPFields = [:]) -> Self {
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    return .success(TransportReply(status: status, headers: headers, body: Array(body.utf8), url: "http://api.test/"))
  }

  static func text(_ status: Int, _ body: String = "", _ headers: HTTPFields = [:]) -> Self {
    .success(TransportReply(status: status, headers: headers, body: Array(body.utf8), url: "http://api.test/"))
  }
}
