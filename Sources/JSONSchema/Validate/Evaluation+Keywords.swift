import Values

extension Evaluation {
  /// Applies one keyword; false if the value fails it.
  mutating func apply(_ keyword: SchemaKeyword, of node: SchemaNode, to value: Value, _ evaluated: inout Evaluated) -> Bool {
    switch keyword {
    case .type(let types): return checkType(types, node, value)
    case .enumeration(let values):
      if values.contains(where: { isEqualJSON($0, value) }) { return true }
      report(node, "enum", "must be one of \(values.map(shown).joined(separator: ", "))")
      return false
    case .constant(let expected):
      if isEqualJSON(expected, value) { return true }
      report(node, "const", "must be \(shown(expected))")
      return false
    case .bound(let bound, let limit): return checkBound(bound, limit, node, value)
    case .multipleOf(let divisor, let shownDivisor):
      guard let number = ExactDecimal(value), !isMultiple(number, of: divisor) else { return true }
      report(node, "multipleOf", "must be a multiple of \(shownDivisor.json())")
      return false
    case .minLength(let count):
      return checkCount(length(of: value), atLeast: count) {
        $0.report(node, "minLength", "must be at least \(counted(count, "character"))")
      }
    case .maxLength(let count):
      return checkCount(length(of: value), atMost: count) { $0.report(node, "maxLength", "must be at most \(counted(count, "character"))") }
    case .pattern(let pattern):
      guard let text = value.stringValue, !pattern.isFound(in: text) else { return true }
      report(node, "pattern", "must match `\(pattern.source)`")
      return false
    case .format(let format, let region):
      guard let text = value.stringValue, !format.accepts(text, region: region) else { return true }
      report(node, "format", "is not \(format.phrase)")
      return false
    case .minItems(let count):
      return checkCount(value.listValue?.count, atLeast: count) {
        $0.report(node, "minItems", "must have at least \(counted(count, "item"))")
      }
    case .maxItems(let count):
      return checkCount(value.listValue?.count, atMost: count) {
        $0.report(node, "maxItems", "must have at most \(counted(count, "item"))")
      }
    case .minProperties(let count):
      return checkCount(value.mapValue?.count, atLeast: count) {
        $0.report(node, "minProperties", "must have at least \(counted(count, "key"))")
      }
    case .maxProperties(let count):
      return checkCount(value.mapValue?.count, atMost: count) {
        $0.report(node, "maxProperties", "must have at most \(counted(count, "key"))")
      }
    case .uniqueItems: return checkUnique(node, value)
    case .contains(let item, let atLeast, let atMost): return checkContains(item, atLeast, atMost, node, value, &evaluated)
    case .prefixItems(let items): return checkPrefix(items, value, &evaluated)
    case .items(let item, let from): return checkItems(item, from: from, "items", node, value, &evaluated)
    case .required(let names): return checkRequired(names, node, value)
    case .dependentRequired(let rules): return checkDependentRequired(rules, node, value)
    case .properties(let rules): return checkProperties(rules, node, value, &evaluated)
    case .propertyNames(let name): return checkNames(name, node, value)
    case .dependentSchemas(let rules):
      guard let map = value.mapValue else { return true }
      return merge(rules.filter { map[$0.name] != nil }.map(\.node), value, &evaluated)
    case .reference(let target): return merge([target], value, &evaluated)
    case .dynamicReference(let target, let anchor): return merge([dynamicTarget(anchor, initially: target)], value, &evaluated)
    case .allOf(let nodes): return merge(nodes, value, &evaluated)
    case .anyOf(let nodes): return checkAnyOf(nodes, node, value, &evaluated)
    case .oneOf(let nodes): return checkOneOf(nodes, node, value, &evaluated)
    case .not(let refused):
      guard probe(refused, value) != nil else { return true }
      report(node, "not", "has a form that is not allowed")
      return false
    case .conditional(let test, let then, let otherwise):
      guard let found = probe(test, value) else { return merge([otherwise].compactMap { $0 }, value, &evaluated) }
      evaluated.merge(found)
      return merge([then].compactMap { $0 }, value, &evaluated)
    case .unevaluatedItems(let item): return checkUnevaluatedItems(item, node, value, &evaluated)
    case .unevaluatedProperties(let member): return checkUnevaluatedProperties(member, node, value, &evaluated)
    }
  }

  private mutating func checkType(_ types: SchemaTypes, _ node: SchemaNode, _ value: Value) -> Bool {
    let own = SchemaTypes(of: value)
    if !types.isDisjoint(with: own) { return true }
    report(node, "type", "must be \(types.phrase), not \(own.subtracting(own.contains(.integer) ? .number : []).phrase)")
    return false
  }

  private mutating func checkBound(_ bound: SchemaKeyword.Bound, _ limit: Value, _ node: SchemaNode, _ value: Value) -> Bool {
    guard let order = compareNumbers(value, limit) else { return true }
    let (isKept, claim) =
      switch bound {
      case .minimum: (order >= 0, "at least")
      case .maximum: (order <= 0, "at most")
      case .exclusiveMinimum: (order > 0, "more than")
      case .exclusiveMaximum: (order < 0, "less than")
      }
    if !isKept { report(node, bound.rawValue, "must be \(claim) \(limit.json())") }
    return isKept
  }

  /// Nil counts belong to values that the keyword does not speak of.
  private mutating func checkCount(
    _ count: Int?, atLeast: Int = 0, atMost: Int = .max, orReport report: (inout Evaluation) -> Void
  ) -> Bool {
    guard let count, !(atLeast <= count && count <= atMost) else { return true }
    report(&self)
    return false
  }

  /// In Unicode scalars.
  private func length(of value: Value) -> Int? { value.stringValue?.unicodeScalars.count }

  /// Checks the same value against others, all of which must hold.
  private mutating func merge(_ nodes: [Int], _ value: Value, _ evaluated: inout Evaluated) -> Bool {
    var isValid = true
    for node in nodes {
      if let found = check(node, value) {
        evaluated.merge(found)
      } else {
        isValid = false
      }
    }
    return isValid
  }
}
