package import Values

/// The words of OpenAPI that descriptions are written in, for a type that adopts it; schemas go by their name in `schemas`.
package protocol APIVocabulary: SchemaVocabulary {}

extension APIVocabulary {
  /// The scheme of a bearer token.
  package static func bearer(_ about: String) -> Value { ["type": "http", "scheme": "bearer", "description": .string(about)] }

  /// 200 with JSON.
  package static func ok(_ about: String, _ schema: String, _ example: Value? = nil) -> APIAnswer { ok(200, about, schema, example) }

  /// An answer of JSON.
  package static func ok(_ status: Int, _ about: String, _ schema: String, _ example: Value? = nil) -> APIAnswer {
    APIAnswer(status, about, schema: .named(schema), example: example)
  }

  /// 200 with a list of JSON.
  package static func list(_ about: String, _ schema: String) -> APIAnswer {
    APIAnswer(200, about, schema: list(of: .named(schema)))
  }

  /// 204.
  package static func empty(_ about: String) -> APIAnswer { empty(204, about) }

  /// An answer without a body.
  package static func empty(_ status: Int, _ about: String) -> APIAnswer { APIAnswer(status, about, mediaType: nil) }

  /// A body of JSON.
  package static func body(_ schema: String, _ example: Value) -> APIBody { APIBody(schema: .named(schema), example: example) }

  /// A part of the path.
  package static func path(_ name: String, _ about: String, _ example: Value, schema: Value? = nil) -> APIParameter {
    APIParameter(name, in: .path, about, schema: schema ?? filled, example: example)
  }

  /// A pair of the query.
  package static func query(
    _ name: String, _ about: String, _ example: Value? = nil, schema: Value? = nil, isRequired: Bool = true
  ) -> APIParameter {
    APIParameter(name, in: .query, about, schema: schema ?? filled, example: example, isRequired: isRequired)
  }
}
