package import Values

/// What the worlds of all systems say of `given` and `change`.
extension SchemaVocabulary {
  /// A system's `given`: what there is before the first request.
  package static func world(_ about: String, _ members: [(String, Value)]) -> Value {
    var map = ValueMap()
    map["type"] = "object"
    map["description"] = .string(about)
    map["properties"] = .map(members.reduce(into: ValueMap()) { $0[$1.0] = $1.1 })
    map["additionalProperties"] = false
    return .map(map)
  }

  /// Switches: name, schema, and what each does.
  package static func described(_ switches: [(String, Value, String)]) -> [(String, Value)] {
    switches.map { name, schema, about in (name, schema.described(about)) }
  }

  /// `set`, which turns switches in the middle of a run.
  package static func setting(_ switches: [(String, Value)]) -> (String, Value) {
    ("set", world("Turns switches; those that are not named stay.", switches))
  }

  /// `expire` or `revoke` of the classes of tokens that there are, or of `all`.
  package static func tokens(_ verb: String, of classes: [String], _ about: String) -> (String, Value) {
    (verb, ["enum": .list((classes + ["all"]).map { .string($0) }), "description": .string(about)])
  }

  /// The apps that may get tokens.
  package static var clients: (String, Value) {
    (
      "clients",
      list(
        of: closed(
          [("client_id", filled.described("The app's id.")), ("client_secret", filled.described("Its secret."))],
          required: ["client_id", "client_secret"]),
        "The apps that may get tokens; without this list any id with any secret may.")
    )
  }
}
