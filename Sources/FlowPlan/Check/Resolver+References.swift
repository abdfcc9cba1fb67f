import CEL
import Diagnostics
import SourceText
import Values

/// Definite assignment: no use of an output that a skipped, recovered or later step may not have produced.
extension Resolver {
  /// A reference to a step, as far as its first field.
  private struct Use {
    let slot: Int
    /// Nil is the whole of it.
    let field: String?
    let span: Span
    /// Whether what is missing does no harm.
    let isLenient: Bool
  }

  mutating func checkReferences(in expression: Expression, _ text: EmbeddedText) {
    walk(expression, proof, text)
  }

  /// What the conditions around the point that is being resolved prove.
  var proof: Proof {
    var proof = Proof()
    for known in guards { proof.formUnion(known.proof) }
    return proof
  }

  private mutating func walk(_ expression: Expression, _ proof: Proof, _ text: EmbeddedText, isLenient: Bool = false) {
    switch expression.kind {
    case .variable(_, let slot):
      check(Use(slot: slot, field: nil, span: expression.span, isLenient: isLenient), proof, text)
    case .select(let operand, let field, let isOptional):
      walkMember(of: operand, field.value, isOptional, expression, proof, text, isLenient)
    case .index(let operand, let index, let isOptional):
      var field: String?
      if case .literal(.string(let name)) = index.kind { field = name }
      walkMember(of: operand, field, isOptional, expression, proof, text, isLenient)
      walk(index, proof, text)
    case .has(let operand, _): walkContainer(operand, proof, text)
    case .binary(.isIn, let item, let container):
      walk(item, proof, text)
      walkContainer(container, proof, text)
      checkStatuses(item, in: container, text)
    case .fallback(let path, let fallback):
      walk(path, proof, text, isLenient: true)
      walk(fallback, proof, text, isLenient: isLenient)
    case .and(let operands): walkLogic(operands, isTrue: true, proof, text)
    case .or(let operands): walkLogic(operands, isTrue: false, proof, text)
    case .conditional(let condition, let yes, let no):
      walk(condition, proof, text)
      walk(yes, proof.assuming(condition, isTrue: true, self), text)
      walk(no, proof.assuming(condition, isTrue: false, self), text)
    case .binary(.equal, let a, let b), .binary(.notEqual, let a, let b):
      walk(a, proof, text)
      walk(b, proof, text)
      if let (_, literal) = table.statusComparison(a, b) { checkStatus(literal.text, at: literal.expression.span, text) }
    default: for child in expression.children { walk(child, proof, text) }
    }
  }

  /// `operand.field`: the first field of a step's outputs is what is certain or not.
  private mutating func walkMember(
    of operand: Expression, _ field: String?, _ isOptional: Bool, _ whole: Expression, _ proof: Proof, _ text: EmbeddedText,
    _ isLenient: Bool
  ) {
    guard case .variable(_, let slot) = operand.kind else { return walk(operand, proof, text, isLenient: isLenient) }
    check(Use(slot: slot, field: field, span: whole.span, isLenient: isLenient || isOptional), proof, text)
  }

  /// Asking what outputs there are is fine where there are none; asking inside one of them is not.
  private mutating func walkContainer(_ container: Expression, _ proof: Proof, _ text: EmbeddedText) {
    var isWhole = false
    if case .variable = container.kind { isWhole = true }
    walk(container, proof, text, isLenient: isWhole)
  }

  private mutating func walkLogic(_ operands: [Expression], isTrue: Bool, _ proof: Proof, _ text: EmbeddedText) {
    var proof = proof
    for operand in operands {
      walk(operand, proof, text)
      proof = proof.assuming(operand, isTrue: isTrue, self)
    }
  }

  // MARK: - one use

  private mutating func check(_ use: Use, _ proof: Proof, _ text: EmbeddedText) {
    let place = text.fileSpan(of: use.span)
    guard let (index, part) = table.entry(ofSlot: use.slot) else {
      if use.slot == Slots(count: 0).outputs, let current, !use.isLenient {
        checkDeclared(use.field, in: table[current], "outputs", proof.hasOwnOutput(use.field), at: place)
      }
      if use.slot == Slots(count: 0).vars, let name = use.field, !use.isLenient { checkVariable(name, proof, at: place) }
      return
    }
    if part == .item || part == .loop { return }
    let entry = table[index]
    if index == current, !isInBranches { return reportSelf(entry, part, use.field, at: place) }
    guard scope.starts(with: entry.scope) else { return reportHidden(entry, at: place) }
    guard let availability = state.outputs[index] else {
      return report(
        .usedBeforeItRuns, "`\(entry.id)` has not run yet when this is evaluated", at: place,
        related: (entry.idSpan.map { [($0, "it runs here")] } ?? []), help: ["move the step `\(entry.id)` before its first use"])
    }
    guard part == .outputs || part == .response, !use.isLenient else { return }
    if availability.neverExists, part == .outputs || part == .response {
      return report(
        .outputMayBeMissing, "step `\(entry.id)` never has \(part == .outputs ? "outputs" : "a response"): it succeeds by failing",
        at: place,
        related: availability.reason.map { [($0.span, $0.text)] } ?? [], help: ["read what went wrong in `steps.\(entry.id).error`"])
    }
    if failing.contains(index) { return reportFailed(entry, part, at: place) }
    if let field = use.field, part == .outputs, proof.hasOutput(field, of: index) { return }
    if part == .outputs, !checkDeclared(use.field, in: entry, "steps.\(entry.id).outputs", false, at: place) { return }
    if proof.succeeded.contains(index) { return }
    let wanted = part == .outputs ? use.field.map { [$0] } ?? entry.certainOutputs : nil
    let ways = waysToMiss(availability, wanted, proof).subtracting(proof.excluded[index] ?? [])
    guard !ways.isEmpty else { return }
    // Where it has not run at all, nothing of it is there.
    let isAnyway = availability.isDoubtful || ways.contains("skipped")
    let missing = isAnyway ? nil : wanted.map { names in names.filter { !(availability.fields?.contains($0) ?? true) } }
    reportMissing(availability, of: entry, use.field.map { [$0] } ?? missing ?? [], part, isWhole: use.field == nil, at: place)
  }

  /// The statuses with which the step would lack one of these outputs here.
  /// - Parameter wanted: nil is all that there is.
  private func waysToMiss(_ availability: FlowState.Availability, _ wanted: [String]?, _ proof: Proof) -> Set<String> {
    if availability.isDoubtful { return Set(StepTable.statuses).subtracting(["succeeded", "replayed"]) }
    var ways: Set<String> = []
    if !availability.conditions.isSubset(of: proof.holds) { ways.insert("skipped") }
    if let supplied = availability.fields, !(wanted?.allSatisfy(supplied.contains) ?? false) {
      ways.formUnion(["recovered", "indeterminate"])
    }
    return ways
  }

  /// - Parameter fields: the outputs, or the fields of the response, that are missing; empty is all of them.
  private mutating func reportMissing(
    _ availability: FlowState.Availability, of entry: StepTable.Entry, _ fields: [String], _ part: StepTable.Part, isWhole: Bool,
    at place: Span
  ) {
    let whole = part == .outputs ? "outputs" : "response"
    let name: String
    switch (part, fields.count) {
    case (.outputs, 1): name = "the output `\(fields[0])`"
    case (.outputs, 2...): name = "the outputs \(quotedList(fields))"
    case (_, 1...): name = "`\(fields[0])` of the response"
    default: name = "the \(whole)"
    }
    let path = "steps.\(entry.id).\(whole)" + (isWhole ? "" : fields.first.map { ".\($0)" } ?? "")
    var help: [String] = []
    if let supplied = availability.fields, !availability.isDoubtful, part == .outputs,
      let lacking = fields.first(where: { !supplied.contains($0) })
    {
      let supplier = availability.detour(without: lacking)?.supplier ?? "the branch that continues"
      let members = fields.filter { !supplied.contains($0) }.map { "\($0): …" }.joined(separator: ", ")
      help.append("let \(supplier) supply \(fields.count == 1 ? "it" : "them"): `outputs: { \(members) }`")
    }
    help.append("give a fallback, `default(\(path), …)`, or read it only where `steps.\(entry.id).status == 'succeeded'`")
    let general = isWhole && fields.isEmpty ? availability.reason : nil
    let reason = general ?? availability.reason(for: part == .outputs ? fields.first : nil)
    report(
      .outputMayBeMissing, "\(name) of step `\(entry.id)` may be missing here", at: place, label: "may be missing",
      related: reason.map { [($0.span, $0.text)] } ?? [], help: help)
  }

  /// A handler may give more than it declares, but nobody can rely on that. True where the output is declared.
  @discardableResult
  private mutating func checkDeclared(
    _ field: String?, in entry: StepTable.Entry, _ root: String, _ isProven: Bool, at place: Span
  ) -> Bool {
    guard let field, !isProven, case .record(let record) = entry.outputs, record.isOpen, record.field(field) == nil else { return true }
    let nearest = nearestName(to: field, among: record.fields.map(\.name))
    report(
      nearest == nil ? .outputMayBeMissing : .unknownName, "`\(field)` is not declared in \(record.name)", at: place,
      help: [
        nearest.map { "did you mean `\(root).\($0)`?" }
          ?? "if the answer has it, say what stands in for it where it does not: `default(\(root).\(field), …)`"
      ])
    return false
  }

  private mutating func reportHidden(_ entry: StepTable.Entry, at place: Span) {
    report(
      .unknownName, "the step `\(entry.id)` stands inside another and is not seen from here", at: place, label: "not seen from here",
      related: [(entry.place, "it stands here")],
      help: ["give the step around it `outputs:`, and read those"])
  }

  private mutating func reportSelf(_ entry: StepTable.Entry, _ part: StepTable.Part, _ field: String?, at place: Span) {
    let help: [String]
    switch part {
    case .outputs: help = ["in the step's own `outputs` and `expect`, write `outputs\(field.map { ".\($0)" } ?? "")`"]
    case .response: help = ["in the step's own `outputs` and `expect`, write `response\(field.map { ".\($0)" } ?? "")`"]
    case .status, .error, .item, .loop: help = ["what goes wrong in a step is handled in its `on_error`"]
    }
    report(.usedBeforeItRuns, "`\(entry.id)` has not ended yet when this is evaluated: it is the step itself", at: place, help: help)
  }

  private mutating func reportFailed(_ entry: StepTable.Entry, _ part: StepTable.Part, at place: Span) {
    report(
      .outputMayBeMissing, "step `\(entry.id)` has failed where this is evaluated, and has no \(part == .outputs ? "outputs" : "response")",
      at: place, help: ["`error` says what went wrong, and `error.http` holds the answer where there was one"])
  }

  // MARK: - statuses

  private mutating func checkStatus(_ status: String, at span: Span, _ text: EmbeddedText) {
    guard !StepTable.statuses.contains(status) else { return }
    let nearest = nearestName(to: status, among: StepTable.statuses) ?? StepTable.statuses.first { $0.hasPrefix(status.prefix(4)) }
    report(
      .invalidValue, "a step never has the status `\(status)`", at: text.fileSpan(of: span),
      help: [nearest.map { "did you mean `\($0)`?" } ?? "a status is one of \(quotedList(StepTable.statuses))"])
  }

  private mutating func checkStatuses(_ item: Expression, in container: Expression, _ text: EmbeddedText) {
    guard case .variable(_, let slot) = item.kind, let (_, part) = table.entry(ofSlot: slot), part == .status,
      case .list(let elements) = container.kind
    else { return }
    for element in elements {
      if case .literal(.string(let status)) = element.value.kind { checkStatus(status, at: element.value.span, text) }
    }
  }
}

extension StepTable.Entry {
  /// The outputs that the step has wherever it succeeds; nil where nobody knows them all.
  fileprivate var certainOutputs: [String]? {
    guard case .record(let record) = outputs, !record.isOpen else { return nil }
    return record.fields.filter { !$0.isOptional }.map(\.name)
  }
}

extension Proof {
  fileprivate func assuming(_ condition: Expression, isTrue: Bool, _ resolver: Resolver) -> Proof {
    var more = self
    more.assume(condition, isTrue: isTrue, in: resolver.table, at: resolver.here)
    return more
  }
}

/// `a`, `b`, `c`, each in backticks.
func quotedList(_ names: some Sequence<String>) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
