import FoundationEssentials
import TestKit
import Testing

/// Every flow, table and command output of the guide is real: its files are written as the pages have them, checked and run.
@Suite("The guide")
struct DocsTests {
  static let pages = ["README.md"] + DocsPage.names(below: "docs")

  @Test("what a page shows is checked, and its scenarios pass", arguments: pages)
  func page(name: String) async throws {
    let page = DocsPage(try Workspace.shipped(name))
    guard !page.files.isEmpty else { return }
    let workspace = try Workspace()
    for file in page.files { try workspace.write(file.name, file.text) }
    let checkable = page.files.map(\.name).filter { $0.hasSuffix(".flow.yaml") || $0.hasSuffix(".scenarios.yaml") }
    if !checkable.isEmpty {
      let check = try await workspace.baton(["check"] + checkable)
      #expect(check.code == 0, "\(name): \(check)")
    }
    let scenarios = checkable.filter { $0.hasSuffix(".scenarios.yaml") }
    if !scenarios.isEmpty {
      let test = try await workspace.baton(["test"] + scenarios)
      #expect(test.code == 0, "\(name): \(test)")
    }
  }

  @Test("a page's blocks are found: files by the name before them, flows without one by their steps")
  func blocks() {
    let page = DocsPage(
      """
      `a.flow.yaml`:

      ```yaml
      steps: []
      ```

      ```yaml
      steps:
        - wait: 1s
      ```

      ```yaml
      inputs: {}
      ```
      """)
    #expect(page.files.map(\.name) == ["a.flow.yaml", "snippet2.flow.yaml"])
    #expect(page.files.first?.text == "steps: []\n")
  }
}

/// The files that a page shows.
struct DocsPage {
  struct File {
    let name: String
    let text: String
  }

  private(set) var files: [File] = []

  init(_ text: String) {
    var name: String?
    var block: [Substring]?
    var isYAML = false
    var count = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = block {
        guard line == "```" else {
          block = lines + [line]
          continue
        }
        if isYAML { count += 1 }
        add(lines.joined(separator: "\n") + "\n", named: name, number: count, isYAML: isYAML)
        (name, block) = (nil, nil)
      } else if line.hasPrefix("```") {
        (block, isYAML) = ([], line == "```yaml")
      } else if line.hasPrefix("`"), line.hasSuffix("`:") {
        name = String(line.dropFirst().dropLast(2))
      } else if !line.isEmpty {
        name = nil
      }
    }
  }

  private mutating func add(_ text: String, named name: String?, number: Int, isYAML: Bool) {
    if let name {
      files.append(File(name: name, text: text))
    } else if isYAML, text.hasPrefix("flow: ") && text.contains("\ncases:") {
      files.append(File(name: "snippet\(number).scenarios.yaml", text: text))
    } else if isYAML, text.hasPrefix("steps:") || text.contains("\nsteps:") {
      files.append(File(name: "snippet\(number).flow.yaml", text: text))
    }
  }

  /// The pages below a folder of the project, sorted.
  static func names(below folder: String) -> [String] {
    let root = ProjectRoot.path + folder
    let found = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return found.filter { $0.hasSuffix(".md") && !$0.hasPrefix("decisions/") }.map { "\(folder)/\($0)" }.sorted()
  }
}
