import SourceText

/// `[SYSTEM ]METHOD /path/{name}`, in its parts.
struct ScenarioRouteName {
  private let system: Substring?
  private let method: Substring?
  private let path: Substring

  init(_ text: String) {
    let parts = text.split(separator: " ")
    path = parts.last ?? ""
    method = parts.dropLast().last
    system = parts.count > 2 ? parts[0] : nil
  }

  /// What a route that nobody has was meant to be. Documents often leave out what all paths of an API begin with.
  static func help(for text: String, among known: [String]) -> String {
    let wanted = ScenarioRouteName(text)
    let endings = known.filter { ScenarioRouteName($0).ends(as: wanted) }
    if endings.count > 1, endings.count <= 6 { return "did you mean one of \(quotedList(endings))?" }
    let nearest = endings.count == 1 ? endings[0] : nearestName(to: text, among: known)
    if let nearest { return "did you mean `\(nearest)`?" }
    return "a route is a method and a whole path, such as `\(known.first ?? "GET /v1/users/{id}")`"
  }

  private func ends(as other: ScenarioRouteName) -> Bool {
    guard other.path.count > 1, other.path.hasPrefix("/"), path.hasSuffix(other.path), method == other.method else { return false }
    guard let system, let wanted = other.system else { return true }
    return system == wanted
  }
}
