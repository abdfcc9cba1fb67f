import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Synchronization
import Values

/// Performs attempts: gives each handler its ports, and notes every request.
final class AttemptPerformer: Sendable {
  private let world: RunWorld
  private let feed: RunFeed
  private let scopes = Mutex<[ScopeID: ScopePorts]>([:])

  /// What steps of a scope go over.
  private struct ScopePorts: Sendable {
    /// In the order of its flow's plan.
    let connections: [Connection]
    let budget: RequestBudget
  }

  /// A connection of the run: where it leads, and who is signed in on it.
  private struct Connection: Sendable {
    let endpoint: Result<ConnectionEndpoint, StepFailure>
    let session: ConnectionSession
    let settings: ValueMap
    /// The token that plain requests carry without saying so: the only one that there is.
    let onlyToken: TokenClass?
  }

  init(_ prepared: PreparedRun, _ world: RunWorld, feed: RunFeed) {
    self.world = world
    self.feed = feed
    let budget = RequestBudget(prepared.plan.budget.requests, of: "the run", within: nil)
    let own = zip(prepared.plan.connections, prepared.settings).map { connection($0, $1, budget) }
    scopes.withLock { $0[.run] = ScopePorts(connections: own, budget: budget) }
  }

  /// Makes the connections of a scope, those aside that its parent lends.
  func open(_ id: ScopeID, _ order: ScopeOrder) {
    scopes.withLock { scopes in
      let lender = scopes[order.parent]
      let outer = lender?.budget
      let own = order.isOfCall ? nil : outer
      let budget = own ?? RequestBudget(order.plan.budget.requests, of: "`\(order.plan.name)`", within: outer)
      let connections = order.plan.connections.indices.map { index in
        let source = order.connections.indices.contains(index) ? order.connections[index] : .own
        if case .lent(let theirs) = source, let lent = lender?.connections, lent.indices.contains(theirs) { return lent[theirs] }
        // Somebody else on the same connection keeps its pace.
        let shared = order.isOfCall ? nil : lender?.connections[index].endpoint
        return connection(order.plan.connections[index], order.settings[index], budget, separatedFrom: shared)
      }
      scopes[id] = ScopePorts(connections: connections, budget: budget)
    }
  }

  func close(_ id: ScopeID) { scopes.withLock { $0[id] = nil } }

  /// The session of an earlier process goes on.
  func recall(_ session: PastSession, _ id: ScopeID, connection: Int) {
    scopes.withLock { scopes in
      guard let connections = scopes[id]?.connections, connections.indices.contains(connection) else { return }
      connections[connection].session.recall(session)
    }
  }

  private func connection(
    _ plan: ConnectionPlan, _ settings: ValueMap, _ budget: RequestBudget,
    separatedFrom shared: Result<ConnectionEndpoint, StepFailure>? = nil
  ) -> Connection {
    let endpoint =
      shared.map { $0.map { $0.separated() } } ?? Result { () throws(StepFailure) in try plan.system.endpoint(settings) }
    // Fetching a token serves whoever waits for it, so that its requests are the connection's and no step's.
    let hooks = HTTPHooks(
      allows: world.allows, admit: budget.admit,
      observe: { [feed] event in
        if let report = RequestReport(event, sentBy: plan.alias) { feed.post(.request(report, of: nil)) }
      }, hide: world.hide)
    let http = ConnectedHTTP(
      endpoint: (try? endpoint.get()) ?? ConnectionEndpoint(), session: NoSession(), transport: world.transport, clock: world.clock,
      hooks: hooks)
    // Whoever is signed in beside others is so for a while, and leaves the one in the store alone.
    let isKept = shared == nil && settings.keepsTokens
    let classes = plan.system.tokens?.classes(settings) ?? []
    return Connection(
      endpoint: endpoint,
      session: ConnectionSession(
        issuer: plan.system.tokens, settings: settings, http: http, clock: world.clock, credentials: plan.system.credentials(settings),
        waysIn: { plan.system.waysIn }, activity: world.activity,
        store: isKept ? world.sessionStores.store(system: plan.system.name, settings: settings) : nil,
        memory: (try? endpoint.get())?.memory, hide: world.hide),
      settings: settings, onlyToken: classes.count == 1 ? classes[0] : nil)
  }

  /// Nil where it is done.
  func perform(_ effect: WorldEffect) async -> StepFailure? {
    do throws(StepFailure) {
      switch effect {
      case .saveFile(let path, let reply, let flow): try await reply.keepBody(as: path, in: world.files.beside(flow))
      case .saveState(let state): try await world.saveState(state)
      case .settle(let name, let isDelivered): try await world.triggers.settle(name, delivered: isDelivered)
      }
      return nil
    } catch {
      return error
    }
  }

  func perform(_ order: AttemptOrder) async -> AttemptOutcome {
    let log = AttemptLog()
    let trigger = order.handler.step.about.isEmergency ? TriggerWatch(order, world.triggers) : nil
    let start = world.clock.elapsed()
    var result: Result<ValueMap, StepFailure>
    do throws(StepFailure) {
      result = .success(try await order.handler.step.run(order.with, ports(order, log, trigger)))
    } catch {
      let failure = log.corrected(error)
      result = .failure(Task.isCancelled && failure.sent == .no ? .cancelled : failure)
    }
    if let trigger { result = await trigger.concluded(result, answer: log.response) }
    return AttemptOutcome(
      result: result, response: log.response, duration: world.clock.elapsed() - start, isReplayed: trigger?.isReplayed ?? false)
  }

  private func ports(_ order: AttemptOrder, _ log: AttemptLog, _ trigger: TriggerWatch?) throws(StepFailure) -> Ports {
    let handler = order.handler
    let about = handler.step.about
    let scope = scopes.withLock { $0[order.scope] }
    let connection = handler.connection.flatMap { scope?.connections[$0] }
    let http = ConnectedHTTP(
      endpoint: try connection?.endpoint.get() ?? ConnectionEndpoint(), session: connection?.session ?? NoSession(),
      transport: world.transport, clock: world.clock, effect: handler.effect,
      token: handler.isPlainHTTP ? connection?.onlyToken ?? about.token : about.token,
      staysHere: about.isEmergency && !world.triggers.mayGoLive,
      limits: HTTPLimits(attemptTimeout: handler.attemptTimeout), hooks: hooks(order, log, scope?.budget, trigger))
    return Ports(
      http: http, clock: world.clock, random: world.random, prompt: world.prompt, session: connection?.session ?? NoSession(),
      settings: connection?.settings ?? ValueMap(), files: world.files.beside(order.step.place.file.path), processes: world.processes,
      sockets: ConnectedWebSocket(http, transport: world.sockets),
      savesBody: order.savesBody,
      log: { [feed] text in feed.post(.log(order.step, text: text)) }, stepID: order.step.id,
      attemptTimeout: handler.attemptTimeout)
  }

  private func hooks(_ order: AttemptOrder, _ log: AttemptLog, _ budget: RequestBudget?, _ trigger: TriggerWatch?) -> HTTPHooks {
    var hooks = HTTPHooks(
      allows: world.allows,
      admit: { (exchange: HTTPExchange) async throws(StepFailure) in
        try budget?.admit(exchange)
        if exchange.effect == .once { try await trigger?.admit(exchange) }
      },
      observe: { [feed] event in
        log.note(event)
        if let report = RequestReport(event, sentBy: order.step.id) { feed.post(.request(report, of: order.activation)) }
      }, hide: world.hide)
    if let trigger {
      hooks.beforeFirstByte = { _ in trigger.maySend() }
    } else {
      // An emergency's route is for its own step.
      hooks.allows = { [world] method, address in world.reserves(method, address) ?? world.allows(method, address) }
    }
    return hooks
  }
}

extension RequestReport {
  /// Nil for a request that has just begun.
  fileprivate init?(_ event: HTTPEvent, sentBy sender: String) {
    switch event {
    case .sending: return nil
    case .replied(let exchange, let reply, _):
      self.init(
        stepID: sender, method: exchange.method, url: exchange.url, status: reply.status, sent: Sent.yes.rawValue, duration: reply.duration)
    case .failed(let exchange, let failure, let duration):
      self.init(
        stepID: sender, method: exchange.method, url: exchange.url, status: failure.answer?.status, sent: failure.sent.rawValue,
        duration: duration, failure: failure.code)
    }
  }
}

/// The session of a step that has no connection: nobody is signed in.
private struct NoSession: SessionPort {
  func token(_ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw refusal }
  func signIn(_ grant: TokenGrant, over http: (any HTTPPort)?) async throws(StepFailure) -> Token { throw refusal }
  func replacement(for rejected: Token, _ tokenClass: TokenClass) async throws(StepFailure) -> Token { throw refusal }
  func forget(_ tokenClass: TokenClass) async {}
  var classes: [TokenClass] { [] }

  private var refusal: StepFailure {
    StepFailure("config.connection", title: "this step has no connection, and so no token")
  }
}
