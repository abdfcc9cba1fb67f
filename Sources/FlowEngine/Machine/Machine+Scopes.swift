import FlowPlan
import StepKit
import Values

/// Scopes: what opens and closes them, and the values in them.
extension Machine {
  func frame(_ scope: ScopeID) -> [Value?] { scopes[scope]?.frame ?? [] }

  mutating func write(_ value: Value?, to slot: Int, in scope: ScopeID) { scopes[scope]?.frame[slot] = value }

  mutating func reset(_ steps: [StepPlan], in scope: ScopeID) { scopes[scope]?.reset(steps) }

  /// The slots that stand at the same place in the frame of every flow.
  var slots: Slots { plan.slots }

  /// A copy of a scope for what runs beside others, with sessions of its own where it may sign in.
  mutating func openCopy(of parent: ScopeID, ownSessions: [Int]) -> ScopeID {
    let id = ScopeID(number: takeNumber())
    guard let scope = scopes[parent] else { return parent }
    var sessions = scope.sessions
    if !ownSessions.isEmpty {
      let flow = scope.flow
      sessions = id
      holders[id] = 1
      decisions.append(
        .openScope(
          id,
          ScopeOrder(
            plan: flow.plan, settings: flow.settings, parent: scope.sessions,
            connections: flow.settings.indices.map { ownSessions.contains($0) ? .own : .lent($0) }, isOfCall: false)))
    }
    scopes[id] = Scope(scope.flow, frame: scope.frame, sessions: sessions)
    return id
  }

  /// The body of a scope is over; its connections stay as long as an armed undo may need them.
  mutating func closeScope(_ id: ScopeID) {
    guard let scope = scopes.removeValue(forKey: id), scope.sessions == id else { return }
    release(id)
  }

  mutating func hold(_ sessions: ScopeID) {
    if holders[sessions] != nil { holders[sessions, default: 0] += 1 }
  }

  mutating func release(_ sessions: ScopeID) {
    guard let count = holders[sessions] else { return }
    holders[sessions] = count > 1 ? count - 1 : nil
    if count == 1 { decisions.append(.closeScope(sessions)) }
  }
}
