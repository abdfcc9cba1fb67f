import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// Definite authentication: a step that needs a user has one on every way.
extension Resolver {
  /// Reports a step that needs a user's token, and has none on some way here.
  mutating func checkSignedIn(_ name: String, _ connection: Int?, at span: Span) {
    guard let connection else { return }
    let signOut = state.signOuts[connection]
    // Behind a log-out nobody signs in by the settings, behind the flow's back.
    if signOut?.isDoubtful != false, connections[connection].system.signsIn(connections[connection].assumed) { return }
    let proof = proof
    let ways = state.signIns[connection] ?? []
    let isSignedIn = ways.contains { way in
      proof.succeeded.contains(way.step) || !way.isDoubtful && way.conditions.isSubset(of: proof.holds)
    }
    if isSignedIn { return }
    let plan = connections[connection]
    // The flow that calls this one may have signed in on what it lends.
    if plan.isBorrowed, signOut?.isDoubtful != false, !ways.contains(where: \.isDoubtful) {
      borrowedNeeds[connection] = borrowedNeeds[connection] ?? span
      return
    }
    reportNotSignedIn(name, connection, ways, signOut, at: span)
  }

  private mutating func reportNotSignedIn(
    _ name: String, _ connection: Int, _ ways: [FlowState.SignIn], _ signOut: FlowState.SignOut?, at span: Span
  ) {
    let plan = connections[connection]
    let last = ways.last.map { (entry: table[$0.step], isDoubtful: $0.isDoubtful) }
    var related: [(Span, String)] = []
    var help: [String] = []
    if let last {
      let isFailing = ways.last.map { failing.contains($0.step) } ?? false
      related = [(last.entry.place, isFailing ? "this log-in has failed here" : "signs in, but not on every way here")]
      let status = "`if: steps.\(last.entry.id).status == 'succeeded'`"
      if last.entry.idSpan != nil, scope.starts(with: last.entry.scope), !isFailing, signOut == nil {
        help = [last.isDoubtful ? "run this step under \(status)" : "run this step under the same `if`, or under \(status)"]
      }
    }
    if let signOut { related.append((table[signOut.step].place, ways.isEmpty ? "signs out" : "signs out, on some of the ways here")) }
    let logIn = logIn(on: plan).map { "before it: \($0)" }
    if signOut != nil {
      help.append(logIn.map { "sign in again \($0), or sign out behind it" } ?? "sign out behind it")
    } else if help.isEmpty, let logIn {
      help = ["sign in \(logIn)"]
    }
    if ownSessions.contains(connection), ways.isEmpty {
      help.append("what runs beside others and signs in has a session of its own: a log-in before it does not count here")
    }
    report(
      .notAuthenticated, "`\(name)` needs a signed-in user, and \(Self.lack(ways, signOut)) on `\(plan.alias)`",
      at: span, label: "needs a user token", related: related, help: help)
  }

  /// The step that signs somebody in on such a connection: its system's own, else one for any connection with tokens.
  private func logIn(on plan: ConnectionPlan) -> String? {
    if let own = plan.system.steps.first(where: { $0.about.signsIn }) { return "`uses: \(own.about.name)`" }
    for step in catalogue.builtIn where step.about.signsIn && plan.tokenClasses == [.user] {
      for case .onlyIf(let input, let value) in step.about.needs.filter({ $0.what == .tokens }).map(\.condition) {
        return "`uses: \(step.about.name)` with `\(input): \(value.json())`"
      }
    }
    return nil
  }

  /// Who is not signed in, and why.
  private static func lack(_ ways: [FlowState.SignIn], _ signOut: FlowState.SignOut?) -> String {
    guard ways.isEmpty else { return "not every way here signs one in" }
    return signOut == nil ? "nobody has signed in" : "whoever was has been signed out"
  }
}

extension StepSyntax {
  /// Whether it succeeds only where nobody is signed in, as a proof that a log-out has worked.
  var expectsNobody: Bool { expect?.error.map { CodePattern($0.value).matches(code: "auth.expired") } ?? false }
}
