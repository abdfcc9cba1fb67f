import Values

extension Evaluation {
  mutating func checkPrefix(_ nodes: [Int], _ value: Value, _ evaluated: inout Evaluated) -> Bool {
    guard let items = value.listValue else { return true }
    var isValid = true
    for (position, (item, target)) in zip(items, nodes).enumerated() {
      if !check(target, item, at: .index(position)) { isValid = false }
      if schema.tracksEvaluated { evaluated.positions.insert(position) }
    }
    return isValid
  }

  mutating func checkItems(
    _ target: Int, from start: Int, _ keyword: String, _ node: SchemaNode, _ value: Value, _ evaluated: inout Evaluated
  ) -> Bool {
    guard let items = value.listValue else { return true }
    evaluated.isAll = true
    guard items.count > start else { return true }
    if schema.nodes[target].verdict == false {
      report(node, keyword, "must have at most \(counted(start, "item"))")
      return false
    }
    var isValid = true
    for position in start..<items.count {
      if !check(target, items[position], at: .index(position)) { isValid = false }
      if isSilent, !isValid { return false }
    }
    return isValid
  }

  mutating func checkContains(
    _ target: Int, _ atLeast: Int, _ atMost: Int?, _ node: SchemaNode, _ value: Value, _ evaluated: inout Evaluated
  ) -> Bool {
    guard let items = value.listValue else { return true }
    var matched = 0
    for (position, item) in items.enumerated() where probe(target, item) != nil {
      matched += 1
      if schema.tracksEvaluated { evaluated.positions.insert(position) }
    }
    if matched < atLeast {
      let keyword = atLeast == 1 ? "contains" : "minContains"
      report(node, keyword, "must hold at least \(counted(atLeast, "item")) of the form under `contains`, not \(matched)")
      return false
    }
    guard let atMost, matched > atMost else { return true }
    report(node, "maxContains", "must hold at most \(counted(atMost, "item")) of the form under `contains`, not \(matched)")
    return false
  }

  mutating func checkUnique(_ node: SchemaNode, _ value: Value) -> Bool {
    guard let items = value.listValue, items.count > 1 else { return true }
    // By bytes: texts that look alike are still two.
    var positions: [[UInt8]: Int] = [:]
    for (position, item) in items.enumerated() {
      guard let first = positions.updateValue(position, forKey: Array(canonicalJSON(item).utf8)) else { continue }
      report(node, "uniqueItems", "must not hold one item twice, as at \(first) and \(position)")
      return false
    }
    return true
  }

  mutating func checkUnevaluatedItems(
    _ target: Int, _ node: SchemaNode, _ value: Value, _ evaluated: inout Evaluated
  ) -> Bool {
    guard let items = value.listValue, !evaluated.isAll else { return true }
    var isValid = true
    for (position, item) in items.enumerated() where !evaluated.positions.contains(position) {
      if schema.nodes[target].verdict == false {
        path.append(.index(position))
        report(node, "unevaluatedItems", "is one item too many")
        path.removeLast()
        isValid = false
      } else if !check(target, item, at: .index(position)) {
        isValid = false
      }
    }
    evaluated.isAll = true
    return isValid
  }
}
