import Values

/// A place in one of the documents.
struct SchemaLocation: Hashable {
  var document: Int
  /// A JSON Pointer.
  var pointer: String

  func appending(_ token: String) -> SchemaLocation {
    SchemaLocation(document: document, pointer: pointer + "/" + escapedPointerToken(token))
  }
}

/// Every resource and anchor of the documents read so far, found where subschemas may stand and nowhere else: an `$id`
/// inside of `enum` names nothing.
struct SchemaIndex {
  struct Resource {
    var base: URIReference
    var root: SchemaLocation
    var anchors: [String: SchemaLocation] = [:]
    var dynamicAnchors: [String: SchemaLocation] = [:]
    var dialect = SchemaDialect.standard
  }

  private(set) var documents: [Value] = []
  private(set) var resources: [Resource] = []
  private var resourceOfURI: [String: Int] = [:]
  /// The resource of each place where a subschema may stand.
  private var resourceOfLocation: [SchemaLocation: Int] = [:]

  /// Reads a document that was, or would be, retrieved at `uri`.
  mutating func add(_ document: Value, at uri: URIReference, registry: SchemaRegistry) throws(SchemaError) -> SchemaLocation {
    let root = SchemaLocation(document: documents.count, pointer: "")
    documents.append(document)
    let resource = resources.count
    resources.append(Resource(base: uri, root: root))
    resourceOfURI[uri.text] = resource
    try scan(document, at: root, in: resource, registry)
    return root
  }

  func resource(ofURI uri: String) -> Int? { resourceOfURI[uri] }

  /// The resource that a place belongs to; for places where no subschema is expected, that of the nearest one above.
  func resource(of location: SchemaLocation) -> Int? {
    var location = location
    while true {
      if let resource = resourceOfLocation[location] { return resource }
      guard let slash = location.pointer.lastIndex(of: "/") else { return nil }
      location.pointer = String(location.pointer[..<slash])
    }
  }

  func value(at location: SchemaLocation) -> Value? {
    guard let tokens = pointerTokens(location.pointer) else { return nil }
    var value = documents[location.document]
    for token in tokens {
      guard let member = value.member(token) else { return nil }
      value = member
    }
    return value
  }

  private mutating func scan(
    _ schema: Value, at location: SchemaLocation, in enclosing: Int, _ registry: SchemaRegistry
  ) throws(SchemaError) {
    var resource = enclosing
    if let id = schema["$id"]?.stringValue {
      resource = try open(id, at: location, in: enclosing)
    }
    resourceOfLocation[location] = resource
    guard let map = schema.mapValue else { return }
    if let dialect = map["$schema"]?.stringValue, resources[resource].root == location {
      resources[resource].dialect = try SchemaDialect(dialect, registry, at: location.pointer)
    }
    if let anchor = map["$anchor"]?.stringValue { resources[resource].anchors[anchor] = location }
    if let anchor = map["$dynamicAnchor"]?.stringValue {
      resources[resource].anchors[anchor] = location
      resources[resource].dynamicAnchors[anchor] = location
    }
    for (key, value) in map {
      guard case .string(let name) = key else { continue }
      let place = location.appending(name)
      if Self.schemaKeywords.contains(name) {
        try scan(value, at: place, in: resource, registry)
      } else if Self.mapKeywords.contains(name), let members = value.mapValue {
        for (key, member) in members { try scan(member, at: place.appending(key.text), in: resource, registry) }
      } else if Self.listKeywords.contains(name), let items = value.listValue {
        for (index, item) in items.enumerated() { try scan(item, at: place.appending(String(index)), in: resource, registry) }
      }
    }
  }

  /// The resource that an `$id` starts.
  private mutating func open(_ id: String, at location: SchemaLocation, in enclosing: Int) throws(SchemaError) -> Int {
    let base = resources[enclosing].base.resolving(URIReference(id))
    if let fragment = base.fragment, !fragment.isEmpty {
      throw SchemaError("`$id` must have no fragment; use `$anchor`", at: location.pointer + "/$id")
    }
    let uri = base.withoutFragment
    if resources[enclosing].root == location {
      // The root of a document is known by where it was retrieved and by what it calls itself.
      resources[enclosing].base = uri
      resourceOfURI[uri.text] = enclosing
      return enclosing
    }
    let dialect = resources[enclosing].dialect
    resources.append(Resource(base: uri, root: location, dialect: dialect))
    resourceOfURI[uri.text] = resources.count - 1
    return resources.count - 1
  }

  private static let schemaKeywords: Set<String> = [
    "additionalProperties", "items", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems",
    "unevaluatedProperties", "contentSchema",
  ]
  private static let mapKeywords: Set<String> = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]
  private static let listKeywords: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
}

/// Which vocabularies the meta-schema of a resource turns on.
struct SchemaDialect: Hashable {
  var validates = true
  var assertsFormats = false

  static let standard = SchemaDialect()
  private static let vocabularyRoot = "https://json-schema.org/draft/2020-12/vocab/"
  private static let known: Set<String> = [
    "core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "format-assertion", "content",
  ]

  private init() {}

  init(_ uri: String, _ registry: SchemaRegistry, at pointer: String) throws(SchemaError) {
    let key = URIReference(uri).fragment == "" ? URIReference(uri).withoutFragment.text : uri
    if key == MetaSchema.uri { return }
    guard let meta = registry.document(at: key) else {
      throw SchemaError("the dialect `\(uri)` is not known; schemas are draft 2020-12", at: pointer + "/$schema")
    }
    guard let vocabularies = meta["$vocabulary"]?.mapValue else { return }
    var names: Set<String> = []
    for (key, value) in vocabularies {
      let name = key.text.hasPrefix(Self.vocabularyRoot) ? String(key.text.dropFirst(Self.vocabularyRoot.count)) : key.text
      if Self.known.contains(name) {
        names.insert(name)
      } else if value.boolValue == true {
        throw SchemaError("the vocabulary `\(key.text)` is required but not known", at: pointer + "/$schema")
      }
    }
    validates = names.contains("validation")
    assertsFormats = names.contains("format-assertion")
  }
}
