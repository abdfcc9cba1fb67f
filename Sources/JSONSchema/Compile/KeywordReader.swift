import Values

/// Reads the keywords of one object schema.
struct KeywordReader {
  let map: ValueMap
  let location: SchemaLocation
  let dialect: SchemaDialect
  private var keywords: [SchemaKeyword] = []

  init(map: ValueMap, location: SchemaLocation, dialect: SchemaDialect) {
    self.map = map
    self.location = location
    self.dialect = dialect
  }

  mutating func keywords(_ compiler: inout SchemaCompiler) throws(SchemaError) -> [SchemaKeyword] {
    if dialect.validates { try readAssertions() }
    try readFormat(compiler.options)
    try readReferences(&compiler)
    try readProperties(&compiler)
    try readItems(&compiler)
    try readCombinations(&compiler)
    // Last, since they ask what the others have looked at.
    if let node = try node("unevaluatedItems", &compiler) { keywords.append(.unevaluatedItems(node)) }
    if let node = try node("unevaluatedProperties", &compiler) { keywords.append(.unevaluatedProperties(node)) }
    return keywords
  }

  private mutating func readAssertions() throws(SchemaError) {
    if let types = map["type"] { keywords.append(.type(try readTypes(types))) }
    if let value = map["enum"] {
      guard let values = value.listValue else { throw wrong("enum", "a list") }
      keywords.append(.enumeration(values))
    }
    if let value = map["const"] { keywords.append(.constant(value)) }
    for bound in [SchemaKeyword.Bound.minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum] {
      guard let value = map[bound.rawValue] else { continue }
      guard ExactDecimal(value) != nil else { throw wrong(bound.rawValue, "a number") }
      keywords.append(.bound(bound, value))
    }
    if let value = map["multipleOf"] {
      guard let divisor = ExactDecimal(value), divisor > ExactDecimal(Int64(0)) else { throw wrong("multipleOf", "a number above 0") }
      keywords.append(.multipleOf(divisor, value))
    }
    if let count = try count("minLength") { keywords.append(.minLength(count)) }
    if let count = try count("maxLength") { keywords.append(.maxLength(count)) }
    if let source = map["pattern"] {
      guard let source = source.stringValue else { throw wrong("pattern", "a string") }
      keywords.append(.pattern(try pattern(source, "pattern")))
    }
    if let count = try count("minItems") { keywords.append(.minItems(count)) }
    if let count = try count("maxItems") { keywords.append(.maxItems(count)) }
    if map["uniqueItems"]?.boolValue == true { keywords.append(.uniqueItems) }
    if let count = try count("minProperties") { keywords.append(.minProperties(count)) }
    if let count = try count("maxProperties") { keywords.append(.maxProperties(count)) }
    if let value = map["required"] { keywords.append(.required(try names(value, "required"))) }
    if let value = map["dependentRequired"] {
      guard let rules = value.mapValue else { throw wrong("dependentRequired", "an object") }
      var read: [(name: String, required: [String])] = []
      for (name, value) in rules { read.append((name.text, try names(value, "dependentRequired"))) }
      keywords.append(.dependentRequired(read))
    }
  }

  private mutating func readFormat(_ options: Schema.Options) throws(SchemaError) {
    guard let value = map["format"] else { return }
    guard let name = value.stringValue else { throw wrong("format", "a string") }
    // A format that the language does not name says nothing, as the specification has it.
    guard options.assertsFormats || dialect.assertsFormats, let format = SchemaFormat(rawValue: name) else { return }
    keywords.append(.format(format, region: map["region"]?.stringValue))
  }

  private mutating func readReferences(_ compiler: inout SchemaCompiler) throws(SchemaError) {
    if let value = map["$ref"] {
      guard let reference = value.stringValue else { throw wrong("$ref", "a string") }
      let target = try compiler.target(of: reference, from: location, at: pointer("$ref"))
      keywords.append(.reference(try compiler.node(at: target.location)))
    }
    if let value = map["$dynamicRef"] {
      guard let reference = value.stringValue else { throw wrong("$dynamicRef", "a string") }
      let target = try compiler.target(of: reference, from: location, at: pointer("$dynamicRef"))
      let node = try compiler.node(at: target.location)
      keywords.append(target.dynamicAnchor.map { .dynamicReference(node, anchor: $0) } ?? .reference(node))
    }
  }

  private mutating func readProperties(_ compiler: inout SchemaCompiler) throws(SchemaError) {
    var rules = SchemaKeyword.PropertyRules()
    for (name, node) in try nodeMap("properties", &compiler) { rules.add(name, node) }
    for (source, node) in try nodeMap("patternProperties", &compiler) {
      rules.patterns.append((try pattern(source, "patternProperties"), node))
    }
    rules.additional = try node("additionalProperties", &compiler)
    if !rules.named.isEmpty || !rules.patterns.isEmpty || rules.additional != nil { keywords.append(.properties(rules)) }
    if let node = try node("propertyNames", &compiler) { keywords.append(.propertyNames(node)) }
    let dependent = try nodeMap("dependentSchemas", &compiler)
    if !dependent.isEmpty { keywords.append(.dependentSchemas(dependent)) }
  }

  private mutating func readItems(_ compiler: inout SchemaCompiler) throws(SchemaError) {
    let prefix = try nodeList("prefixItems", &compiler)
    if !prefix.isEmpty { keywords.append(.prefixItems(prefix)) }
    if let node = try node("items", &compiler) { keywords.append(.items(node, from: prefix.count)) }
    if let node = try node("contains", &compiler) {
      let atLeast = dialect.validates ? try count("minContains") : nil
      let atMost = dialect.validates ? try count("maxContains") : nil
      keywords.append(.contains(node, atLeast: atLeast ?? 1, atMost: atMost))
    }
  }

  private mutating func readCombinations(_ compiler: inout SchemaCompiler) throws(SchemaError) {
    let all = try nodeList("allOf", &compiler)
    if !all.isEmpty { keywords.append(.allOf(all)) }
    let any = try nodeList("anyOf", &compiler)
    if !any.isEmpty { keywords.append(.anyOf(any)) }
    let one = try nodeList("oneOf", &compiler)
    if !one.isEmpty { keywords.append(.oneOf(one)) }
    if let node = try node("not", &compiler) { keywords.append(.not(node)) }
    if let test = try node("if", &compiler) {
      let then = try node("then", &compiler)
      let otherwise = try node("else", &compiler)
      keywords.append(.conditional(test: test, then: then, otherwise: otherwise))
    }
  }
}

// MARK: - Forms of keywords

extension KeywordReader {
  private func pointer(_ keyword: String) -> String { location.appending(keyword).pointer }

  private func wrong(_ keyword: String, _ form: String) -> SchemaError {
    SchemaError("`\(keyword)` must be \(form)", at: pointer(keyword))
  }

  private func count(_ keyword: String) throws(SchemaError) -> Int? {
    guard let value = map[keyword] else { return nil }
    guard let count = value.intValue, count >= 0 else { throw wrong(keyword, "a whole number, 0 or more") }
    return Int(count)
  }

  private func names(_ value: Value, _ keyword: String) throws(SchemaError) -> [String] {
    guard let items = value.listValue else { throw wrong(keyword, "a list of names") }
    var names: [String] = []
    for item in items {
      guard let name = item.stringValue else { throw wrong(keyword, "a list of names") }
      names.append(name)
    }
    return names
  }

  private func readTypes(_ value: Value) throws(SchemaError) -> SchemaTypes {
    var types: SchemaTypes = []
    for item in value.listValue ?? [value] {
      guard let name = item.stringValue else { throw wrong("type", "the name of a type, or a list of them") }
      guard let type = SchemaTypes(name: name) else {
        let known = SchemaTypes.named.map { "`\($0.name)`" }.joined(separator: ", ")
        throw SchemaError("unknown type `\(name)`; the types are \(known)", at: pointer("type"))
      }
      types.insert(type)
    }
    return types
  }

  private func pattern(_ source: String, _ keyword: String) throws(SchemaError) -> SchemaPattern {
    guard let pattern = SchemaPattern(source) else {
      throw SchemaError("`\(source)` is not a valid regular expression", at: pointer(keyword))
    }
    return pattern
  }

  private func node(_ keyword: String, _ compiler: inout SchemaCompiler) throws(SchemaError) -> Int? {
    map[keyword] == nil ? nil : try compiler.node(at: location.appending(keyword))
  }

  private func nodeList(_ keyword: String, _ compiler: inout SchemaCompiler) throws(SchemaError) -> [Int] {
    guard let value = map[keyword] else { return [] }
    guard let items = value.listValue else { throw wrong(keyword, "a list of schemas") }
    var nodes: [Int] = []
    for position in items.indices { nodes.append(try compiler.node(at: location.appending(keyword).appending(String(position)))) }
    return nodes
  }

  private func nodeMap(_ keyword: String, _ compiler: inout SchemaCompiler) throws(SchemaError) -> [(name: String, node: Int)] {
    guard let value = map[keyword] else { return [] }
    guard let members = value.mapValue else { throw wrong(keyword, "an object of schemas") }
    var nodes: [(name: String, node: Int)] = []
    for (key, _) in members { nodes.append((key.text, try compiler.node(at: location.appending(keyword).appending(key.text)))) }
    return nodes
  }
}
