import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  /// Whose token a call carries.
  enum Principal: Sendable {
    case user(uid: String, aid: String)
    case app(aid: String)
    case device(did: String, uid: String)

    enum Kind: Sendable { case user, app, device }

    var kind: Kind {
      switch self {
      case .user: .user
      case .app: .app
      case .device: .device
      }
    }

    /// The application; a device's token belongs to none.
    var aid: String? {
      switch self {
      case .user(_, let aid), .app(let aid): aid
      case .device: nil
      }
    }

    /// The user whose data it may see; an application sees those of all.
    var uid: String? {
      switch self {
      case .user(let uid, _), .device(_, let uid): uid
      case .app: nil
      }
    }

    /// - Throws: 403 for somebody else's data.
    func check(owner uid: String) throws(SandboxReply) {
      if let own = self.uid, own != uid { throw Refusal.forbidden("users") }
    }

    /// - Throws: 403 for another device than the token's, or another user's.
    func check(_ device: Device) throws(SandboxReply) {
      if case .device(let did, _) = self, did != device.id { throw Refusal.forbidden("devices") }
      if let uid, uid != device.uid { throw Refusal.forbidden("devices") }
    }
  }

  /// A call that has passed the gate.
  struct Call: Sendable {
    let request: SandboxRequest
    let principal: Principal
    private let call: SandboxCall

    init(_ call: SandboxCall, _ principal: Principal) {
      self.call = call
      self.principal = principal
      request = call.request
    }

    subscript(_ name: String) -> String { call[name] }
  }

  typealias Handler =
    @Sendable (_ call: Call, _ state: inout State, _ world: inout SandboxWorld) throws(SandboxReply) -> SandboxReply

  /// A route of the API: its token is read and its calls are counted before the handler sees them, and every answer tells what
  /// is left of them.
  static func route(
    _ method: HTTPRequest.Method, _ path: String, _ kinds: Set<Principal.Kind> = [.user], _ handler: @escaping Handler
  ) -> SandboxRoute<State> {
    let budget: CallLimits.Budget = method == .post && path == "/messages" ? .messages : .others
    return SandboxRoute(method, "/v1.1\(path)") { call, state, world throws(SandboxReply) in
      state.takeDue(&world)
      let principal = try state.principal(of: call.request, at: world.now, readsBody: budget == .messages)
      let isOver = state.limits.count(principal, budget, at: world.now, state.switches)
      var reply: SandboxReply
      do throws(SandboxReply) {
        if let isOver { throw isOver }
        guard kinds.contains(principal.kind) else { throw Refusal.forbidden("this token is of the wrong type") }
        reply = try handler(Call(call, principal), &state, &world)
      } catch {
        reply = error
      }
      state.limits.describe(principal, budget, at: world.now, state.switches, in: &reply.headers)
      return reply
    }
  }
}

extension SAMISandbox.State {
  /// - Throws: 401 for no token, one that has ended, and one that nobody knows.
  func principal(of request: SandboxRequest, at now: Timestamp, readsBody: Bool = false) throws(SandboxReply) -> SAMISandbox.Principal {
    var text = request.bearerToken
    // A message may carry its device's token itself.
    if text == nil, readsBody { text = request.json?["token"]?.stringValue }
    guard let text, let principal = principal(ofToken: text, at: now) else { throw SAMISandbox.Refusal.unauthorized }
    return principal
  }

  /// Nil for a token that is not good.
  func principal(ofToken text: String, at now: Timestamp) -> SAMISandbox.Principal? {
    if let entry = deviceTokens.first(where: { $0.value == text }), let device = device(entry.key) {
      return .device(did: device.id, uid: device.uid)
    }
    guard case .valid(let entry) = tokens.access(text, at: now) else { return nil }
    return entry.kind == "app" ? .app(aid: entry.client) : .user(uid: entry.subject, aid: entry.client)
  }
}
