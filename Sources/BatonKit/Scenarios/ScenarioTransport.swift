import FlowPlan
import HTTPTypes
import SandboxKit
import StepKit
import Values
import WebSocketTransport

/// Carries the requests of one case. Those of systems, and all plain HTTP of a case with `routes`, are answered by its
/// sandbox in this process, without sockets and on the case's clock; other plain HTTP goes to its host.
struct ScenarioTransport: HTTPTransporting {
  let sandbox: Sandbox
  let clock: any ClockPort
  /// Those of the case. Where there are any, all plain HTTP is answered by them.
  let routes: [RoutePattern]
  /// Carries what goes to a real host.
  let real: any HTTPTransporting
  let log: ScenarioLog
  /// Where the runner dies, and what ends it; nil for a run that lives.
  var killing: (kills: ScenarioKills, end: @Sendable () -> Void)?
  /// Told what of an open WebSocket is under way, where the case's clock listens.
  var activity: any ActivityPort = NoActivity()
  /// Opens WebSockets to real hosts.
  var realSockets: any WebSocketTransporting = NIOWebSocketTransport()

  func perform(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    guard let address = try? WebAddress(request.url) else {
      throw TransportFailure(.invalidRequest, sent: .no, message: "`\(request.url)` is no URL")
    }
    try mayBegin()
    // What a case states wins over the sandbox that stands at the same address.
    if address.isOfSandbox, !isRouted(request, address) { return try await ask(request, address, prefix: "") }
    if !routes.isEmpty { return try await ask(request, address, prefix: "/\(PlainHosts.name)") }
    return try await pass(request, address)
  }

  func mayBegin() throws(TransportFailure) {
    if Task.isCancelled { throw TransportFailure(.cancelled, sent: .no, message: "cancelled before it was sent") }
    guard log.count < Self.maximumRequests else {
      throw TransportFailure(
        .refusedByCaller, sent: .no,
        message: "this run has sent \(Self.maximumRequests) requests, more than a case may; look for a poll or a loop without a pause")
    }
  }

  /// On a virtual clock a poll without a pause never comes to its time-out.
  private static let maximumRequests = 20_000

  func isRouted(_ request: TransportRequest, _ address: WebAddress) -> Bool {
    guard !routes.isEmpty else { return false }
    let path = PathPattern.segments(of: address.path)
    return routes.contains { $0.method == request.method && $0.path.values(in: path) != nil }
  }

  // MARK: - the sandbox

  private func ask(_ request: TransportRequest, _ address: WebAddress, prefix: String) async throws(TransportFailure) -> TransportReply {
    let asked = asked(request, address, prefix: prefix)
    let kill = killing?.kills.due(asked)
    if kill == .beforeSend { throw die(sent: .no) }
    guard await mayLeave(request) else {
      throw TransportFailure(.refusedByCaller, sent: .no, message: "the request was stopped before it left")
    }
    return try await carry(sandbox.answer(asked), of: request, asked, isKilled: kill != nil)
  }

  /// The request as the sandbox sees it.
  func asked(_ request: TransportRequest, _ address: WebAddress, prefix: String) -> SandboxRequest {
    let target = prefix + address.path + (address.query.map { "?\($0)" } ?? "")
    var asked = SandboxRequest(request.method, target: target, headers: request.headers, body: request.body ?? [])
    asked.authority = "\(address.host):\(address.port)"
    return asked
  }

  /// Logs what the sandbox says, and brings it to the run, unless that is killed first.
  func carry(
    _ outcome: SandboxOutcome, of request: TransportRequest, _ asked: SandboxRequest, isKilled: Bool
  ) async throws(TransportFailure) -> TransportReply {
    if PlainHosts.isUnrouted(outcome.reply), let address = try? WebAddress(request.url) {
      throw TransportFailure(
        .refusedByCaller, sent: .no,
        message: "no route of this case answers `\(request.method.rawValue) \(address.path)` of `\(address.host)`; add it to `routes`")
    }
    let place = log.append(asked, status: outcome.ending == .whole && !isKilled ? outcome.reply.status : nil)
    if isKilled { throw die(sent: .maybe) }
    do throws(TransportFailure) {
      return try await deliver(outcome, of: request)
    } catch {
      log.forgetStatus(of: place)
      throw error
    }
  }

  func die(sent: Sent) -> TransportFailure {
    killing?.end()
    return TransportFailure(.cancelled, sent: sent, message: "the runner was killed")
  }

  /// Only the transfers of `once` may block in their hook, and never on Swift's own threads.
  private func mayLeave(_ request: TransportRequest) async -> Bool {
    guard let willSend = request.willSend else { return true }
    return await withCheckedContinuation { continuation in
      ProcessThread.run { continuation.resume(returning: willSend()) }
    }
  }

  /// The answer as it travels: late, slow, cut or lost.
  private func deliver(_ outcome: SandboxOutcome, of request: TransportRequest) async throws(TransportFailure) -> TransportReply {
    let body = request.method == .head ? [] : outcome.reply.body
    let pace = outcome.bytesPerSecond.map { pace in Duration.nanoseconds(Int64(body.count) * 1_000_000_000 / Int64(pace)) } ?? .zero
    let total = outcome.delay + (outcome.ending == .midBody ? pace / 2 : pace)
    guard total <= request.timeout else {
      try await wait(request.timeout)
      throw TransportFailure(.timeout, sent: .maybe, message: "no whole answer within \(request.timeout)")
    }
    try await wait(total)
    switch outcome.ending {
    case .whole: break
    case .beforeResponse: throw TransportFailure(.reset, sent: .maybe, message: "the connection was closed before the answer")
    case .midBody: throw TransportFailure(.reset, sent: .maybe, message: "the connection was closed in the middle of the answer")
    case .reset: throw TransportFailure(.reset, sent: .maybe, message: "the connection was reset")
    }
    guard body.count <= request.maxBodyBytes else {
      throw TransportFailure(.bodyTooLarge, sent: .maybe, message: "the answer is larger than \(request.maxBodyBytes) bytes")
    }
    var timings = TransferTimings()
    timings.firstByte = outcome.delay
    timings.total = total
    return TransportReply(status: outcome.reply.status, headers: outcome.reply.headers, body: body, url: request.url, timings: timings)
  }

  private func wait(_ duration: Duration) async throws(TransportFailure) {
    guard duration > .zero else { return }
    do throws(CancellationError) {
      try await clock.sleep(for: duration)
    } catch {
      throw TransportFailure(.cancelled, sent: .maybe, message: "cancelled before the answer came")
    }
  }

  // MARK: - real hosts

  private func pass(_ request: TransportRequest, _ address: WebAddress) async throws(TransportFailure) -> TransportReply {
    try await passing(asked(request, address, prefix: "/\(PlainHosts.name)")) { () async throws(TransportFailure) in
      let reply = try await real.perform(request)
      return (reply, reply.status)
    }
  }

  /// Logs what a real host makes of a request.
  func passing<Answer>(
    _ asked: SandboxRequest, _ perform: () async throws(TransportFailure) -> (Answer, status: Int)
  ) async throws(TransportFailure) -> Answer {
    do throws(TransportFailure) {
      let (answer, status) = try await perform()
      _ = log.append(asked, status: status)
      return answer
    } catch {
      if error.sent != .no { _ = log.append(asked, status: nil) }
      throw error
    }
  }
}

extension WebAddress {
  /// Whether it is where `baton sandbox` stands: a case answers for it in this process.
  var isOfSandbox: Bool { "\(scheme)://\(host):\(port)" == LocalSandbox.address }
}

extension ScenarioLog {
  /// - Parameter request: its path starts with the system's name.
  /// - Returns: its position.
  func append(_ request: SandboxRequest, status: Int?) -> Int {
    let segments = request.path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let isOfSystem = segments.count == 2
    return append(
      ScenarioRequest(
        system: isOfSystem ? String(segments[0]) : "", method: request.method.rawValue,
        path: isOfSystem ? "/\(segments[1])" : request.path, content: keepsContent ? request.content : nil, status: status))
  }
}
