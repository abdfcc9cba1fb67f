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
  func rulesOut(_ condition: Expression, branch: Int) -> Bool {
    if case .and(let operands) = condition.kind, operands.contains(where: { rulesOut($0, branch: branch) }) { return true }
    return condition.conditionKey(isTrue: false, branch: branch).map { holds.contains($0) } ?? false
  }

  /// Adds what follows from a condition being true, or false. `branch` is the `on_error` branch whose `error` it reads.
  mutating func assume(_ condition: Expression, isTrue: Bool, in table: StepTable, branch: Int) {
    switch condition.kind {
    case .not(let operand): return assume(operand, isTrue: !isTrue, in: table, branch: branch)
    case .and(let operands) where isTrue:
      for operand in operands { assume(operand, isTrue: true, in: table, branch: branch) }
    case .or(let operands) where !isTrue:
      for operand in operands { assume(operand, isTrue: false, in: table, branch: branch) }
    case .has(let operand, let field) where isTrue: notePresence(of: field.value, in: operand, table)
    case .binary(.isIn, let item, let container) where isTrue:
      if case .literal(.string(let field)) = item.kind { notePresence(of: field, in: container, table) }
    case .binary(.equal, let a, let b): noteStatus(a, b, isEqual: isTrue, table)
    case .binary(.notEqual, let a, let b): noteStatus(a, b, isEqual: !isTrue, table)
    default: break
    }
    if let key = condition.conditionKey(isTrue: isTrue, branch: branch) { holds.insert(key) }
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
  func conditionKeys(branch: Int) -> Set<String>? {
    if case .and(let operands) = kind {
      var keys: Set<String> = []
      for operand in operands {
        guard let more = operand.conditionKeys(branch: branch) else { return nil }
        keys.formUnion(more)
      }
      return keys
    }
    return conditionKey(isTrue: true, branch: branch).map { [$0] }
  }

  /// A text that is the same for conditions that mean the same.
  fileprivate func conditionKey(isTrue: Bool, branch: Int) -> String? {
    switch kind {
    case .not(let operand): return operand.conditionKey(isTrue: !isTrue, branch: branch)
    case .binary(.notEqual, let a, let b):
      guard let a = a.stableText, let b = b.stableText else { return nil }
      return "\(isTrue ? "-" : "+")==(\(a),\(b))\(errorMark(branch))"
    default: return stableText.map { "\(isTrue ? "+" : "-")\($0)\(errorMark(branch))" }
    }
  }

  /// Each branch has an `error` of its own.
  private func errorMark(_ branch: Int) -> String { readsError ? "@\(branch)" : "" }

  /// Whether it reads the `error` of the branch that it stands in.
  var readsError: Bool {
    if case .variable(_, let slot) = kind { slot == Slots(count: 0).error } else { children.contains(where: \.readsError) }
  }

  /// The expression without its spaces and spans; nil where two readings may differ.
  private var stableText: String? {
    let head: String
    switch kind {
    case .literal(let value): return "\(value.typeName):\(value.json())"
    case .variable(_, let slot): return "$\(slot)"
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
      guard let part = child.stableText else { return nil }
      parts.append(part)
    }
    return "\(head)(\(parts.joined(separator: ",")))"
  }
}
