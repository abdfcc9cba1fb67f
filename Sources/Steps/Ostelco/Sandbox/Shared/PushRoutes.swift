import HTTPTypes
import SandboxKit
import Values

/// Where the app registers for push messages; the generations write the path differently.
enum PushRoutes<State: OperatorState> {
  static func all(at path: String) -> [SandboxRoute<State>] { [SandboxRoute(.post, path, register)] }

  /// One entry for each application id; a repeat replaces it.
  @Sendable private static func register(
    _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
  ) throws(SandboxReply) -> SandboxReply {
    let id = try state.customer(of: call.request, at: world.now, for: .pushToken)
    let members = try call.request.jsonMembers()
    var texts: [String] = []
    for name in ["token", "applicationID", "tokenType"] {
      switch members[name] {
      case .string(let text) where !text.isEmpty: texts.append(text)
      case nil, .null, .string:
        throw OperatorRules.refusal(OperatorTask("FAILED_TO_STORE_APPLICATION_TOKEN", "Incomplete ApplicationToken"), 400)
      default: throw OperatorRules.unreadable
      }
    }
    state.shop.accounts[id]?.pushTokens.removeAll { $0.applicationID == texts[1] }
    state.shop.accounts[id]?.pushTokens.append((texts[1], texts[0], texts[2]))
    return .json(["token": .string(texts[0]), "applicationID": .string(texts[1]), "tokenType": .string(texts[2])], status: 201)
  }
}

extension Shop {
  /// Puts a push message into the outbox for each installation of a customer that has a token of FCM.
  func push(to id: String, title: String, text: String, data: Value, world: inout SandboxWorld) {
    for entry in account(id).pushTokens where entry.type == "FCM" {
      let number = world.nextID(of: "operator.push")
      var body = ValueMap()
      body["aps"] = ["alert": ["title": .string(title), "body": .string(text)]]
      for (key, value) in data.mapValue ?? ValueMap() { body[key] = value }
      body["gcm.message_id"] = .string("0:\(number)")
      world.post(SandboxMessage(.push, to: entry.token, subject: title, text: text, body: .map(body)))
    }
  }
}
