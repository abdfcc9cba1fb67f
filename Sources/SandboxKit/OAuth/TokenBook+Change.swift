package import Values

extension TokenBook {
  /// Carries out a scenario's `expire` or `revoke`.
  /// - Parameter what: one of the classes that the system has, or `all`.
  /// - Returns: the class; nil is every one.
  /// - Throws: `SandboxError` for another class.
  @discardableResult
  package mutating func change(
    _ verb: String, _ what: Value, of classes: [String], in system: String, at now: Timestamp
  ) throws(SandboxError) -> String? {
    let name = what.exposed.stringValue ?? what.typeName
    guard name == "all" || classes.contains(name) else {
      let known = classes.map { "`\($0)`" }.joined(separator: ", ")
      throw SandboxError("`\(name)` is no class of tokens; known are \(known) and `all`", at: "\(system).\(verb)")
    }
    let kind = name == "all" ? nil : name
    if verb == "expire" { expire(kind: kind, at: now) } else { revoke(kind: kind) }
    return kind
  }
}
