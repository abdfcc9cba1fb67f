import JSONSchema
package import Values

/// What a field asks of its value beside its shape.
package enum FieldConstraint: Hashable, Sendable {
  /// The value satisfies a JSON Schema.
  case conforms(SchemaShape)
  /// Each member of the map is a JSON Schema itself.
  case membersAreSchemas
  /// The text, or each text of the list, is written in this form.
  case written(TextForm)
}

/// A JSON Schema (2020-12), compiled once.
package struct SchemaShape: Hashable, Sendable {
  package let source: Value
  private let compiled: Schema

  /// - Throws: `schema.input` with what is wrong in the schema, and where.
  package init(_ source: Value) throws(StepFailure) {
    do {
      compiled = try Schema.compile(source)
    } catch {
      let place = error.pointer.isEmpty ? "" : " at `\(error.pointer)`"
      throw StepFailure("schema.input", title: "the input cannot be used", detail: "\(error.message)\(place)")
    }
    self.source = source
  }

  /// The type that expressions see in such a value.
  package func valueType(named name: String) -> ValueType { compiled.valueType(named: name) }

  package static func == (a: Self, b: Self) -> Bool { a.source == b.source }
  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension FieldConstraint {
  /// Every violation, with its path behind `path`.
  package func violations(in value: Value, at path: [ShapeViolation.Step]) -> [ShapeViolation] {
    let place = ShapeViolation(path, .missing).pathText
    switch self {
    case .conforms(let schema):
      // A schema says nothing of secrecy, and what it describes goes into a request.
      if let secret = value.pathOfSecret { return [ShapeViolation(path + secret, .secretNotAccepted)] }
      return schema.violations(in: value).map { ShapeViolation(path + $0.path, .schema("`\(place)`: \($0.message)")) }
    case .membersAreSchemas:
      return (value.exposed.mapValue ?? ValueMap()).compactMap { name, source in
        let inner = path + [.member(name.text)]
        do throws(StepFailure) {
          _ = try SchemaShape(source)
          return nil
        } catch {
          return ShapeViolation(inner, .rule("is not a JSON Schema: \(error.detail)"))
        }
      }
    case .written(let form): return form.violations(in: value, at: path)
    }
  }
}

extension SchemaShape {
  fileprivate func violations(in value: Value) -> [(path: [ShapeViolation.Step], message: String)] {
    compiled.validate(value).map { violation in
      let path = violation.path.map { token -> ShapeViolation.Step in
        switch token {
        case .key(let name): .member(name)
        case .index(let index): .element(index)
        }
      }
      return (path, violation.message)
    }
  }
}

extension Value {
  /// Where its first secret stands; nil where it holds none.
  fileprivate var pathOfSecret: [ShapeViolation.Step]? {
    switch self {
    case .secret: return []
    case .list(let items):
      for (index, item) in items.enumerated() {
        if let rest = item.pathOfSecret { return [.element(index)] + rest }
      }
      return nil
    case .map(let map):
      for (key, member) in map {
        if let rest = member.pathOfSecret { return [.member(key.text)] + rest }
      }
      return nil
    default: return nil
    }
  }
}
