package import Values

/// The documents that a schema may refer to by URI. Nothing is ever fetched.
package struct SchemaRegistry: Sendable {
  private var documents: [String: Value]

  /// Documents by the absolute URI at which they would be retrieved, without fragment; the meta-schemas of draft
  /// 2020-12 are always there.
  package init(_ documents: [String: Value] = [:]) { self.documents = documents }

  package mutating func add(_ document: Value, at uri: String) { documents[uri] = document }

  /// The meta-schemas of draft 2020-12 and nothing else.
  package static let standard = SchemaRegistry()

  func document(at uri: String) -> Value? { documents[uri] ?? MetaSchema.documents[uri] }
}
