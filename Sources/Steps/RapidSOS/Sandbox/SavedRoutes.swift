import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox {
  /// A location or a device that a user has saved.
  struct Saved: Sendable {
    let id: Int64
    let userID: Int64
    var sections: ValueMap

    var value: Value {
      var body = ValueMap()
      body["id"] = .int(id)
      for (name, section) in sections { body[name] = section }
      return .map(body)
    }
  }

  /// `/v1/rain/locations` and `/v1/rain/devices`: one family of routes for both.
  struct SavedRoutes: Sendable {
    let noun: String
    let plural: String
    let sections: Sections
    let place: @Sendable (inout State, (inout [Saved]) -> Void) -> Void

    static let locations = SavedRoutes(noun: "location", plural: "locations", sections: .location) { $1(&$0.locations) }
    static let devices = SavedRoutes(noun: "device", plural: "devices", sections: .device) { $1(&$0.devices) }

    var all: [SandboxRoute<State>] {
      let (many, one) = ("/v1/rain/\(plural)", "/v1/rain/\(plural)/{id}")
      return [
        SandboxRoute(.get, many) { call, state, world throws(SandboxReply) in
          let user = try user(call, state, world)
          return .json(.list(read(&state).filter { $0.userID == user }.map(\.value)))
        },
        SandboxRoute(.post, many) { call, state, world throws(SandboxReply) in
          let user = try user(call, state, world)
          let kept = try sections.read(call.request, at: world.now)
          return .json(add(kept, of: user, &state, &world).value, status: state.switches.createStatus)
        },
        SandboxRoute(.get, one) { call, state, world throws(SandboxReply) in
          let user = try user(call, state, world)
          return .json(read(&state)[try position(call, user, &state)].value)
        },
        SandboxRoute(.patch, one) { call, state, world throws(SandboxReply) in
          try change(call, &state, world) { old, sent in
            for (name, section) in sent { old[name] = section }
          }
        },
        SandboxRoute(.put, one) { call, state, world throws(SandboxReply) in
          try change(call, &state, world) { old, sent in old = sent }
        },
        SandboxRoute(.delete, one) { call, state, world throws(SandboxReply) in
          let user = try user(call, state, world)
          let position = try position(call, user, &state)
          let gone = read(&state)[position]
          place(&state) { $0.remove(at: position) }
          return .json(gone.value)
        },
      ]
    }

    @discardableResult
    func add(_ kept: ValueMap, of user: Int64, _ state: inout State, _ world: inout SandboxWorld) -> Saved {
      let saved = Saved(id: world.nextID(of: "rapidsos.\(noun)"), userID: user, sections: kept)
      place(&state) { $0.append(saved) }
      return saved
    }

    private func change(
      _ call: SandboxCall, _ state: inout State, _ world: SandboxWorld, _ merge: (inout ValueMap, ValueMap) -> Void
    ) throws(SandboxReply) -> SandboxReply {
      let user = try user(call, state, world)
      let position = try position(call, user, &state)
      let sent = try sections.read(call.request, at: world.now)
      place(&state) { merge(&$0[position].sections, sent) }
      return .json(read(&state)[position].value)
    }

    private func user(_ call: SandboxCall, _ state: State, _ world: SandboxWorld) throws(SandboxReply) -> Int64 {
      try state.tokens.rapidSOSUser("user", of: call.request, at: world.now, state.switches)
    }

    private func read(_ state: inout State) -> [Saved] {
      var found: [Saved] = []
      place(&state) { found = $0 }
      return found
    }

    /// What belongs to somebody else is not found either.
    private func position(_ call: SandboxCall, _ user: Int64, _ state: inout State) throws(SandboxReply) -> Int {
      let text = call["id"]
      let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard isNumber, let id = Int64(text), let position = read(&state).firstIndex(where: { $0.id == id && $0.userID == user }) else {
        throw Refusal.notFound
      }
      return position
    }
  }
}
