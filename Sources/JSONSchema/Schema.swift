package import Values

/// A JSON Schema (draft 2020-12), compiled once: references resolved, patterns compiled.
package struct Schema: Sendable {
  package struct Options: Hashable, Sendable {
    /// Whether `format` refuses values; the specification has it say nothing unless asked.
    package var assertsFormats: Bool

    package init(assertsFormats: Bool = true) { self.assertsFormats = assertsFormats }
  }

  /// What stands under one `$id`, as far as evaluation needs to know.
  struct Resource: Sendable {
    var dynamicAnchors: [String: Int] = [:]
  }

  let nodes: [SchemaNode]
  let resources: [Resource]
  let root: Int
  /// Whether any keyword asks what others have looked at, which costs time to note.
  let tracksEvaluated: Bool

  /// The compiled form of a schema; documents that it refers to must stand in the registry.
  /// - Throws: `SchemaError` for a keyword of the wrong form, an invalid pattern, a reference to nothing, a cycle of
  ///   references that asks nothing of a value, or a dialect other than 2020-12.
  package static func compile(
    _ value: Value, registry: SchemaRegistry = .standard, options: Options = Options()
  ) throws(SchemaError) -> Schema {
    var compiler = SchemaCompiler(registry: registry, options: options)
    return try compiler.compile(value)
  }

  /// All violations, in the order of the schema's keywords; none for a value that is as it should be.
  package func validate(_ value: Value) -> [SchemaViolation] {
    var evaluation = Evaluation(schema: self)
    _ = evaluation.check(root, value)
    return evaluation.violations
  }

  /// Whether the value has no violation; quicker than to list them.
  package func accepts(_ value: Value) -> Bool {
    var evaluation = Evaluation(schema: self)
    evaluation.isSilent = true
    return evaluation.check(root, value) != nil
  }
}
