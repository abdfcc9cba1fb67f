import FlowSyntax
import SourceText

extension ActionSyntax {
  /// The bodies inside it in the order of the file, each with its name in the ids of steps that have none of their own.
  var bodies: [(steps: [StepSyntax], name: String)] {
    switch self {
    case .group(let steps, _): [(steps, "steps")]
    case .choose(let cases, _): cases.enumerated().map { ($1.body.steps, "switch[\($0)].steps") }
    case .forEach(let loop): [(loop.steps, "steps")]
    case .repeating(let loop): [(loop.steps, "steps")]
    case .parallel(let parallel): parallel.branches.map { ($0.body.steps, "branches.\($0.name.value)") }
    case .uses, .http, .call, .set, .wait, .fail, .end: []
    }
  }
}

extension StepSyntax {
  /// It with every step that stands inside it.
  var withInner: [StepSyntax] {
    var inner: [StepSyntax] = action.bodies.flatMap(\.steps)
    inner += reconcile?.steps ?? []
    inner += onError.flatMap(\.body)
    inner += undo?.steps ?? []
    return [self] + inner.flatMap(\.withInner)
  }

  /// Whether nothing runs behind it where it runs.
  var endsFlow: Bool {
    switch action {
    case .fail, .end: true
    case .choose(let cases, _): !mayGoOn && !cases.isEmpty && cases.allSatisfy { $0.body.steps.alwaysEnd }
    case .group(let steps, _): !mayGoOn && steps.alwaysEnd
    case .parallel(let parallel): !mayGoOn && parallel.branches.contains { $0.body.steps.alwaysEnd }
    case .uses, .http, .forEach, .repeating, .call, .set, .wait: false
    }
  }

  /// Whether an error inside it may be taken care of.
  var mayGoOn: Bool { reconcile != nil || onError.contains { ["continue", "retry"].contains($0.then?.value) } }

  /// Whether a branch goes on behind it where it has failed.
  var mayGoOnFailed: Bool { onError.contains { $0.then?.value == "continue" } }

  /// The outputs that it has even where it has failed: a loop tells what became of its items.
  var lastingOutputs: Set<String> {
    if case .forEach = action { ["items"] } else { [] }
  }
}

extension StepSyntax {
  /// The ways on behind it where it has not succeeded.
  var detours: [FlowState.Detour] {
    let reconciled = reconcile.map { reconcile in
      FlowState.Detour(
        supplied: Set(reconcile.outputs.map(\.name.value)), span: reconcile.key,
        reason: "where this finds that it was delivered, it goes on without it", supplier: "`reconcile`")
    }
    let continued = onError.filter { $0.then?.value == "continue" }.map { branch in
      FlowState.Detour(
        supplied: lastingOutputs.union(branch.outputs.map(\.name.value)), span: branch.then?.span ?? branch.span,
        reason: "after an error, this branch goes on without it", supplier: "the branch that continues")
    }
    return (reconciled.map { [$0] } ?? []) + continued
  }
}

extension [StepSyntax] {
  /// Whether no way leads to the end of them.
  var alwaysEnd: Bool { contains { $0.condition == nil && $0.endsFlow } }
}

extension FlowDocument {
  /// The names that `set` sets anywhere, without those of `state`.
  var variableNames: [String] {
    var names: [String] = []
    for step in (steps + finally).flatMap(\.withInner) {
      guard case .set(let entries, _) = step.action else { continue }
      for entry in entries where !entry.key.value.contains(".") && !names.contains(entry.key.value) { names.append(entry.key.value) }
    }
    return names
  }
}
