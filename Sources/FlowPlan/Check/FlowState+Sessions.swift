/// Who is signed in on which connection.
extension FlowState {
  /// One log-in after which a user is signed in on a connection.
  struct SignIn {
    /// Index of the step.
    let step: Int
    /// Keys of conditions without which it is skipped.
    var conditions: Set<String> = []
    /// Only the step's own status tells.
    var isDoubtful = false
  }

  /// A log-out behind which nobody is signed in on a connection.
  struct SignOut {
    /// Index of the step.
    let step: Int
    /// Only some of the ways here have it.
    var isDoubtful = false
  }

  /// Log-ins by connection.
  typealias SignIns = [Int: [SignIn]]
  /// Log-outs by connection.
  typealias SignOuts = [Int: SignOut]
  /// What is known of all of them.
  typealias Sessions = (signIns: SignIns, signOuts: SignOuts)

  var sessions: Sessions {
    get { (signIns, signOuts) }
    set { (signIns, signOuts) = newValue }
  }

  /// Behind a step that signs a user in.
  mutating func signIn(_ way: SignIn, on connection: Int) {
    signIns[connection] = [way]
    signOuts[connection] = nil
  }

  /// Behind a step that signs the user out.
  mutating func signOut(_ step: Int, on connection: Int) {
    signIns[connection] = []
    signOuts[connection] = SignOut(step: step)
  }

  /// After two ways of coming here.
  func joinedSessions(with other: FlowState) -> Sessions { (joinedSignIns(with: other), joinedSignOuts(with: other)) }

  /// Nobody knows what of it happened: as after a failure.
  static func doubtfulSessions(before: FlowState, after: FlowState) -> Sessions {
    var signIns = before.signIns
    for (connection, ways) in after.signIns where ways.map(\.step) != before.signIns[connection]?.map(\.step) {
      signIns[connection] = doubtful(ways)
    }
    return (signIns, before.joinedSignOuts(with: after))
  }

  private func joinedSignOuts(with other: FlowState) -> SignOuts {
    var joined = signOuts.merging(other.signOuts) { mine, _ in mine }
    for connection in joined.keys where signOuts[connection] == nil || other.signOuts[connection] == nil {
      joined[connection]?.isDoubtful = true
    }
    return joined
  }

  private func joinedSignIns(with other: FlowState) -> SignIns {
    var joined: SignIns = [:]
    for connection in Set(signIns.keys).union(other.signIns.keys) {
      let mine = signIns[connection] ?? []
      let theirs = other.signIns[connection] ?? []
      let both = mine.compactMap { a in
        theirs.first { $0.step == a.step }.map { b in
          SignIn(step: a.step, conditions: a.conditions.union(b.conditions), isDoubtful: a.isDoubtful || b.isDoubtful)
        }
      }
      // Two ways, each with a log-in of its own, are as good as one.
      let either = mine.lazy.filter { !$0.isDoubtful }.flatMap { a in
        theirs.lazy.filter { !$0.isDoubtful }.map { SignIn(step: $0.step, conditions: a.conditions.union($0.conditions)) }
      }.first
      joined[connection] =
        !both.isEmpty && both.contains { !$0.isDoubtful }
        ? both : either.map { [$0] } ?? (both.isEmpty ? Self.doubtful(mine + theirs) : both)
    }
    return joined
  }

  /// Where a later log-in may have failed, only the last one's status tells: a refused log-in forgets the user before.
  private static func doubtful(_ ways: [SignIn]) -> [SignIn] {
    ways.suffix(1).map { SignIn(step: $0.step, conditions: $0.conditions, isDoubtful: true) }
  }

  /// Wherever the run ended.
  var sessionsAfterAnything: Sessions {
    (signIns.mapValues(Self.doubtful), signOuts.mapValues { SignOut(step: $0.step, isDoubtful: true) })
  }

  /// Behind a step that runs only under `conditions`.
  /// - Parameter opposite: holds where it does not run: whoever it signs out is signed in there, and only there.
  mutating func makeSessionsConditional(_ conditions: Set<String>, opposite: String, before: Sessions) {
    for (connection, signOut) in signOuts where before.signOuts[connection]?.step != signOut.step {
      signOuts[connection]?.isDoubtful = true
    }
    for (connection, ways) in signIns {
      var earlier = (before.signIns[connection] ?? []).filter { old in !ways.contains { $0.step == old.step } }
      for index in earlier.indices {
        // A log-in under the same condition as a log-out before it makes up for it.
        if ways.isEmpty { earlier[index].conditions.insert(opposite) } else { earlier[index].conditions.remove(opposite) }
      }
      signIns[connection] =
        ways.map { way in
          if before.signIns[connection]?.contains(where: { $0.step == way.step }) == true { return way }
          var way = way
          way.conditions.formUnion(conditions)
          return way
        } + earlier
    }
  }
}
