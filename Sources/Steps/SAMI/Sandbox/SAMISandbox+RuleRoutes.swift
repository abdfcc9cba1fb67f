import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  struct Rule: Sendable {
    let id: String
    let aid: String
    let uid: String
    var name: String
    var description: String?
    var rule: Value
    var isEnabled: Bool
    let created: Timestamp
    var modified: Timestamp
    var applied: [Int64] = []

    init(id: String, aid: String, uid: String, name: String, description: String?, rule: Value, isEnabled: Bool, created: Timestamp) {
      self.id = id
      self.aid = aid
      self.uid = uid
      self.name = name
      self.description = description
      self.rule = rule
      self.isEnabled = isEnabled
      self.created = created
      modified = created
    }

    var value: Value {
      object([
        ("id", .string(id)), ("aid", .string(aid)), ("uid", .string(uid)), ("name", .string(name)),
        ("description", description.map { .string($0) }), ("rule", rule), ("enabled", .bool(isEnabled)), ("languageVersion", 1),
        ("createdOn", .int(created.milliseconds)), ("modifiedOn", .int(modified.milliseconds)),
      ])
    }

    var actions: [Value] { rule["then"]?.listValue ?? [] }

    /// `{"if": {…}, "then": [{"ddid", "action"}]}`
    var isValid: Bool {
      rule["if"]?.mapValue.map { !$0.isEmpty } ?? false && !actions.isEmpty
        && actions.allSatisfy { $0["ddid"]?.stringValue != nil && $0["action"]?.stringValue != nil }
    }

    /// Whether a message makes it true: every condition is about this message.
    func holds(for message: Message) -> Bool { Self.holds(rule["if"] ?? .null, message) }

    private static func holds(_ condition: Value, _ message: Message) -> Bool {
      if let all = condition["and"]?.listValue { return !all.isEmpty && all.allSatisfy { holds($0, message) } }
      if let some = condition["or"]?.listValue { return some.contains { holds($0, message) } }
      guard condition["sdid"] == message.sdid.map({ .string($0) }) || condition["sdtid"] == message.sdtid.map({ .string($0) }),
        let name = condition["field"]?.stringValue, let value = message.field(name), let operand = condition["operand"]?["value"]
      else { return false }
      let sign = condition["operator"]?.stringValue ?? "="
      return Comparison(rawValue: sign == "==" ? "=" : sign)?.holds(value, operand) ?? false
    }
  }

  /// `/rules`
  enum RuleRoutes {
    private static let callers: Set<Principal.Kind> = [.user, .app]
    static let uid = Field("uid", .text, least: 1)
    static let fields: [Field] = [
      Field("name", .text, isRequired: true, least: 1, most: 64), Field("description", .text, most: 1400),
      Field("rule", .object, isRequired: true), Field("enabled", .flag), uid, Field("id", .text),
    ]

    static var all: [SandboxRoute<State>] {
      [
        route(.get, "/rules", callers) { call, state, _ throws(SandboxReply) in
          let query = try query(call.request, SAMIPage.fields() + [uid])
          let owner = try owner(query, call, state)
          return .json(SAMIPage(query).reply(state.rules.filter { $0.uid == owner && $0.aid == call.principal.aid }, nil, \.value))
        },
        route(.post, "/rules", callers) { call, state, world throws(SandboxReply) in
          let body = try body(call.request, fields)
          let rule = Rule(
            id: newID("r", of: "rule", &world) { id in state.rules.contains { $0.id == id } }, aid: call.principal.aid ?? "",
            uid: try owner(body, call, state),
            name: body["name"]?.stringValue ?? "", description: body["description"]?.stringValue, rule: body["rule"] ?? .null,
            isEnabled: body["enabled"]?.boolValue ?? true, created: world.now)
          try check(rule)
          state.rules.append(rule)
          return .json(["data": rule.value])
        },
        route(.get, "/rules/{id}", callers) { call, state, _ throws(SandboxReply) in
          .json(["data": state.rules[try position(call, state, query(call.request, [uid]))].value])
        },
        route(.put, "/rules/{id}", callers) { call, state, world throws(SandboxReply) in
          let body = try body(call.request, fields)
          let position = try position(call, state, body)
          if let id = body["id"]?.stringValue, id != call["id"] {
            throw Refusal.invalid("id", "The rule identifier \"\(id)\" does not match with the URL parameter \"\(call["id"])\"")
          }
          var rule = state.rules[position]
          rule.name = body["name"]?.stringValue ?? rule.name
          rule.description = body["description"]?.stringValue
          rule.rule = body["rule"] ?? .null
          rule.isEnabled = body["enabled"]?.boolValue ?? true
          rule.modified = world.now
          try check(rule)
          state.rules[position] = rule
          return .json(["data": rule.value])
        },
        route(.delete, "/rules/{id}", callers) { call, state, _ throws(SandboxReply) in
          .json(["data": state.rules.remove(at: try position(call, state, query(call.request, [uid]))).value])
        },
        route(.get, "/rules/{id}/executions", callers) { call, state, _ throws(SandboxReply) in
          let rule = state.rules[try position(call, state, query(call.request, [uid]))]
          return .json([
            "data": object([("countApply", .int(Int64(rule.applied.count))), ("lastApply", rule.applied.last.map { .int($0) })])
          ])
        },
        route(.get, "/rules/{id}/actions", callers) { call, state, _ throws(SandboxReply) in
          let rule = state.rules[try position(call, state, query(call.request, [uid]))]
          return .json(["data": ["testable": .bool(state.isTestable(rule))]])
        },
        route(.post, "/rules/{id}/actions", callers) { call, state, world throws(SandboxReply) in
          let rule = state.rules[try position(call, state, body(call.request, [uid]))]
          // Assumed: The words, and what the answer is.
          guard state.isTestable(rule) else { throw Refusal.error(400, "The rule is not testable") }
          state.carryOut(rule, &world)
          return .json(["data": [:]])
        },
      ]
    }

    /// An application says whose rules it means.
    private static func owner(_ given: Value, _ call: Call, _ state: State) throws(SandboxReply) -> String {
      guard let uid = given["uid"]?.stringValue ?? call.principal.uid else { throw Refusal.invalid("uid", "Required parameter") }
      try state.checkUser(uid, call.principal)
      return uid
    }

    private static func position(_ call: Call, _ state: State, _ given: Value) throws(SandboxReply) -> Int {
      let owner = try owner(given, call, state)
      guard let position = state.rules.firstIndex(where: { $0.id == call["id"] && $0.aid == call.principal.aid }) else {
        throw Refusal.notFound
      }
      guard state.rules[position].uid == owner else { throw Refusal.forbidden("rules") }
      return position
    }

    /// The list of what is wrong stands in a list of its own here.
    private static func check(_ rule: Rule) throws(SandboxReply) {
      guard !rule.isValid else { return }
      var problems = FieldProblems()
      problems.add("rule", "Invalid rule")
      throw Refusal.invalid(problems, isNested: true)
    }
  }
}

extension SAMISandbox.State {
  // Assumed: An action may be tried out where its device is the user's, and has that action.
  fileprivate func isTestable(_ rule: SAMISandbox.Rule) -> Bool {
    switches.rulesTestable
      && rule.actions.allSatisfy { action in
        guard let device = device(action["ddid"]?.stringValue ?? ""), device.uid == rule.uid else { return false }
        return type(device.dtid)?.manifest(manifestVersion(of: device))?.actions[action["action"]?.stringValue ?? ""] != nil
      }
  }

  /// Applies the rules of a device's user to its message.
  mutating func apply(rulesTo message: SAMISandbox.Message, _ world: inout SandboxWorld) {
    for position in rules.indices where rules[position].isEnabled && rules[position].uid == message.uid {
      guard rules[position].holds(for: message) else { continue }
      rules[position].applied.append(world.now.milliseconds)
      carryOut(rules[position], &world)
    }
  }

  fileprivate mutating func carryOut(_ rule: SAMISandbox.Rule, _ world: inout SandboxWorld) {
    for action in rule.actions {
      guard let device = device(action["ddid"]?.stringValue ?? "") else { continue }
      let data: Value = [
        "actions": [["name": action["action"] ?? .null, "parameters": action["parameters"] ?? [:]]]
      ]
      act(on: device, data, ts: world.now.milliseconds, &world)
    }
  }
}
