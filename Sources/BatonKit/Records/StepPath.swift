/// The path of an execution in the journal, such as `onboard/create[ada]`: ids from the outside in, each with the keys of
/// the items and rounds around it.
struct StepPath: Hashable, Sendable {
  /// Of the step itself.
  let id: String
  /// Outermost first.
  let keys: [String]
  /// How many ids stand before it.
  let depth: Int

  init(_ path: String) {
    var parts: [Substring.UnicodeScalarView] = [Substring(path).unicodeScalars.prefix(0)]
    var keys: [String] = []
    var key = ""
    var open = 0
    for scalar in path.unicodeScalars {
      switch scalar {
      case "[":
        if open > 0 { key.unicodeScalars.append(scalar) }
        open += 1
      case "]" where open > 0:
        open -= 1
        if open > 0 {
          key.unicodeScalars.append(scalar)
        } else {
          keys.append(key)
          key = ""
        }
      case "/" where open == 0: parts.append(Substring.UnicodeScalarView())
      default: if open > 0 { key.unicodeScalars.append(scalar) } else { parts[parts.count - 1].append(scalar) }
      }
    }
    guard open == 0, let last = parts.last, !last.isEmpty else {
      // Not a path as they are written: nothing is read into it.
      (id, self.keys, depth) = (path, [], 0)
      return
    }
    (id, self.keys, depth) = (String(Substring(last)), keys, parts.count - 1)
  }
}
