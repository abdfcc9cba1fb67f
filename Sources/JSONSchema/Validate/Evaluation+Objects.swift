import Values

extension Evaluation {
  mutating func checkRequired(_ names: [String], _ node: SchemaNode, _ value: Value) -> Bool {
    guard let map = value.mapValue else { return true }
    var isValid = true
    for name in names where map[name] == nil {
      let subject = subject(of: name)
      report(node, "required", message: "\(subject) is missing")
      isValid = false
    }
    return isValid
  }

  mutating func checkDependentRequired(
    _ rules: [(name: String, required: [String])], _ node: SchemaNode, _ value: Value
  ) -> Bool {
    guard let map = value.mapValue else { return true }
    var isValid = true
    for rule in rules where map[rule.name] != nil {
      for name in rule.required where map[name] == nil {
        let subject = subject(of: name)
        report(node, "dependentRequired", message: "\(subject) is missing; it is needed with `\(rule.name)`")
        isValid = false
      }
    }
    return isValid
  }

  mutating func checkProperties(
    _ rules: SchemaKeyword.PropertyRules, _ node: SchemaNode, _ value: Value, _ evaluated: inout Evaluated
  ) -> Bool {
    guard let map = value.mapValue else { return true }
    var isValid = true
    for (position, entry) in map.entries.enumerated() {
      let name = entry.key.text
      var isCovered = false
      if let named = rules.node(of: entry.key) {
        isCovered = true
        if !check(named, entry.value, at: .key(name)) { isValid = false }
      }
      for (pattern, target) in rules.patterns where pattern.isFound(in: name) {
        isCovered = true
        if !check(target, entry.value, at: .key(name)) { isValid = false }
      }
      if !isCovered, let additional = rules.additional {
        isCovered = true
        if !checkMember(name, entry.value, additional, "additionalProperties", node, known: rules.named.map(\.name)) { isValid = false }
      }
      if isCovered, schema.tracksEvaluated { evaluated.positions.insert(position) }
      if isSilent, !isValid { return false }
    }
    return isValid
  }

  /// Checks a member that no name foresaw; where none is allowed it is called unknown.
  private mutating func checkMember(
    _ name: String, _ value: Value, _ target: Int, _ keyword: String, _ node: SchemaNode, known: [String]
  ) -> Bool {
    guard schema.nodes[target].verdict == false else { return check(target, value, at: .key(name)) }
    let place = path.isEmpty ? "" : " in \(subject)"
    path.append(.key(name))
    report(node, keyword, message: "unknown key `\(name)`\(place)", knownKeys: known)
    path.removeLast()
    return false
  }

  mutating func checkNames(_ target: Int, _ node: SchemaNode, _ value: Value) -> Bool {
    guard let map = value.mapValue else { return true }
    var isValid = true
    for entry in map {
      let name = entry.key.text
      guard probe(target, .string(name)) == nil else { continue }
      isValid = false
      guard !isSilent else { return false }
      // The reason, told of the name and not of what stands under it.
      var own = self
      own.violations = []
      own.path = [.key(name)]
      _ = own.check(target, .string(name))
      let reason = own.violations.first.map { ": \($0.message)" } ?? ""
      path.append(.key(name))
      report(node, "propertyNames", message: "the name `\(name)` is not allowed\(reason)")
      path.removeLast()
    }
    return isValid
  }

  mutating func checkUnevaluatedProperties(
    _ target: Int, _ node: SchemaNode, _ value: Value, _ evaluated: inout Evaluated
  ) -> Bool {
    guard let map = value.mapValue, !evaluated.isAll else { return true }
    var isValid = true
    for (position, entry) in map.entries.enumerated() where !evaluated.positions.contains(position) {
      if !checkMember(entry.key.text, entry.value, target, "unevaluatedProperties", node, known: knownKeys(of: node)) { isValid = false }
    }
    evaluated.isAll = true
    return isValid
  }

  /// The names of `properties` beside a keyword.
  private func knownKeys(of node: SchemaNode) -> [String] {
    node.keywords.flatMap { keyword in
      if case .properties(let rules) = keyword { rules.named.map(\.name) } else { [String]() }
    }
  }
}
