import SourceText

/// What is certain at one point of a flow: which outputs exist, and on which connections a user is signed in.
struct FlowState {
  /// Under which conditions a step's outputs exist.
  struct Availability {
    /// Those that every way through the step gives; nil is every output that it declares.
    var fields: Set<String>?
    /// Keys of conditions without which the step is skipped.
    var conditions: Set<String> = []
    /// Nothing is certain at all.
    var isDoubtful = false
    /// The step succeeds by failing (`expect: { error: … }`), so that it has no outputs even then.
    var neverExists = false
    /// Why, and where; for the message.
    var reason: (text: String, span: Span)?
    /// The ways on behind it where it has not succeeded: branches that go on, and `reconcile`.
    var detours: [Detour] = []

    /// Why this output may be missing.
    func reason(for field: String?) -> (text: String, span: Span)? {
      if !isDoubtful, let detour = detour(without: field) { return (detour.reason, detour.span) }
      return reason
    }

    /// The first way on that does not supply this output.
    func detour(without field: String?) -> Detour? { detours.first { !$0.supplied.contains(field ?? "") } }

    static let always = Availability()
  }

  /// A way on behind a step that has not succeeded.
  struct Detour {
    /// The outputs that the step has there.
    let supplied: Set<String>
    let span: Span
    /// Why an output may be missing behind it.
    let reason: String
    /// What would have to supply it.
    let supplier: String
  }

  /// By index in the step table; a step that is not here has not run.
  var outputs: [Int: Availability] = [:]
  /// By connection: any of these is enough. A later log-in replaces the earlier ones.
  var signIns: SignIns = [:]
  /// By connection: the log-out since which nobody has signed in.
  var signOuts: SignOuts = [:]
  /// What `set` has set, by name; what is not here has not been set.
  typealias Variables = [String: Availability]
  var vars: Variables = [:]

  /// After two ways of coming here; what only one of them has is doubtful, because of `reason`.
  func joined(with other: FlowState, because reason: (text: String, span: Span)? = nil) -> FlowState {
    var joined = FlowState()
    for (index, availability) in outputs.merging(other.outputs, uniquingKeysWith: { mine, _ in mine }) {
      guard let a = outputs[index], let b = other.outputs[index] else {
        var doubtful = availability
        doubtful.isDoubtful = true
        doubtful.reason = reason ?? availability.reason
        joined.outputs[index] = doubtful
        continue
      }
      joined.outputs[index] = Self.joined(a, b)
      if b.isDoubtful, !a.isDoubtful, let reason { joined.outputs[index]?.reason = reason }
    }
    joined.sessions = joinedSessions(with: other)
    joined.vars = joinedVariables(with: other, because: reason)
    return joined
  }

  private static func joined(_ a: Availability, _ b: Availability) -> Availability {
    let fields: Set<String>? =
      switch (a.fields, b.fields) {
      case (nil, let other), (let other, nil): other
      case (let x?, let y?): x.intersection(y)
      }
    return Availability(
      fields: fields, conditions: a.conditions.union(b.conditions), isDoubtful: a.isDoubtful || b.isDoubtful,
      neverExists: a.neverExists || b.neverExists, reason: a.reason ?? b.reason, detours: a.detours)
  }

  func joinedVariables(with other: FlowState, because reason: (text: String, span: Span)? = nil) -> Variables {
    var joined: Variables = [:]
    for (name, availability) in vars.merging(other.vars, uniquingKeysWith: { mine, _ in mine }) {
      if let a = vars[name], let b = other.vars[name] {
        joined[name] = Self.joined(a, b)
        continue
      }
      var doubtful = availability
      doubtful.isDoubtful = true
      doubtful.reason = reason ?? availability.reason
      joined[name] = doubtful
    }
    return joined
  }

  /// Behind a step that runs only under `conditions`: what it set is there only if it ran.
  mutating func makeVariablesConditional(
    _ conditions: Set<String>, before: Variables, because reason: (text: String, span: Span)?
  ) {
    for (name, availability) in vars {
      if let earlier = before[name], !earlier.isDoubtful {
        vars[name] = earlier
        continue
      }
      guard before[name] == nil || !availability.isDoubtful else { continue }
      var conditional = availability
      conditional.conditions.formUnion(conditions)
      conditional.reason = availability.reason ?? reason
      vars[name] = conditional
    }
  }

  /// When a step failed, with what was certain before it and would be after it: nothing that it did is certain.
  static func failed(before: FlowState, after: FlowState, inside: [Int]) -> FlowState {
    var state = before
    for index in inside {
      var availability = after.outputs[index] ?? .always
      availability.isDoubtful = true
      state.outputs[index] = availability
    }
    state.sessions = doubtfulSessions(before: before, after: after)
    state.vars = before.joinedVariables(with: after)
    return state
  }

  /// Wherever the run ended: each of these steps may have run, and none is certain.
  func afterAnything(_ steps: [(index: Int, place: Span)]) -> FlowState {
    var state = self
    state.sessions = sessionsAfterAnything
    state.vars = vars.mapValues { availability in
      var doubtful = availability
      doubtful.isDoubtful = true
      return doubtful
    }
    for (index, place) in steps {
      var availability = outputs[index] ?? .always
      availability.isDoubtful = true
      availability.reason = ("the run may end before this step has succeeded", place)
      state.outputs[index] = availability
    }
    return state
  }
}

extension FlowState.Availability {
  /// Behind a step that succeeded: with all it gives, or, where it is to raise an error, with nothing.
  init(expecting error: Located<String>?) {
    guard let error else { return }
    neverExists = true
    reason = ("it is to raise `\(error.value)`", error.span)
  }
}
