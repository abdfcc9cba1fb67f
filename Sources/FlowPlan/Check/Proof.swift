import CEL
import SourceText
import Values

/// What the conditions around a point of a flow prove.
struct Proof {
  /// Keys of conditions that hold.
  private(set) var holds: Set<String> = []
  /// Steps, by index, that succeeded.
  private(set) var succeeded: Set<Int> = []
  /// Statuses that a step does not have.
  private(set) var excluded: [Int: Set<String>] = [:]
  /// `index.field` of outputs that exist.
  private var present: Set<String> = []

  func hasOutput(_ field: String, of index: Int) -> Bool { present.contains("\(index).\(field)") }

  /// Of the step itself, in its own modifiers.
  func hasOwnOutput(_ field: String?) -> Bool { field.map { present.contains("own.\($0)") } ?? false }

  /// Of what `set` has set.
  func hasVariable(_ name: String) -> Bool { present.contains("vars.\(name)") }

  /// Whether a condition is known to be false.
  func rulesOut(_ condition: Expression, at point: ConditionPoint) -> Bool {
    if case .and(let operands) = condition.kind, operands.contains(where: { rulesOut($0, at: point) }) { return true }
    return condition.conditionKey(isTrue: false, at: point).map { holds.contains($0) } ?? false
  }

  /// Adds what something else proves.
  mutating func formUnion(_ other: Proof) {
    holds.formUnion(other.holds)
    succeeded.formUnion(other.succeeded)
    excluded.merge(other.excluded) { $0.union($1) }
    present.formUnion(other.present)
  }

  /// Adds what follows from a condition being true, or false, where it was evaluated.
  mutating func assume(_ condition: Expression, isTrue: Bool, in table: StepTable, at point: ConditionPoint) {
    switch condition.kind {
    case .not(let operand): return assume(operand, isTrue: !isTrue, in: table, at: point)
    case .and(let operands) where isTrue:
      for operand in operands { assume(operand, isTrue: true, in: table, at: point) }
    case .or(let operands) where !isTrue:
      for operand in operands { assume(operand, isTrue: false, in: table, at: point) }
    case .has(let operand, let field) where isTrue: notePresence(of: field.value, in: operand, table)
    case .binary(.isIn, let item, let container) where isTrue:
      if case .literal(.string(let field)) = item.kind { notePresence(of: field, in: container, table) }
    case .binary(.equal, let a, let b): noteStatus(a, b, isEqual: isTrue, table)
    case .binary(.notEqual, let a, let b): noteStatus(a, b, isEqual: !isTrue, table)
    default: break
    }
    if let key = condition.conditionKey(isTrue: isTrue, at: point) { holds.insert(key) }
  }

  private mutating func notePresence(of field: String, in container: Expression, _ table: StepTable) {
    guard case .variable(_, let slot) = container.kind else { return }
    if slot == Slots(count: 0).outputs { present.insert("own.\(field)") }
    if slot == Slots(count: 0).vars { present.insert("vars.\(field)") }
    guard let (index, part) = table.entry(ofSlot: slot), part == .outputs else { return }
    present.insert("\(index).\(field)")
  }

  private mutating func noteStatus(_ a: Expression, _ b: Expression, isEqual: Bool, _ table: StepTable) {
    guard let (index, status) = table.statusComparison(a, b) else { return }
    if !isEqual {
      excluded[index, default: []].insert(status.text)
    } else if status.text == "succeeded" {
      succeeded.insert(index)
    }
  }
}

extension StepTable {
  /// The step and the text that `steps.X.status == 'text'` compares; nil for any other comparison.
  func statusComparison(_ a: Expression, _ b: Expression) -> (index: Int, literal: (text: String, expression: Expression))? {
    for (status, literal) in [(a, b), (b, a)] {
      if case .literal(.string(let text)) = literal.kind, case .variable(_, let slot) = status.kind,
        let (index, part) = entry(ofSlot: slot),
        part == .status
      {
        return (index, (text, literal))
      }
    }
    return nil
  }
}

extension Expression {
  /// The keys of the conditions that must all hold for this one to be true; nil where that changes from one reading to
  /// the next, as with `uuid()`.
  func conditionKeys(at point: ConditionPoint) -> Set<String>? {
    if case .and(let operands) = kind {
      var keys: Set<String> = []
      for operand in operands {
        guard let more = operand.conditionKeys(at: point) else { return nil }
        keys.formUnion(more)
      }
      return keys
    }
    return conditionKey(isTrue: true, at: point).map { [$0] }
  }

  /// A text that is the same for conditions that mean the same.
  func conditionKey(isTrue: Bool, at point: ConditionPoint) -> String? {
    switch kind {
    case .not(let operand): return operand.conditionKey(isTrue: !isTrue, at: point)
    case .binary(.notEqual, let a, let b):
      guard let a = a.stableText(point.versions), let b = b.stableText(point.versions) else { return nil }
      return "\(isTrue ? "-" : "+")==(\(a),\(b))\(errorMark(point.branch))"
    default: return stableText(point.versions).map { "\(isTrue ? "+" : "-")\($0)\(errorMark(point.branch))" }
    }
  }

  /// Each branch has an `error` of its own.
  private func errorMark(_ branch: Int) -> String { readsError ? "@\(branch)" : "" }

  /// Whether it reads the `error` of the branch that it stands in.
  var readsError: Bool {
    if case .variable(_, let slot) = kind { slot == Slots(count: 0).error } else { children.contains(where: \.readsError) }
  }

  /// A field of a root, with how often it has changed until here; nil for anything else.
  private func fieldText(_ versions: Versions) -> String? {
    guard let value, let field = value.field else { return nil }
    let text = "$\(value.slot).\(field)#\(versions[value])"
    switch kind {
    case .has: return "has(\(text))"
    case .select(_, _, isOptional: true), .index(_, _, isOptional: true): return "optional(\(text))"
    default: return text
    }
  }

  /// The expression without its spaces and spans; nil where two readings may differ.
  private func stableText(_ versions: Versions) -> String? {
    if let text = fieldText(versions) { return text }
    let head: String
    switch kind {
    case .literal(let value): return "\(value.typeName):\(value.json())"
    case .variable(_, let slot): return "$\(slot)#\(versions[ChangingValue(slot: slot, field: nil)])"
    case .local(_, let number): return "local\(number)"
    case .unresolved: return nil
    case .call(let function, _, _) where function.isAnsweredByHost: return nil
    case .call(let function, _, _): head = function.name
    case .select(_, let field, let isOptional): head = isOptional ? ".?\(field.value)" : ".\(field.value)"
    case .has(_, let field): head = "has.\(field.value)"
    case .index(_, _, let isOptional): head = isOptional ? "[?]" : "[]"
    case .and: head = "&&"
    case .or: head = "||"
    case .not: head = "!"
    case .conditional: head = "?:"
    case .binary(let operation, _, _): head = operation.rawValue
    case .negate: head = "neg"
    case .list(let elements): head = "list" + elements.map { $0.isOptional ? "?" : "" }.joined(separator: ",")
    case .map(let entries): head = "map" + entries.map { $0.isOptional ? "?" : "" }.joined(separator: ",")
    case .comprehension(let comprehension): head = "\(comprehension.form)\(comprehension.locals)\(comprehension.filter != nil)"
    case .bind(let local, _, _): head = "bind\(local)"
    case .optionalMap(_, let local, _, let isFlat): head = "optMap\(local)\(isFlat)"
    case .fallback: head = "default"
    }
    var parts: [String] = []
    for child in children {
      guard let part = child.stableText(versions) else { return nil }
      parts.append(part)
    }
    return "\(head)(\(parts.joined(separator: ",")))"
  }
}
