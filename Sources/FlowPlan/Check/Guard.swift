import CEL
import FlowSyntax
import SourceText
import Values

/// A value that may be another one later: a name that `set` sets, or one that a loop carries.
struct ChangingValue: Hashable {
  let slot: Int
  /// Nil is the whole of the root.
  let field: String?
}

/// How often values have changed on the way to a point of a flow.
struct Versions {
  private var counts: [ChangingValue: Int] = [:]

  subscript(_ value: ChangingValue) -> Int { counts[value] ?? 0 }

  /// From here on, what is read there is another value, and with it the whole of its root.
  mutating func note(_ field: String, in slot: Int) {
    counts[ChangingValue(slot: slot, field: field), default: 0] += 1
    counts[ChangingValue(slot: slot, field: nil), default: 0] += 1
  }
}

/// Where a condition is evaluated: the same text means another thing elsewhere.
struct ConditionPoint {
  /// The innermost `on_error` branch, whose `error` it reads; 0 is none.
  let branch: Int
  let versions: Versions
}

/// A condition that was true on the way to a point of a flow.
struct Guard {
  let expression: Expression
  /// What follows from it.
  let proof: Proof
  /// The same for guards that say the same of the same values; nil where no other does.
  let key: String?
  /// What it read, and how often that had changed then.
  private let versions: [ChangingValue: Int]

  init(_ expression: Expression, at point: ConditionPoint, in table: StepTable) {
    self.expression = expression
    key = expression.conditionKey(isTrue: true, at: point)
    var proof = Proof()
    proof.assume(expression, isTrue: true, in: table, at: point)
    self.proof = proof
    versions = Dictionary(expression.values.map { ($0, point.versions[$0]) }) { first, _ in first }
  }

  /// Whether it is still true: nothing that it read has changed since.
  func holds(at point: ConditionPoint) -> Bool { versions.allSatisfy { point.versions[$0.key] == $0.value } }
}

extension [Guard] {
  /// Those that hold on every one of several ways.
  static func common(to ways: [[Guard]]) -> [Guard] {
    guard let first = ways.first else { return [] }
    let others = ways.dropFirst().map { Set($0.compactMap(\.key)) }
    return first.filter { known in
      guard let key = known.key else { return others.isEmpty }
      return others.allSatisfy { $0.contains(key) }
    }
  }
}

extension Resolver {
  /// The point that is being resolved, as conditions see it.
  var here: ConditionPoint { ConditionPoint(branch: branch, versions: versions) }

  mutating func assume(_ condition: Expression, at point: ConditionPoint) { guards.append(Guard(condition, at: point, in: table)) }

  /// The guards that are still true here.
  var standing: [Expression] {
    let point = here
    return guards.filter { $0.holds(at: point) }.map(\.expression)
  }

  /// What runs more than once begins with what its own steps have set before.
  mutating func noteChanges(inRoundsOf step: StepSyntax) {
    guard step.mayRunTwice else { return }
    for inner in step.withInner {
      guard case .set(let entries, _) = inner.action else { continue }
      for entry in entries { noteSet(entry.key.value) }
    }
  }

  /// - Parameter name: as `set` writes it; that of a state begins with `state.`.
  mutating func noteSet(_ name: String) {
    let slots = Slots(count: 0)
    let state = "state."
    if name.hasPrefix(state) {
      versions.note(String(name.dropFirst(state.count)), in: slots.state)
    } else {
      versions.note(name, in: slots.vars)
    }
  }
}

extension StepSyntax {
  fileprivate var mayRunTwice: Bool {
    switch action {
    case .forEach, .repeating: true
    case .group, .choose, .parallel, .call, .uses, .http, .set, .wait, .fail, .end: onError.contains { $0.then?.value == "retry" }
    }
  }
}

extension Expression {
  /// The values that it reads, each by its root and its first field.
  fileprivate var values: [ChangingValue] { value.map { [$0] } ?? children.flatMap(\.values) }

  /// The value that it is; nil where it is more than a root or a field of one.
  var value: ChangingValue? {
    switch kind {
    case .variable(_, let slot): return ChangingValue(slot: slot, field: nil)
    case .select(let operand, let field, _), .has(let operand, let field):
      guard case .variable(_, let slot) = operand.kind else { return nil }
      return ChangingValue(slot: slot, field: field.value)
    case .index(let operand, let index, _):
      guard case .variable(_, let slot) = operand.kind, case .literal(.string(let field)) = index.kind else { return nil }
      return ChangingValue(slot: slot, field: field)
    default: return nil
    }
  }
}
