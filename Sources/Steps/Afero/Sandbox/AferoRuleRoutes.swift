import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// Rules: how they are found, saved and run.
  enum RuleRoutes {
    static let all: [SandboxRoute<State>] = [
      route(.get, "/rules") { call, caller, state, _ throws(SandboxReply) in .json(rules(call, caller, state) { _ in true }) },
      deviceRoute(.get, "/rules") { call, position, caller, state, _ throws(SandboxReply) in
        let device = Value.string(state.devices[position].id)
        return .json(rules(call, caller, state) { $0.devices.contains(device) })
      },
      route(.get, "/deviceGroups/{groupId}/rules") { call, caller, state, _ throws(SandboxReply) in
        _ = try Kind.groups.position(call["groupId"], in: caller.accountID, state)
        return .json(rules(call, caller, state) { $0.body["deviceGroupId"] == .string(call["groupId"]) })
      },
      route(.get, "/rules/{id}") { call, caller, state, _ throws(SandboxReply) in
        let position = try Kind.rules.position(call["id"], in: caller.accountID, state)
        return .json(expanded(state.kept["rules", default: []][position], call, caller, state))
      },
      KeptRoutes.create("/rules", .rules),
      KeptRoutes.create("/deviceGroups/{groupId}/rules", .rules),
      KeptRoutes.replace("/rules/{id}", .rules),
      KeptRoutes.replace("/deviceGroups/{groupId}/rules/{id}", .rules),
      route(.post, "/rules/{id}/actions", .write, run),
    ]

    private static func rules(
      _ call: SandboxCall, _ caller: Caller, _ state: State, _ isMeant: (State.Kept) -> Bool
    ) -> Value {
      .list(state.kept("rules", in: caller.accountID).filter(isMeant).map { expanded($0, call, caller, state) })
    }

    private static func expanded(_ rule: State.Kept, _ call: SandboxCall, _ caller: Caller, _ state: State) -> Value {
      let wanted = (call.request.query("expansions") ?? "").split(separator: ",")
      guard wanted.contains("schedule"), let id = rule.body["scheduleId"]?.stringValue,
        let schedule = state.kept("schedules", in: caller.accountID).first(where: { $0.id == id })
      else { return .map(rule.body) }
      var body = rule.body
      var full = schedule.body
      full["triggeredRuleId"] = .string(rule.id)
      body["schedule"] = .map(full)
      return .map(body)
    }

    /// One answer for each action, and one where there is none. Assumed: Devices that cannot be reached are passed over.
    @Sendable private static func run(
      _ call: SandboxCall, _ caller: Caller, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try Kind.rules.position(call["id"], in: caller.accountID, state)
      _ = try read(call.request, .object([Form.required("type", .choice(["execute_actions"]))]))
      let actions = state.kept["rules", default: []][position].body["deviceActions"]?.listValue ?? []
      for action in actions {
        guard let device = try? state.device(action["deviceId"]?.stringValue ?? "", in: caller.accountID), state.devices[device].isOnline
        else { continue }
        for attribute in action["attributes"]?.listValue ?? [] {
          let request: Value = [
            "type": "attribute_write", "attrId": attribute["id"] ?? .null, "value": attribute["value"] ?? .null,
          ]
          ActionRoutes.perform(request, on: device, caller, &state, &world)
        }
      }
      var answers: [Value] = []
      for _ in 0..<max(1, actions.count) { answers.append(ActionRoutes.started("execute_actions", caller, &state, world)) }
      return .json(.list(answers))
    }
  }
}

extension AferoSandbox.State.Kept {
  /// The devices that a rule acts on or looks at.
  fileprivate var devices: [Value] {
    ["deviceActions", "deviceFilterCriteria"].flatMap { body[$0]?.listValue ?? [] }.compactMap { $0["deviceId"] }
  }
}
