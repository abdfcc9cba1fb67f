import SourceText

/// What is certain at one point of a flow: which outputs exist, and on which connections a user is signed in.
struct FlowState {
  /// Under which conditions a step's outputs exist.
  struct Availability {
    /// Nil is every output that the step declares.
    var fields: Set<String>?
    /// Texts of conditions that must hold.
    var conditions: Set<String> = []
    /// Nothing is certain at all.
    var isDoubtful = false
    /// Why, and where; for the message.
    var reason: (text: String, span: Span)?

    static let always = Availability()
  }

  /// By index in the step table; a step that is not here has not run.
  var outputs: [Int: Availability] = [:]
  /// Connections with a user signed in on every path.
  var signedIn: Set<Int> = []

  /// After two ways of coming here.
  func joined(with other: FlowState) -> FlowState {
    var joined = FlowState()
    joined.signedIn = signedIn.intersection(other.signedIn)
    for (index, availability) in other.outputs.merging(outputs, uniquingKeysWith: { $1 }) {
      guard let a = outputs[index], let b = other.outputs[index] else {
        var doubtful = availability
        doubtful.isDoubtful = true
        joined.outputs[index] = doubtful
        continue
      }
      joined.outputs[index] = Self.joined(a, b)
    }
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
      reason: a.reason ?? b.reason)
  }

  /// Wherever the run ended: each of these steps may have run, and none is certain.
  func afterAnything(entries: [Int]) -> FlowState {
    var state = self
    state.signedIn = []
    for index in entries {
      var availability = outputs[index] ?? .always
      availability.isDoubtful = true
      state.outputs[index] = availability
    }
    return state
  }
}
