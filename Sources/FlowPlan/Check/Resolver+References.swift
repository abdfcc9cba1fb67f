import CEL
import Diagnostics
import SourceText
import Values

/// Definite assignment: no use of an output that a skipped, recovered or later step may not have produced.
extension Resolver {
  /// What conditions around a use have proven.
  private struct Proven {
    /// Steps, by index, that succeeded.
    var succeeded: Set<Int> = []
    /// `index.field` that exist.
    var present: Set<String> = []
  }

  mutating func checkReferences(in expression: Expression, _ text: EmbeddedText) {
    var proven = Proven()
    for condition in guards { prove(condition.expression, isTrue: true, &proven) }
    walk(expression, proven, text, isOptional: false)
  }

  private mutating func walk(_ expression: Expression, _ proven: Proven, _ text: EmbeddedText, isOptional: Bool) {
    if let path = expression.path {
      return check(slot: path.slot, fields: path.fields, at: expression.span, proven, text, isOptional: isOptional)
    }
    var inner = proven
    switch expression.kind {
    case .has(let operand, _): walk(operand, proven, text, isOptional: true)
    case .fallback(let path, let fallback):
      walk(path, proven, text, isOptional: true)
      walk(fallback, proven, text, isOptional: isOptional)
    case .and(let operands), .or(let operands):
      var isConjunction = false
      if case .and = expression.kind { isConjunction = true }
      for operand in operands {
        walk(operand, inner, text, isOptional: isOptional)
        prove(operand, isTrue: isConjunction, &inner)
      }
    case .conditional(let condition, let then, let other):
      walk(condition, proven, text, isOptional: isOptional)
      prove(condition, isTrue: true, &inner)
      walk(then, inner, text, isOptional: isOptional)
      var negative = proven
      prove(condition, isTrue: false, &negative)
      walk(other, negative, text, isOptional: isOptional)
    default: for child in expression.children { walk(child, proven, text, isOptional: isOptional) }
    }
  }

  /// Adds what follows from a condition being true, or false.
  private func prove(_ condition: Expression, isTrue: Bool, _ proven: inout Proven) {
    switch condition.kind {
    case .not(let operand): prove(operand, isTrue: !isTrue, &proven)
    case .and(let operands) where isTrue: for operand in operands { prove(operand, isTrue: true, &proven) }
    case .or(let operands) where !isTrue: for operand in operands { prove(operand, isTrue: false, &proven) }
    case .has(let operand, let field) where isTrue:
      if let path = operand.path, let (index, part) = table.entry(ofSlot: path.slot), part == 0, path.fields.isEmpty {
        proven.present.insert("\(index).\(field.value)")
      }
    case .binary(.equal, let a, let b) where isTrue, .binary(.notEqual, let a, let b) where !isTrue:
      for (status, literal) in [(a, b), (b, a)] {
        if case .literal(.string("succeeded")) = literal.kind, let path = status.path, let (index, part) = table.entry(ofSlot: path.slot),
          part == 1
        {
          proven.succeeded.insert(index)
        }
      }
    default: break
    }
  }

  private mutating func check(slot: Int, fields: [String], at span: Span, _ proven: Proven, _ text: EmbeddedText, isOptional: Bool) {
    guard let (index, part) = table.entry(ofSlot: slot) else { return }
    let entry = table[index]
    let place = text.fileSpan(of: span)
    guard scope.starts(with: entry.scope) else {
      return report(
        .unknownName, "the step `\(entry.id)` stands inside another and is not seen from here", at: place,
        related: [(entry.span, "declared here")], help: ["give the step around it `outputs:` and read those"])
    }
    guard let availability = state.outputs[index] else {
      return report(
        .usedBeforeItRuns, "`\(entry.id)` has not run yet when this is evaluated", at: place,
        related: (entry.idSpan.map { [($0, "runs here")] } ?? []), help: ["move the step before its first use"])
    }
    let isResult = part == 0 || part == 2
    guard isResult, !isOptional, !proven.succeeded.contains(index) else { return }
    if let field = fields.first, part == 0, proven.present.contains("\(index).\(field)") { return }
    checkAvailability(availability, of: entry, fields: fields, part: part, at: place)
  }

  private mutating func checkAvailability(
    _ availability: FlowState.Availability, of entry: StepTable.Entry, fields: [String], part: Int, at place: Span
  ) {
    let known = Set(guards.map(\.text))
    let isCertain = !availability.isDoubtful && availability.conditions.isSubset(of: known)
    let hasField = availability.fields.map { provided in part == 0 && (fields.first.map { provided.contains($0) } ?? false) } ?? true
    guard !isCertain || !hasField else { return }
    let name = fields.first.map { "`\($0)` of step `\(entry.id)`" } ?? "the outputs of step `\(entry.id)`"
    let path = "steps.\(entry.id).\(part == 0 ? "outputs" : "response")" + (fields.first.map { ".\($0)" } ?? "")
    report(
      .outputMayBeMissing, "\(name) may be missing here", at: place, label: "may be missing",
      related: availability.reason.map { [($0.span, $0.text)] } ?? [],
      help: [
        "use `default(\(path), …)`, or put it under `steps.\(entry.id).status == 'succeeded'`",
      ] + (availability.fields != nil ? ["or let the branch that continues supply it with `outputs:`"] : []))
  }
}
