import Values

extension Evaluation {
  mutating func checkAnyOf(_ nodes: [Int], _ node: SchemaNode, _ value: Value, _ evaluated: inout Evaluated) -> Bool {
    var isValid = false
    for branch in nodes {
      guard let found = probe(branch, value) else { continue }
      isValid = true
      evaluated.merge(found)
      // Without `unevaluated…` nobody asks what the others looked at.
      if !schema.tracksEvaluated { break }
    }
    if !isValid { reportNoBranch(nodes, "anyOf", node, value) }
    return isValid
  }

  mutating func checkOneOf(_ nodes: [Int], _ node: SchemaNode, _ value: Value, _ evaluated: inout Evaluated) -> Bool {
    var matched = 0
    var found = Evaluated()
    for branch in nodes {
      guard let branchFound = probe(branch, value) else { continue }
      matched += 1
      found = branchFound
    }
    switch matched {
    case 0: reportNoBranch(nodes, "oneOf", node, value)
    case 1: evaluated.merge(found)
    default: report(node, "oneOf", "matches \(matched) forms of which exactly one is allowed")
    }
    return matched == 1
  }

  /// Names the branch that came closest: the one that failed deepest in the value, then with the fewest faults.
  private mutating func reportNoBranch(_ nodes: [Int], _ keyword: String, _ node: SchemaNode, _ value: Value) {
    guard !isSilent else { return }
    var closest: [SchemaViolation] = []
    for branch in nodes {
      let start = violations.count
      _ = check(branch, value)
      let own = Array(violations[start...])
      violations.removeSubrange(start...)
      let depth = own.map(\.path.count).min() ?? 0
      let best = closest.map(\.path.count).min() ?? -1
      if depth > best || (depth == best && own.count < closest.count) { closest = own }
    }
    let hint = closest.first.map { ": \($0.message)" } ?? ""
    let forms = nodes.count == 1 ? "does not match its only form" : "matches none of its \(nodes.count) forms"
    report(node, keyword, "\(forms)\(hint.isEmpty || nodes.count == 1 ? hint : "; the closest says" + hint)")
  }
}
