import ArgumentParser
import BatonKit

struct Steps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps", abstract: "List the typed steps, show one, or search.",
    discussion:
      """
      A step's name shows its page, a system's name its connection and its steps. Any other words are searched for: each must be found in \
      a step's name, its summary, the names of its fields or its error codes.
      Exit codes: 0 found, 2 nothing found.
      """)

  @Argument(help: ArgumentHelp("A step, a system, or words to search for.", valueName: "words")) var words: [String] = []
  @Flag(name: .customLong("json"), help: "Print JSON.") var printsJSON = false
  @Option(name: .customLong("markdown"), help: ArgumentHelp("Write the whole catalogue as Markdown.", valueName: "folder"))
  var markdownFolder: String?

  func validate() throws {
    if markdownFolder != nil, printsJSON || !words.isEmpty { throw ValidationError("`--markdown` writes all steps: it stands alone") }
  }

  func run() throws {
    throw ExitCode(Int32(StepsCommand(words: words, printsJSON: printsJSON, markdownFolder: markdownFolder).execute(.current())))
  }
}
