import Reporters
import StepKit
import Values

/// A system's page in the catalogue: its connections, then its steps.
struct SystemPage: Sendable {
  let group: CatalogueGroup
  let catalogue: StepCatalogue

  init(_ group: CatalogueGroup, in catalogue: StepCatalogue) {
    self.group = group
    self.catalogue = catalogue
  }

  func text(_ layout: TextLayout) -> String {
    guard let system = group.system else { return StepList.text(of: [group], layout) }
    var text = "\(system.name): \(system.title)\n"
    if !system.hosts.isEmpty { text += layout.line("  hosts    ", system.hosts.joined(separator: ", ")) }
    text += layout.line("  sandbox  ", system.hasSandbox ? "`baton run --sandbox` stands in for it" : "none stands in for it")
    let settings = catalogue.settings(of: system)
    if !settings.own.isEmpty { text += "\nconnection\n" + layout.rows(settings.own, indent: 2) }
    if !settings.common.isEmpty { text += "\nconnection, as every other\n" + layout.rows(settings.common, indent: 2) }
    text += "\nexample\n" + system.connectionExample(for: group.steps).split(separator: "\n").map { "  \($0)\n" }.joined()
    return group.steps.isEmpty ? text : text + "\nsteps\n" + layout.pairs(StepList.pairs(group.steps), indent: 2)
  }
}

extension SystemDescription {
  /// A connection with what it cannot do without, what these steps need of it, and the secrets among that.
  func connectionExample(for steps: [AnyStep]) -> String {
    let shown = settings().fields.filter { $0.isAlwaysShown || !users(of: $0, among: steps).isEmpty }
    let secrets = shown.filter(\.isSecret).map(\.name)
    var text = "connections:\n  \(name):\(shown.isEmpty ? " {}" : "")\n"
    for field in shown {
      text += "    \(field.name): \(field.isSecret ? "${{ secrets.\(field.name) }}" : field.exampleText)"
      text += field.isAlwaysShown || steps.count == 1 ? "\n" : "   # for \(Self.list(users(of: field, among: steps)))\n"
    }
    return secrets.isEmpty ? text : text + "secrets: [\(secrets.joined(separator: ", "))]\n"
  }

  /// Those of the steps that need a setting.
  private func users(of field: RecordShape.Field, among steps: [AnyStep]) -> [String] {
    steps.filter { $0.about.needs.contains { $0.what == .setting(field.name) } }.map { "`\($0.shortName)`" }
  }

  /// Few are named, many are counted.
  private static func list(_ names: [String]) -> String {
    names.count > 3 ? counted(names.count, "step") : names.joined(separator: ", ")
  }
}

extension RecordShape.Field {
  fileprivate var isAlwaysShown: Bool { isRequired || name == "base_url" }

  /// A URL that its description names, or a made-up text of its kind.
  fileprivate var exampleText: String {
    if name.hasSuffix("_uri") { return "https://app.example.test/callback" }
    guard name.hasSuffix("_url") else { return "my-\(name.replacing("_", with: "-"))" }
    let quoted = about.split(separator: "`").first { $0.hasPrefix("https://") }
    return quoted.map(String.init) ?? "https://api.example.test"
  }

  fileprivate var isSecret: Bool {
    switch shape {
    case .secret, .nullable(.secret): true
    default: false
    }
  }
}

/// Steps in a list, under the titles of their systems.
enum StepList {
  static func text(of groups: [CatalogueGroup], _ layout: TextLayout) -> String {
    let filled = groups.filter { !$0.steps.isEmpty }
    let column = filled.flatMap(\.steps).map(\.about.name.count).max() ?? 0
    return filled.map { group in
      let title = "\(group.title) (\(group.system == nil ? group.count : "\(group.name), \(group.count)"))\n"
      return title + layout.pairs(pairs(group.steps).map { ($0.name.padded(to: column), $0.text) }, indent: 2)
    }.joined(separator: "\n")
  }

  static func pairs(_ steps: [AnyStep]) -> [(name: String, text: String)] { steps.map { ($0.about.name, $0.about.summary) } }
}
