import Values

extension SystemDescription {
  /// The steps and settings by which somebody signs in on a connection of the system, each as messages show it.
  package var waysIn: [String] {
    let names = steps.filter(\.about.signsIn).map { "`\($0.about.name)`" }
    // Some systems have one step for each kind of person.
    return (names.count > 3 ? ["a step such as \(names[0])"] : names) + (settingsOfUser.map { [$0] } ?? [])
  }

  /// One setting, or two, which sign a user in by themselves.
  private var settingsOfUser: String? {
    let names = settings().fields.map(\.name).filter { $0 != "token_store" }
    func suffice(_ given: [String]) -> Bool {
      var settings = ValueMap()
      for name in given { settings[name] = .string(name) }
      return signsIn(settings)
    }
    if let one = names.first(where: { suffice([$0]) }) { return "`\(one)` in the connection's settings" }
    for (index, first) in names.enumerated() {
      if let second = names[(index + 1)...].first(where: { suffice([first, $0]) }) {
        return "`\(first)` and `\(second)` in the connection's settings"
      }
    }
    return nil
  }
}
