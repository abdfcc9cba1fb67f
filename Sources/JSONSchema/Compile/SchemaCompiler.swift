import Values

/// Turns schema documents into nodes. Works through a queue instead of recursion, so that nesting costs no stack.
struct SchemaCompiler {
  let registry: SchemaRegistry
  let options: Schema.Options
  private(set) var index = SchemaIndex()
  private var nodes: [SchemaNode] = []
  private var nodeOfLocation: [SchemaLocation: Int] = [:]
  private var queue: [SchemaLocation] = []
  private var anchored: Set<Int> = []

  init(registry: SchemaRegistry, options: Schema.Options) {
    self.registry = registry
    self.options = options
  }

  mutating func compile(_ document: Value) throws(SchemaError) -> Schema {
    // A base for documents that name none.
    let start = try index.add(document, at: URIReference("schema:///"), registry: registry)
    let root = try node(at: start)
    var next = 0
    while next < queue.count {
      let location = queue[next]
      guard let value = index.value(at: location) else { throw SchemaError("nothing stands here", at: location.pointer) }
      try fill(next, from: value, at: location)
      next += 1
    }
    try refuseCycles(nodes)
    var resources = index.resources.map { _ in Schema.Resource() }
    for position in resources.indices where anchored.contains(position) {
      for (name, location) in index.resources[position].dynamicAnchors {
        resources[position].dynamicAnchors[name] = nodeOfLocation[location]
      }
    }
    let tracks = nodes.contains { node in
      node.keywords.contains { keyword in
        switch keyword {
        case .unevaluatedItems, .unevaluatedProperties: true
        default: false
        }
      }
    }
    return Schema(nodes: nodes, resources: resources, root: root, tracksEvaluated: tracks)
  }

  /// The index of the node for a place, compiled now or later.
  mutating func node(at location: SchemaLocation) throws(SchemaError) -> Int {
    if let known = nodeOfLocation[location] { return known }
    guard let resource = index.resource(of: location) else { throw SchemaError("nothing stands here", at: location.pointer) }
    let position = nodes.count
    nodes.append(SchemaNode(pointer: location.pointer, resource: resource))
    nodeOfLocation[location] = position
    queue.append(location)
    // Any resource on the way may take over a dynamic anchor, so all of them must be there.
    if anchored.insert(resource).inserted {
      for anchor in index.resources[resource].dynamicAnchors.values { _ = try node(at: anchor) }
    }
    return position
  }

  private mutating func fill(_ position: Int, from value: Value, at location: SchemaLocation) throws(SchemaError) {
    switch value {
    case .bool(let verdict): nodes[position].verdict = verdict
    case .map(let map):
      let resource = index.resources[nodes[position].resource]
      nodes[position].title = map["title"]?.stringValue
      nodes[position].about = map["description"]?.stringValue
      var reader = KeywordReader(map: map, location: location, dialect: resource.dialect)
      nodes[position].keywords = try reader.keywords(&self)
    default: throw SchemaError("a schema must be an object or a bool", at: location.pointer)
    }
  }

  /// The place that a reference means, and the name of the dynamic anchor it went through.
  mutating func target(
    of reference: String, from location: SchemaLocation, at pointer: String
  ) throws(SchemaError) -> (location: SchemaLocation, dynamicAnchor: String?) {
    guard let own = index.resource(of: location) else { throw SchemaError("nothing stands here", at: pointer) }
    let uri = index.resources[own].base.resolving(URIReference(reference))
    guard let resource = try resource(at: uri.withoutFragment) else {
      throw SchemaError("`\(reference)` refers to a document that is not known", at: pointer)
    }
    let fragment = percentDecoded(uri.fragment ?? "")
    if fragment.isEmpty || fragment.hasPrefix("/") {
      var target = index.resources[resource].root
      target.pointer += (pointerTokens(fragment) ?? []).map { "/" + escapedPointerToken($0) }.joined()
      guard index.value(at: target) != nil else { throw SchemaError("`\(reference)` refers to nothing", at: pointer) }
      return (target, nil)
    }
    guard let target = index.resources[resource].anchors[fragment] else {
      throw SchemaError("`\(reference)` refers to nothing", at: pointer)
    }
    return (target, index.resources[resource].dynamicAnchors[fragment] == target ? fragment : nil)
  }

  private mutating func resource(at uri: URIReference) throws(SchemaError) -> Int? {
    if let known = index.resource(ofURI: uri.text) { return known }
    guard let document = registry.document(at: uri.text) else { return nil }
    _ = try index.add(document, at: uri, registry: registry)
    return index.resource(ofURI: uri.text)
  }
}

/// A schema that comes back to itself without looking into the value would never end.
private func refuseCycles(_ nodes: [SchemaNode]) throws(SchemaError) {
  // 0 not seen, 1 on the way, 2 done
  var state = Array(repeating: 0, count: nodes.count)
  for start in nodes.indices where state[start] == 0 {
    var stack = [(node: start, next: 0)]
    state[start] = 1
    while let (node, next) = stack.last {
      let targets = nodes[node].keywords.flatMap(\.inPlace)
      guard next < targets.count else {
        state[node] = 2
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let target = targets[next]
      if state[target] == 1 { throw SchemaError("the schema refers to itself without end", at: nodes[node].pointer) }
      if state[target] == 0 {
        state[target] = 1
        stack.append((target, 0))
      }
    }
  }
}

extension SchemaKeyword {
  /// The subschemas that it applies to the same value.
  fileprivate var inPlace: [Int] {
    switch self {
    case .reference(let node), .dynamicReference(let node, _), .not(let node): [node]
    case .allOf(let nodes), .anyOf(let nodes), .oneOf(let nodes): nodes
    case .conditional(let test, let then, let otherwise): [test] + [then, otherwise].compactMap { $0 }
    case .dependentSchemas(let rules): rules.map(\.node)
    default: []
    }
  }
}
