import Reporters
import StepKit

/// The catalogue as pages of Markdown: an index, one page for each system, one for what is built in.
struct CatalogueMarkdown: Sendable {
  struct File: Sendable {
    let name: String
    let text: String
  }

  /// What more steps than this may raise is no mark of any of them.
  private static let mostListed = 8

  private let catalogue: StepCatalogue
  private let links: StepLinks

  init(_ catalogue: StepCatalogue) {
    self.catalogue = catalogue
    links = StepLinks(catalogue)
  }

  /// Sorted by name.
  var files: [File] {
    let pages = catalogue.groups.map { File(name: "\($0.name).md", text: GroupMarkdown($0, in: catalogue, links).text) }
    return ([File(name: "README.md", text: index)] + pages).sorted { $0.name < $1.name }
  }

  private var index: String {
    var text = """
      # The steps

      Every typed step, as `baton steps` shows it. `baton steps --markdown docs/steps` writes these pages; they are not edited by hand.
      [Systems](../systems.md) says what stands behind them.

      | page | what | steps |
      |---|---|---|

      """
    for group in catalogue.groups {
      text += "| [\(group.name)](\(group.name).md) | \(group.title.cell) | \(group.steps.count) |\n"
    }
    for group in catalogue.groups where !group.steps.isEmpty {
      text += "\n## \(group.title)\n\n| step | what it does |\n|---|---|\n"
      for step in group.steps { text += "| \(links.link(to: step, from: "README")) | \(step.about.summary.cell) |\n" }
    }
    return text + errors
  }

  /// Every code of every system, with the steps that may raise it.
  private var errors: String {
    var users: [String: [AnyStep]] = [:]
    for step in catalogue.groups.flatMap(\.steps) {
      for error in step.errors { users[error.code, default: []].append(step) }
    }
    guard !users.isEmpty else { return "" }
    let head = """

      ## Errors

      The codes that steps declare; [the guide](../guides/errors.md) says what to do with them, and [the language](../language.md#errors) \
      has those of every request.

      | code | steps |
      |---|---|

      """
    return users.sorted { $0.key < $1.key }.reduce(head) { text, entry in
      let steps =
        entry.value.count > Self.mostListed
        ? counted(entry.value.count, "step") : entry.value.map { links.link(to: $0, from: "README") }.joined(separator: ", ")
      let pages = Set(entry.value.map { links.page(of: $0) }).sorted()
      let code = pages.count == 1 ? "[`\(entry.key)`](\(pages[0]).md#\(entry.key))" : "`\(entry.key)`"
      return text + "| \(code) | \(steps) |\n"
    }
  }
}

/// Where each step stands among the pages.
struct StepLinks: Sendable {
  private let pages: [String: String]

  init(_ catalogue: StepCatalogue) {
    pages = Dictionary(
      catalogue.groups.flatMap { group in group.steps.map { ($0.about.name, group.name) } }, uniquingKeysWith: { first, _ in first })
  }

  /// The name of the page, without `.md`.
  func page(of step: AnyStep) -> String { pages[step.about.name] ?? CatalogueGroup.builtIn }

  /// Within its own page there is no file to name.
  func link(to step: AnyStep, from page: String) -> String {
    let target = self.page(of: step)
    return "[`\(step.about.name)`](\(target == page ? "" : "\(target).md")#\(step.anchor))"
  }
}

extension AnyStep {
  /// The anchor of its heading, as GitHub makes it: without slashes.
  var anchor: String { about.name.replacing("/", with: "") }
}

extension String {
  /// As the cell of a table, which a pipe would end.
  var cell: String { replacing("|", with: "\\|") }
}
