import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  struct Subscription: Sendable {
    let id: String
    let aid: String
    let messageType: String
    let uid: String
    var sdid: String?
    var sdtid: String?
    var ddid: String?
    var description: String?
    let callbackURL: String
    let nonce: String
    var isActive = false
    let created: Timestamp
    var modified: Timestamp

    init(id: String, aid: String, messageType: String, uid: String, callbackURL: String, nonce: String, created: Timestamp) {
      self.id = id
      self.aid = aid
      self.messageType = messageType
      self.uid = uid
      self.callbackURL = callbackURL
      self.nonce = nonce
      self.created = created
      modified = created
    }

    var value: Value {
      object([
        ("id", .string(id)), ("aid", .string(aid)), ("messageType", .string(messageType)), ("uid", .string(uid)),
        ("sdid", sdid.map { .string($0) }), ("sdtid", sdtid.map { .string($0) }), ("ddid", ddid.map { .string($0) }),
        ("description", description.map { .string($0) }), ("callbackUrl", .string(callbackURL)),
        ("status", isActive ? "ACTIVE" : "PENDING_CALLBACK_VALIDATION"), ("createdOn", .int(created.milliseconds)),
        ("modifiedOn", .int(modified.milliseconds)),
      ])
    }

    /// What the notification says that was asked for.
    var query: Value {
      object([
        ("uid", .string(uid)), ("sdid", sdid.map { .string($0) }), ("sdtid", sdtid.map { .string($0) }),
        ("ddid", ddid.map { .string($0) }),
      ])
    }

    func wants(_ message: Message) -> Bool {
      guard isActive, uid == message.uid else { return false }
      if message.sdid == nil { return messageType == "action" && ddid == message.ddid }
      return messageType == "message" && (sdid ?? message.sdid) == message.sdid && (sdtid ?? message.sdtid) == message.sdtid
    }
  }

  /// Messages that a subscriber was told of.
  struct Notification: Sendable {
    let id: String
    let aid: String
    let uid: String
    let messages: [Message]
  }

  /// `/subscriptions` and `/notifications`
  enum SubscriptionRoutes {
    private static let callers: Set<Principal.Kind> = [.user, .app]

    static var all: [SandboxRoute<State>] {
      [
        route(.post, "/subscriptions", callers) { call, state, world throws(SandboxReply) in try create(call, &state, &world) },
        route(.get, "/subscriptions", [.app]) { call, state, world throws(SandboxReply) in
          let query = try query(call.request, SAMIPage.fields() + [Field("uid", .text, least: 1)])
          state.forgetUnconfirmed(at: world.now)
          let uid = query["uid"]?.stringValue
          let own = state.subscriptions.filter { $0.aid == call.principal.aid && (uid ?? $0.uid) == $0.uid }
          return .json(SAMIPage(query).reply(own, nil, \.value))
        },
        route(.get, "/subscriptions/{id}", callers) { call, state, world throws(SandboxReply) in
          .json(["data": state.subscriptions[try position(call, &state, at: world.now)].value])
        },
        route(.delete, "/subscriptions/{id}", callers) { call, state, world throws(SandboxReply) in
          .json(["data": state.subscriptions.remove(at: try position(call, &state, at: world.now)).value])
        },
        // Nobody has to prove who they are here.
        SandboxRoute(.post, "/v1.1/subscriptions/{id}/validate") { call, state, world throws(SandboxReply) in
          try validate(call, &state, at: world.now)
        },
        route(.get, "/notifications/{id}/messages", callers) { call, state, _ throws(SandboxReply) in
          let query = try query(call.request, SAMIPage.fields() + [Field("order", .choice(["asc", "desc"]))])
          guard let notification = state.notifications.first(where: { $0.id == call["id"] }) else { throw Refusal.notFound }
          guard notification.aid == call.principal.aid else { throw Refusal.forbidden("notifications") }
          try call.principal.check(owner: notification.uid)
          let messages = query["order"] == "desc" ? notification.messages.reversed() : notification.messages
          let page = SAMIPage(query).of(messages)
          return .json([
            "order": query["order"] ?? "asc", "total": .int(Int64(messages.count)), "offset": query["offset"] ?? 0,
            "count": .int(Int64(page.count)), "data": .list(page.map(\.value)),
          ])
        },
      ]
    }

    static let fields: [Field] = [
      Field("messageType", .choice(["message", "action"]), isRequired: true), .id("uid"), Field("sdtid", .text, least: 1),
      Field("sdid", .text, least: 1), Field("ddid", .text, least: 1), Field("description", .text, most: 256),
      Field("callbackUrl", .https, isRequired: true),
    ]
    static let validationFields: [Field] = [.id("aid"), .id("nonce")]

    private static func create(_ call: Call, _ state: inout State, _ world: inout SandboxWorld) throws(SandboxReply) -> SandboxReply {
      let body = try body(call.request, fields)
      let url = body["callbackUrl"]?.stringValue ?? ""
      let uid = body["uid"]?.stringValue ?? ""
      try state.checkUser(uid, call.principal)
      let isAction = body["messageType"] == "action"
      if isAction, body["ddid"] == nil { throw Refusal.invalid("ddid", "Required parameter") }
      if body["sdid"] != nil, body["sdtid"] != nil { throw Refusal.invalid("sdtid", "Can't be specified with sdid") }
      for name in ["sdid", "ddid"] {
        if let id = body[name]?.stringValue { _ = try state.device(id, for: call.principal) }
      }
      if let sdtid = body["sdtid"]?.stringValue, state.type(sdtid) == nil { throw Refusal.deviceTypeUnknown }
      var subscription = Subscription(
        id: newID("s", of: "subscription", &world) { id in state.subscriptions.contains { $0.id == id } },
        aid: call.principal.aid ?? "", messageType: isAction ? "action" : "message", uid: uid, callbackURL: url,
        nonce: state.switches.nonce ?? world.secret(length: 16), created: world.now)
      subscription.sdid = body["sdid"]?.stringValue
      subscription.sdtid = body["sdtid"]?.stringValue
      subscription.ddid = body["ddid"]?.stringValue
      subscription.description = body["description"]?.stringValue
      state.subscriptions.append(subscription)
      world.post(
        SandboxMessage(
          .webhook, to: url,
          body: [
            "aid": .string(subscription.aid), "subscriptionId": .string(subscription.id), "nonce": .string(subscription.nonce),
          ], code: subscription.nonce))
      return .json(["data": subscription.value])
    }

    private static func validate(_ call: SandboxCall, _ state: inout State, at now: Timestamp) throws(SandboxReply) -> SandboxReply {
      let body = try body(call.request, validationFields)
      state.forgetUnconfirmed(at: now)
      guard let position = state.subscriptions.firstIndex(where: { $0.id == call["id"] }) else { throw Refusal.notFound }
      let known = state.subscriptions[position]
      // Assumed: How a wrong nonce is refused.
      guard body["aid"] == .string(known.aid), body["nonce"] == .string(known.nonce) else { throw Refusal.forbidden("subscriptions") }
      if !known.isActive {
        state.subscriptions[position].isActive = true
        state.subscriptions[position].modified = now
      }
      return .json(["data": state.subscriptions[position].value])
    }

    private static func position(_ call: Call, _ state: inout State, at now: Timestamp) throws(SandboxReply) -> Int {
      state.forgetUnconfirmed(at: now)
      guard let position = state.subscriptions.firstIndex(where: { $0.id == call["id"] }) else { throw Refusal.notFound }
      let subscription = state.subscriptions[position]
      guard subscription.aid == call.principal.aid else { throw Refusal.forbidden("subscriptions") }
      try call.principal.check(owner: subscription.uid)
      return position
    }
  }
}

extension SAMISandbox.State {
  /// One that nobody has confirmed within a day is deleted.
  fileprivate mutating func forgetUnconfirmed(at now: Timestamp) {
    subscriptions.removeAll { !$0.isActive && $0.created.advanced(by: .seconds(86_400)) <= now }
  }

  /// Tells every subscriber of a message at once. SAMI itself gathers those of 30 seconds.
  mutating func notify(of message: SAMISandbox.Message, _ world: inout SandboxWorld) {
    for subscription in subscriptions where subscription.wants(message) {
      let id = "n-\(world.nextID(of: "sami.notification"))"
      notifications.append(.init(id: id, aid: subscription.aid, uid: subscription.uid, messages: [message]))
      world.post(
        SandboxMessage(
          .webhook, to: subscription.callbackURL,
          body: [
            "id": .string(id), "ts": .int(world.now.milliseconds), "type": .string(subscription.messageType),
            "subscriptionId": .string(subscription.id), "subscriptionQuery": subscription.query, "startDate": .int(message.ts),
            "endDate": .int(message.ts),
          ]))
    }
  }
}
