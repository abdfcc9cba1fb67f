import FlowEvents
import FlowPlan
import StepKit
import Synchronization
import Values

/// Performs attempts: gives each handler its ports, and notes every request.
final class AttemptPerformer: Sendable {
  private let world: RunWorld
  private let budget: Int?
  private let admitted = Mutex(0)
  private let connections: [Connection]

  /// A connection of the run: where it leads, and who is signed in on it.
  private struct Connection {
    let endpoint: Result<ConnectionEndpoint, StepFailure>
    let session: ConnectionSession
    let settings: ValueMap
  }

  init(_ prepared: PreparedRun, _ world: RunWorld) {
    self.world = world
    budget = prepared.plan.budget.requests
    connections = zip(prepared.plan.connections, prepared.settings).map { plan, settings in
      let endpoint = Result { () throws(StepFailure) in try plan.system.endpoint(settings) }
      let http = ConnectedHTTP(
        endpoint: (try? endpoint.get()) ?? ConnectionEndpoint(), session: NoSession(), transport: world.transport, clock: world.clock,
        hooks: HTTPHooks(allows: world.allows))
      return Connection(
        endpoint: endpoint,
        session: ConnectionSession(issuer: plan.system.tokens, settings: settings, http: http, clock: world.clock), settings: settings)
    }
  }

  func perform(_ order: AttemptOrder) async -> AttemptOutcome {
    let log = AttemptLog()
    let start = world.clock.elapsed()
    let result: Result<ValueMap, StepFailure>
    do throws(StepFailure) {
      result = .success(try await order.handler.step.run(order.with, ports(order, log)))
    } catch {
      result = .failure(Task.isCancelled && error.code != "cancelled" && error.sent == .no ? .cancelled : error)
    }
    return AttemptOutcome(
      result: result, response: log.response, requests: log.requests, duration: world.clock.elapsed() - start)
  }

  private func ports(_ order: AttemptOrder, _ log: AttemptLog) throws(StepFailure) -> Ports {
    let handler = order.handler
    let about = handler.step.about
    let connection = handler.connection.map { connections[$0] }
    let http = ConnectedHTTP(
      endpoint: try connection?.endpoint.get() ?? ConnectionEndpoint(), session: connection?.session ?? NoSession(),
      transport: world.transport, clock: world.clock, effect: handler.effect, token: about.token, isEmergency: about.isEmergency,
      limits: HTTPLimits(attemptTimeout: handler.attemptTimeout), hooks: hooks(order, log))
    return Ports(
      http: http, clock: world.clock, random: world.random, prompt: world.prompt, session: connection?.session ?? NoSession(),
      settings: connection?.settings ?? ValueMap(),
      log: { [world] text in world.observe(.log(step: order.step, text: text)) }, stepID: order.step.id)
  }

  private func hooks(_ order: AttemptOrder, _ log: AttemptLog) -> HTTPHooks {
    HTTPHooks(
      allows: world.allows,
      admit: { [self] (_: HTTPExchange) async throws(StepFailure) in try admit() },
      observe: { [world] event in
        if let report = log.note(event, stepID: order.step.id) { world.observe(.request(report)) }
      })
  }

  private func admit() throws(StepFailure) {
    guard let budget else { return }
    let count = admitted.withLock { count in
      count += 1
      return count
    }
    if count > budget { throw StepFailure("budget.requests", title: "the run may send \(budget) requests and no more") }
  }
}

/// What one attempt sent, and the last whole answer.
private final class AttemptLog: Sendable {
  private let state = Mutex<(requests: [RequestReport], response: HTTPReply?)>(([], nil))

  var requests: [RequestReport] { state.withLock { $0.requests } }
  var response: HTTPReply? { state.withLock { $0.response } }

  /// The report of a request that is over; nil for one that has just begun.
  func note(_ event: HTTPEvent, stepID: String) -> RequestReport? {
    switch event {
    case .sending: return nil
    case .replied(let exchange, let reply, _):
      let report = RequestReport(
        stepID: stepID, method: exchange.method, url: exchange.url, status: reply.status, sent: Sent.yes.rawValue, duration: reply.duration)
      state.withLock {
        $0.requests.append(report)
        $0.response = reply
      }
      return report
    case .failed(let exchange, let failure, let duration):
      let report = RequestReport(
        stepID: stepID, method: exchange.method, url: exchange.url, status: failure.answer?.status, sent: failure.sent.rawValue,
        duration: duration, failure: failure.code)
      state.withLock { $0.requests.append(report) }
      return report
    }
  }
}

/// The session of a step that has no connection: nobody is signed in.
private struct NoSession: SessionPort {
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw refusal }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw refusal }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw refusal }
  func forget(_ tokenClass: TokenClass) async {}

  private var refusal: StepFailure {
    StepFailure("config.connection", title: "this step has no connection, and so no token")
  }
}
