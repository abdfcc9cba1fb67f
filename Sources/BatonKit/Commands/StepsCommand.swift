import Diagnostics
import StepKit
import Steps
import Values

/// `baton steps [STEP | SYSTEM | WORDS…] [--json] [--markdown DIR]`: the catalogue of typed steps.
public struct StepsCommand: Sendable {
  /// A step's name, a system's name, or words to search for; none lists everything.
  public var words: [String]
  public var printsJSON: Bool
  /// A folder that gets the whole catalogue as Markdown; nothing is printed but the files' names.
  public var markdownFolder: String?

  public init(words: [String] = [], printsJSON: Bool = false, markdownFolder: String? = nil) {
    self.words = words
    self.printsJSON = printsJSON
    self.markdownFolder = markdownFolder
  }

  /// 0, or 2 where nothing is found or a file cannot be written.
  public func execute(_ terminal: Terminal) -> Int {
    let catalogue = StepCatalogue.standard
    if let markdownFolder { return write(CatalogueMarkdown(catalogue), to: markdownFolder, terminal) }
    switch Selection(words, in: catalogue) {
    case .all: show(catalogue.stepNames.compactMap { catalogue.step($0) }, StepList.text(of: catalogue.groups, layout(terminal)), terminal)
    case .step(let step): show([step], StepPage(step, in: catalogue).text(layout(terminal)), terminal)
    case .group(let group): show(group.steps, SystemPage(group, in: catalogue).text(layout(terminal)), terminal)
    case .found(let matches): show(matches.map(\.step), StepSearch.list(matches, layout(terminal)), terminal)
    case .nothing(let message, let help):
      terminal.show([Diagnostic(.unknownStep, message, at: nil, help: help)])
      return 2
    }
    return 0
  }

  /// What the words of the command line mean.
  private enum Selection {
    case all
    case step(AnyStep)
    case group(CatalogueGroup)
    case found([StepSearch.Match])
    case nothing(message: String, help: [String])

    init(_ text: [String], in catalogue: StepCatalogue) {
      let search = StepSearch(text)
      switch search.words.count {
      case 0:
        self = .all
        return
      case 1:
        let name = search.words[0]
        if let step = catalogue.step(name) {
          self = .step(step)
          return
        }
        if let group = catalogue.groups.first(where: { $0.name == name }) {
          self = .group(group)
          return
        }
      default: break
      }
      let matches = search.matches(in: catalogue)
      guard matches.isEmpty else {
        self = .found(matches)
        return
      }
      let what = search.words.map { "`\($0)`" }.joined(separator: ", ")
      self = .nothing(
        message: search.words.count == 1 ? "unknown step \(what)" : "no step has all of \(what)", help: search.help(in: catalogue))
    }
  }

  private func show(_ steps: [AnyStep], _ text: String, _ terminal: Terminal) {
    let catalogue = StepCatalogue.standard
    terminal.write(printsJSON ? Value.list(steps.map { StepPage($0, in: catalogue).value }).json(indent: 2) + "\n" : text, to: .output)
  }

  /// A person's lines wrap; a program's stay whole.
  private func layout(_ terminal: Terminal) -> TextLayout {
    TextLayout(width: terminal.isTerminal(.output) ? terminal.columns : nil)
  }

  private func write(_ markdown: CatalogueMarkdown, to folder: String, _ terminal: Terminal) -> Int {
    do throws(FileFailure) {
      for file in markdown.files {
        let path = FileAccess.joined(folder, file.name)
        try FileAccess.createFolders(above: path)
        try FileAccess.write(file.text, to: path)
        terminal.write("\(path)\n", to: .output)
      }
      return 0
    } catch {
      terminal.show([Diagnostic(.invalidValue, error.message, at: nil)])
      return 2
    }
  }
}

extension StepSearch {
  /// One line for each, and behind it where words were found that it does not show.
  fileprivate static func list(_ matches: [Match], _ layout: TextLayout) -> String {
    layout.pairs(
      matches.map { match in
        (match.step.about.name, match.step.about.summary + (match.places.isEmpty ? "" : " [\(match.places.joined(separator: ", "))]"))
      }, indent: 0)
  }
}
