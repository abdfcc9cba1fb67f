import HTTPTypes
import SandboxKit
import Values

extension SecureNodeSandbox {
  /// Reports of what phones have shown.
  enum EventRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/mobile/branding/event", report),
      SandboxRoute(.post, "/mobile/branding/imprint", imprint),
    ]

    @Sendable private static func report(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.event, state.switches)
      let key = body["event_key"]?.stringValue
      let apiKey = apiKey(of: call.request)
      // Assumed: A key that has been there is answered as the first time.
      if let key, let first = state.events.first(where: { $0.key == key && $0.apiKey == apiKey }) { return answer(first, state) }
      let outcome = body["outcome"]?.stringValue ?? ""
      let reason = reason(against: outcome, state)
      let id = "ev-\(world.nextID(of: "securenode.event"))"
      var answer = ValueMap(members: [
        "success": true, "event_id": .string(id), "outcome": .string(outcome), "counted": .bool(reason == nil),
        "reason": reason.map { .string($0) } ?? .null,
        "displayed_at": body["displayed_at"] ?? .string(world.now.text),
      ])
      if reason == nil { answer["imprint_id"] = .string("im-\(world.nextID(of: "securenode.imprint"))") }
      let event = State.Event(
        id: id, apiKey: apiKey, key: key, members: body.mapValue ?? ValueMap(), answer: answer, isCounted: reason == nil)
      state.add(event)
      return self.answer(event, state)
    }

    private static func answer(_ event: State.Event, _ state: State) -> SandboxReply {
      var answer = event.answer
      if event.answer["reason"] == "pending_enrichment" {
        answer["accepted"] = true
        answer["partial"] = true
        answer["warning_code"] = "pending_enrichment"
        // An event that is still dealt with has neither.
        for member in ["event_id", "reason"] { answer[member] = nil }
      }
      if state.switches.sendsConfigWithEvents { answer["config"] = state.config }
      return .json(.map(answer), status: event.answer["reason"] == "pending_enrichment" ? 202 : 200)
    }

    /// Why an event does not count; nil where it does. Assumed: Which outcomes count; the reasons are known.
    private static func reason(against outcome: String, _ state: State) -> String? {
      let switches = state.switches
      if switches.accountStatus != "active" { return "account_suspended" }
      if !switches.isBrandingEnabled { return "disabled" }
      if switches.isPartial { return "pending_enrichment" }
      switch outcome {
      case "displayed":
        guard let cap = switches.cap, switches.usedBefore + state.counted >= cap else { return nil }
        return "cap_reached"
      case "no_match", "disabled": return outcome
      default: return "analytics_only"
      }
    }

    // Assumed: The answer, which no client reads.
    @Sendable private static func imprint(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let body = try body(call, Forms.imprint, state.switches)
      State.keep(body.mapValue ?? ValueMap(), in: &state.imprints)
      return .json(["success": true])
    }
  }
}
