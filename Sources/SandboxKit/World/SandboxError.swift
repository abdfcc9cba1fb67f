/// Why a sandbox cannot be set up, or changed, as it was asked to.
package struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in what was given, such as `given.rapidsos.users[0].usrname`; empty where that says nothing.
  package var path: String
  /// Lower case, no full stop.
  package var message: String

  package init(_ message: String, at path: String = "") {
    self.path = path
    self.message = message
  }

  package var description: String { path.isEmpty ? message : "`\(path)`: \(message)" }
}
