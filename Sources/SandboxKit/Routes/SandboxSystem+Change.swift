import Values

extension SandboxSystem {
  /// Why a verb is none of those that `changeSchema` has.
  package func unknownChange(_ verb: String) -> SandboxError {
    let known = (changeSchema["properties"]?.mapValue ?? ValueMap()).map { "`\($0.key.text)`" }
    let list = ([known.dropLast().joined(separator: ", ")] + known.suffix(1)).filter { !$0.isEmpty }.joined(separator: " and ")
    return SandboxError("unknown change `\(verb)`; known are \(list)", at: name)
  }
}
