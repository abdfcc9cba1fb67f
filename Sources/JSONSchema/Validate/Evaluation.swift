import Values

/// What the keywords of one place have looked at, for `unevaluatedProperties` and `unevaluatedItems`.
struct Evaluated {
  /// Positions in the map or list.
  var positions: Set<Int> = []
  var isAll = false

  mutating func merge(_ other: Evaluated) {
    isAll = isAll || other.isAll
    if !other.positions.isEmpty { positions.formUnion(other.positions) }
  }
}

/// One validation of one value.
struct Evaluation {
  let schema: Schema
  var violations: [SchemaViolation] = []
  /// Where in the value it stands.
  var path: [SchemaViolation.PathToken] = []
  /// Set while only the answer counts and not the reasons.
  var isSilent = false
  /// The resources entered so far, outermost first: the dynamic scope.
  private var scope: [Int] = []
  private var depth = 0
  /// Deep enough for any value that the JSON reader lets in, and little enough for the stack.
  private static let maximumDepth = 1000

  init(schema: Schema) { self.schema = schema }

  /// Checks a value against a node: what was looked at, or nil if it is not valid.
  mutating func check(_ index: Int, _ value: Value) -> Evaluated? {
    let node = schema.nodes[index]
    if let verdict = node.verdict {
      if !verdict { report(node, nil, "is not allowed") }
      return verdict ? Evaluated() : nil
    }
    guard depth < Self.maximumDepth else {
      report(node, nil, "is nested too deeply for its schema")
      return nil
    }
    depth += 1
    let entersResource = scope.last != node.resource
    if entersResource { scope.append(node.resource) }
    defer {
      depth -= 1
      if entersResource { scope.removeLast() }
    }
    let value = plain(value)
    var evaluated = Evaluated()
    var isValid = true
    for keyword in node.keywords where !apply(keyword, of: node, to: value, &evaluated) {
      isValid = false
      if isSilent { break }
    }
    return isValid ? evaluated : nil
  }

  /// Checks a part of the value.
  mutating func check(_ index: Int, _ value: Value, at token: SchemaViolation.PathToken) -> Bool {
    path.append(token)
    defer { path.removeLast() }
    return check(index, value) != nil
  }

  /// Checks without a word.
  mutating func probe(_ index: Int, _ value: Value) -> Evaluated? {
    let wasSilent = isSilent
    isSilent = true
    defer { isSilent = wasSilent }
    return check(index, value)
  }

  /// The node that a dynamic reference means here: the anchor in the outermost resource that has it.
  func dynamicTarget(_ anchor: String, initially node: Int) -> Int {
    for resource in scope {
      if let target = schema.resources[resource].dynamicAnchors[anchor] { return target }
    }
    return node
  }

  /// Values that JSON lacks are checked as the text that JSON has for them.
  private func plain(_ value: Value) -> Value {
    switch value {
    case .secret(let inner): plain(inner)
    case .optional(let inner): inner.map(plain) ?? .null
    case .timestamp, .duration, .bytes, .type: (try? JSON.parse(value.jsonBytes())) ?? value
    default: value
    }
  }

  // MARK: - Saying what is wrong

  /// Notes a violation of the value as a whole; `claim` follows its name.
  mutating func report(_ node: SchemaNode, _ keyword: String?, _ claim: @autoclosure () -> String) {
    guard !isSilent else { return }
    let message = "\(subject) \(claim())"
    report(node, keyword, message: message)
  }

  mutating func report(_ node: SchemaNode, _ keyword: String?, message: String, knownKeys: [String] = []) {
    guard !isSilent else { return }
    let place = keyword.map { "#\(node.pointer)/\(escapedPointerToken($0))" } ?? "#\(node.pointer)"
    violations.append(SchemaViolation(path: path, schemaPath: place, message: message, knownKeys: knownKeys))
  }

  /// What messages call the value.
  var subject: String { path.isEmpty ? "the value" : "`\(dotted(path))`" }

  /// What messages call a member of the value.
  func subject(of key: String) -> String { "`\(dotted(path + [.key(key)]))`" }
}

/// A count with its noun, such as `1 item`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// How messages show a value of the schema.
func shown(_ value: Value) -> String { "`\(value.stringValue ?? value.json())`" }
