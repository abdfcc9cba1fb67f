/// Why a schema cannot be used.
package struct SchemaError: Error, Hashable, Sendable {
  /// Lower case, no full stop, code in backticks.
  package var message: String
  /// The place in the schema, as a JSON Pointer.
  package var pointer: String

  package init(_ message: String, at pointer: String) {
    self.message = message
    self.pointer = pointer
  }
}
