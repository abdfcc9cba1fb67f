import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox {
  /// A kind of what an account keeps.
  struct Kind: Sendable {
    /// `deviceGroups`: the segment of the path.
    let plural: String
    /// `groups`, as scenarios give them.
    let givenName: String
    /// `deviceGroupId`
    let idName: String
    /// What its ids begin with.
    let prefix: String
    let form: Form
    /// Whether its body names its account.
    let namesAccount: Bool
    /// Members that answers have where requests left them out.
    let absent: [(String, Value)]

    static let groups = Kind(
      plural: "deviceGroups", givenName: "groups", idName: "deviceGroupId", prefix: "grp", form: group, namesAccount: true,
      absent: [("devices", []), ("clientMetadata", [:])])
    static let schedules = Kind(
      plural: "schedules", givenName: "schedules", idName: "scheduleId", prefix: "sch", form: schedule, namesAccount: false, absent: [])
    static let rules = Kind(
      plural: "rules", givenName: "rules", idName: "ruleId", prefix: "rul", form: rule, namesAccount: true,
      absent: [("enabled", true), ("deviceActions", []), ("deviceFilterCriteria", []), ("userNotifications", [])])
    static let all = [groups, schedules, rules]

    /// Keeps a new one, or one that is given with its id.
    @discardableResult
    func add(
      _ body: ValueMap, in account: String, id: String? = nil, _ state: inout State, _ world: inout SandboxWorld
    ) -> ValueMap {
      let taken = state.kept[plural] ?? []
      let id = id ?? State.freeID(prefix, plural, &world) { id in taken.contains { $0.id == id } }
      var full = whole(body, id: id)
      if plural == Self.groups.plural { full["createdTimestamp"] = .int(world.now.milliseconds) }
      state.kept[plural, default: []].append(State.Kept(id: id, accountID: account, body: full))
      return full
    }

    func whole(_ body: ValueMap, id: String) -> ValueMap {
      var full = ValueMap()
      full[idName] = .string(id)
      for (name, value) in body where name.text != idName { full[name.text] = value }
      for (name, value) in absent where full[name] == nil { full[name] = value }
      return full
    }

    /// - Throws: 404; what another account keeps is not found either.
    func position(_ id: String, in account: String, _ state: State) throws(SandboxReply) -> Int {
      guard let position = (state.kept[plural] ?? []).firstIndex(where: { $0.id == id && $0.accountID == account }) else {
        throw Refusal.notFound
      }
      return position
    }

    /// A body of this kind for an account.
    /// - Throws: 400; also where it names another account than its path.
    func read(_ request: SandboxRequest, in account: String) throws(SandboxReply) -> ValueMap {
      let body = try AferoSandbox.read(request, form).mapValue ?? ValueMap()
      // Assumed: That the two must agree.
      if namesAccount, body["accountId"]?.stringValue != account {
        throw Refusal.validation("accountId", "must be the account of the path", body["accountId"]?.stringValue ?? "")
      }
      return body
    }
  }

  /// What groups and schedules, and for a part rules, have in common.
  enum KeptRoutes {
    static let all: [SandboxRoute<State>] =
      [
        route(.get, "/deviceGroups") { _, caller, state, _ throws(SandboxReply) in
          .json(.list(state.kept("deviceGroups", in: caller.accountID).map { .map($0.body) }))
        },
        route(.get, "/deviceGroups/{id}") { call, caller, state, _ throws(SandboxReply) in
          let position = try Kind.groups.position(call["id"], in: caller.accountID, state)
          return .json(.map(state.kept["deviceGroups", default: []][position].body))
        },
      ] + [Kind.groups, Kind.schedules].flatMap { [create("/\($0.plural)", $0), replace("/\($0.plural)/{id}", $0)] }
      + Kind.all.map { delete("/\($0.plural)/{id}", $0) }

    static func create(_ path: String, _ kind: Kind) -> SandboxRoute<State> {
      route(.post, path, .write) { call, caller, state, world throws(SandboxReply) in
        let body = try body(call, caller, kind, state)
        // Assumed: 200 for new ones.
        return .json(.map(kind.add(body, in: caller.accountID, &state, &world)))
      }
    }

    static func replace(_ path: String, _ kind: Kind) -> SandboxRoute<State> {
      route(.put, path, .write) { call, caller, state, _ throws(SandboxReply) in
        let position = try kind.position(call["id"], in: caller.accountID, state)
        let body = try body(call, caller, kind, state)
        var whole = kind.whole(body, id: call["id"])
        whole["createdTimestamp"] = state.kept[kind.plural]?[position].body["createdTimestamp"]
        state.kept[kind.plural]?[position].body = whole
        return .json(.map(whole))
      }
    }

    private static func delete(_ path: String, _ kind: Kind) -> SandboxRoute<State> {
      route(.delete, path, .write) { call, caller, state, _ throws(SandboxReply) in
        let position = try kind.position(call["id"], in: caller.accountID, state)
        state.kept[kind.plural]?.remove(at: position)
        return empty()
      }
    }

    /// A body; where its path goes through a group, it belongs to that.
    /// - Throws: 400, and 404 for a group that there is not.
    private static func body(_ call: SandboxCall, _ caller: Caller, _ kind: Kind, _ state: State) throws(SandboxReply) -> ValueMap {
      let group = call["groupId"]
      if !group.isEmpty { _ = try Kind.groups.position(group, in: caller.accountID, state) }
      var body = try kind.read(call.request, in: caller.accountID)
      if !group.isEmpty { body["deviceGroupId"] = .string(group) }
      return body
    }
  }
}
