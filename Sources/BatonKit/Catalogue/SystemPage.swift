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
    text += "\nexample\n" + system.connectionExample.split(separator: "\n").map { "  \($0)\n" }.joined()
    return group.steps.isEmpty ? text : text + "\nsteps\n" + layout.pairs(StepList.pairs(group.steps), indent: 2)
  }
}

extension SystemDescription {
  /// A connection with what it cannot do without, and the secrets of it.
  var connectionExample: String {
    let needed = settings().fields.filter { $0.isRequired || $0.name == "base_url" }
    let secrets = needed.filter(\.isSecret).map(\.name)
    var text = "connections:\n  \(name):\(needed.isEmpty ? " {}" : "")\n"
    for field in needed {
      let value =
        if field.isSecret { "${{ secrets.\(field.name) }}" } else { field.exampleURL ?? "my-\(field.name)" }
      text += "    \(field.name): \(value)\n"
    }
    return secrets.isEmpty ? text : text + "secrets: [\(secrets.joined(separator: ", "))]\n"
  }
}

extension RecordShape.Field {
  /// The one that its description names, or a made-up one; nil where it is no URL.
  fileprivate var exampleURL: String? {
    guard name.hasSuffix("_url") else { return nil }
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
