import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// `call`: another flow, checked at its own places, and held to what it declares.
extension Resolver {
  mutating func resolveCall(_ call: CallSyntax, _ step: StepSyntax, _ index: Int) -> ActionPlan? {
    guard let called = calledFlow(call.path) else {
      // What is given to it is checked as far as that goes.
      _ = resolveMap(step.with, at: call.path.span, nil, named: "", Locals())
      return nil
    }
    if let state = called.plan.state.first {
      report(
        .invalidValue, "`\(call.path.value)` keeps state between runs, and so cannot be called", at: call.path.span,
        related: [], help: ["give it `\(state.name.value)` as an input, and keep its output in the state of this flow"])
    }
    let with = resolveInputs(of: called.plan, step, at: call.path.span)
    let secrets = resolveSecrets(of: called.plan, call)
    let connections = resolveLent(of: called, call)
    for prompt in called.plan.prompts where !prompts.contains(where: { $0.stepID == prompt.stepID }) { prompts.append(prompt) }
    settleSignIns(called, connections, call, index)
    return .call(CallPlan(flow: called.plan, path: call.path.value, with: with, secrets: secrets, connections: connections.map(\.plan)))
  }

  // MARK: - the flow

  mutating func calledFlow(_ path: Located<String>) -> CalledFlow? {
    let found: SourceFile
    switch sources.file(path.value, file) {
    case .success(let file): found = file
    case .failure(let problem):
      report(.missingFile, problem.message, at: path.span)
      return nil
    }
    if let loop = chain(to: found.path, from: path) {
      report(loop)
      return nil
    }
    let planned = calls[found.path] ?? plan(found, calledAt: path)
    calls[found.path] = planned
    for diagnostic in planned.diagnostics { report(diagnostic) }
    return planned.flow
  }

  /// The finding that a flow calls itself, with the calls that lead there; nil where it does not.
  private func chain(to target: String, from path: Located<String>) -> Diagnostic? {
    let place = Place(file, path.span)
    if file.path == target {
      return Diagnostic(.callCycle, "this flow calls itself", at: place, help: ["a loop is written with `repeat` or `for_each`"])
    }
    guard let first = calls.chain.firstIndex(where: { $0.path == target }) else { return nil }
    return Diagnostic(
      .callCycle, "`\(path.value)` is being called already: these calls never end", at: place,
      related: calls.chain[first...].map { Diagnostic.Label($0.call, "\($0.path) calls from here") },
      help: ["a loop is written with `repeat` or `for_each`"])
  }

  private func plan(_ source: SourceFile, calledAt path: Located<String>) -> CallBook.Planned {
    guard calls.chain.count < 32 else {
      let tooDeep = Diagnostic(.callCycle, "flows call each other more than 32 deep", at: Place(file, path.span), help: ["call less deep"])
      return CallBook.Planned(flow: nil, diagnostics: [tooDeep])
    }
    let (document, form) = sources.flow(source)
    guard let document else { return CallBook.Planned(flow: nil, diagnostics: form) }
    calls.chain.append((file.path, Place(file, path.span)))
    defer { calls.chain.removeLast() }
    var resolver = Resolver(document, catalogue, sources, calls)
    let plan = resolver.resolve()
    let diagnostics = form + resolver.diagnostics
    guard !diagnostics.hasErrors, document.unreadableSteps.isEmpty else {
      calls.drafts.append(plan)
      return CallBook.Planned(flow: nil, diagnostics: diagnostics)
    }
    return CallBook.Planned(flow: resolver.called(plan), diagnostics: diagnostics)
  }

  /// What a flow is to those that call it, once it is resolved.
  private mutating func called(_ plan: Plan) -> CalledFlow {
    let lent = plan.connections.indices.filter { plan.connections[$0].isBorrowed }
    let signIns = lent.compactMap { connection in
      finalSessions.signIns[connection].flatMap { ways in
        ways.isEmpty ? nil : (connection, ways.contains { !$0.isDoubtful && $0.conditions.isEmpty })
      }
    }
    let changed = signInConnections(of: document.steps + document.finally).map { connections[$0] }
    return CalledFlow(
      plan: plan, codes: (plan.steps + plan.finally).flatMap { raisable(inside: $0) } + plan.endingCodes + ["assertion"],
      needsUser: borrowedNeeds.mapValues { Place(file, $0) }, signIns: Dictionary(uniqueKeysWithValues: signIns),
      signsOut: Set(lent.filter { finalSessions.signOuts[$0]?.isDoubtful == false }),
      mayChangeUser: Set(changed.filter(\.isBorrowed).map(\.alias)))
  }

  // MARK: - secrets and connections

  private mutating func resolveSecrets(of plan: Plan, _ call: CallSyntax) -> [(theirs: String, ours: String)] {
    let ours = document.secrets.map(\.value)
    var given: [(theirs: String, ours: String)] = []
    switch call.secrets {
    case .none: break
    case .inherited(let span):
      for secret in plan.secrets.map(\.value) {
        given.append((secret, secret))
        guard !ours.contains(secret) else { continue }
        report(
          .missingSecret, "`\(call.path.value)` needs the secret `\(secret)`, and this flow has none of that name to inherit", at: span,
          help: ["declare it under `secrets:`, or name the one it gets: `secrets: { \(secret): … }`"])
      }
      return given
    case .named(let pairs):
      checkUnique(pairs.map { ($0.theirs.value, $0.theirs.span) }, what: "secret")
      for (theirs, mine) in pairs {
        if !plan.secrets.contains(where: { $0.value == theirs.value }) {
          reportUnknown(
            .unknownName, "secret", theirs, among: plan.secrets.map(\.value), help: ["`\(call.path.value)` does not declare it"])
        } else if !ours.contains(mine.value) {
          reportUnknown(.unknownName, "secret", mine, among: ours, help: ["declare it under `secrets:`"])
        }
        given.append((theirs.value, mine.value))
      }
    }
    let missing = plan.secrets.map(\.value).filter { secret in !given.contains { $0.theirs == secret } }
    if !missing.isEmpty {
      report(
        .missingSecret, "`\(call.path.value)` needs the \(missing.count == 1 ? "secret" : "secrets") \(quotedList(missing))",
        at: call.path.span,
        help: ["give \(missing.count == 1 ? "it" : "them"): `secrets: [\((given.map(\.theirs) + missing).joined(separator: ", "))]`"])
    }
    return given
  }

  /// A connection of the called flow, and what its steps need of it.
  private struct Lent {
    let plan: CallPlan.Connection
    let place: Span
  }

  private mutating func resolveLent(of called: CalledFlow, _ call: CallSyntax) -> [Lent] {
    let theirs = called.plan.connections
    checkUnique(call.connections.map { ($0.theirs.value, $0.theirs.span) }, what: "connection")
    for pair in call.connections {
      guard let connection = theirs.first(where: { $0.alias == pair.theirs.value }) else {
        reportUnknown(
          .unknownName, "connection", pair.theirs, among: theirs.filter(\.isBorrowed).map(\.alias),
          help: ["`\(call.path.value)` does not declare it"])
        continue
      }
      guard !connection.isBorrowed else { continue }
      report(
        Diagnostic(
          .invalidValue, "`\(connection.alias)` is the called flow's own connection and cannot be lent", at: Place(file, pair.theirs.span),
          related: [Diagnostic.Label(connection.place, "declared here")],
          help: ["declare it there as `\(connection.alias): borrowed`, or leave it out here"]))
    }
    return theirs.map { connection in
      guard connection.isBorrowed else { return Lent(plan: .own, place: call.path.span) }
      guard let pair = call.connections.first(where: { $0.theirs.value == connection.alias }) else {
        reportUnlent(connection, call)
        return Lent(plan: .own, place: call.path.span)
      }
      guard let index = self.connection(named: pair.ours) else { return Lent(plan: .own, place: pair.ours.span) }
      return Lent(plan: checkSystem(connection, index, pair.ours) ? .lent(index) : .own, place: pair.ours.span)
    }
  }

  private mutating func reportUnlent(_ connection: ConnectionPlan, _ call: CallSyntax) {
    let ours = connections.first { $0.system.name == connection.system.name }?.alias ?? "…"
    report(
      Diagnostic(
        .missingKey, "`\(call.path.value)` borrows the connection `\(connection.alias)`, and is lent none", at: Place(file, call.path.span),
        related: [Diagnostic.Label(connection.place, "borrowed here")],
        help: ["lend it one: `connections: { \(connection.alias): \(ours) }`"]))
  }

  private mutating func checkSystem(_ theirs: ConnectionPlan, _ index: Int, _ alias: Located<String>) -> Bool {
    let ours = connections[index]
    if ours.system.name == theirs.system.name { return true }
    report(
      .typeMismatch,
      "`\(alias.value)` is a connection of `\(ours.system.name)`, and `\(theirs.alias)` of the called flow is one of `\(theirs.system.name)`",
      at: alias.span, related: [(ours.place.span, "declared here")])
    return false
  }

  /// A log-in before the call counts inside, and one inside counts behind it.
  private mutating func settleSignIns(_ called: CalledFlow, _ connections: [Lent], _ call: CallSyntax, _ index: Int) {
    for (theirs, lent) in connections.enumerated() {
      guard case .lent(let ours) = lent.plan else { continue }
      if called.needsUser[theirs] != nil { checkSignedIn("call \(call.path.value)", ours, at: lent.place) }
      if called.signsOut.contains(theirs) { state.signOut(index, on: ours) }
      guard let isCertain = called.signIns[theirs] else { continue }
      state.signIn(FlowState.SignIn(step: index, isDoubtful: !isCertain), on: ours)
    }
  }
}

extension Plan {
  /// The codes with which it may end as failed by its own word.
  fileprivate var endingCodes: [String] {
    steps.flatMap(\.withInner).flatMap { step -> [String] in
      var codes = step.branches.compactMap { branch in
        if case .end(passed: false, let code) = branch.ending { code ?? StepFailure.endedCode } else { nil }
      }
      if case .end(passed: false) = step.action { codes.append(StepFailure.endedCode) }
      return codes
    }
  }
}

extension CallPlan {
  /// What the called flow gives.
  var outputType: RecordType {
    RecordType("the outputs of `\(path)`", flow.outputs.map { RecordType.Field($0.name, $0.value.type) })
  }
}
