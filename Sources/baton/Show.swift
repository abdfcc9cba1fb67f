import ArgumentParser
import BatonKit

struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Tell one run step by step, and what to do next.",
    discussion: "Exit codes: 0, or 2 where there is no such run.")

  @Argument(help: ArgumentHelp("The id of a run, or a beginning of it that no other has.", valueName: "run")) var run: String
  @Flag(name: .customLong("json"), help: "Print JSON.") var printsJSON = false
  @Option(help: ArgumentHelp("Write a tar archive to hand to others instead, with secrets hidden.", valueName: "file"))
  var bundle: String?

  func validate() throws {
    if printsJSON, bundle != nil { throw ValidationError("`--bundle` holds the JSON already; leave out `--json`") }
  }

  func run() async throws {
    let command = ShowCommand(run: run, printsJSON: printsJSON, bundle: bundle, version: BatonCommand.configuration.version)
    throw ExitCode(Int32(await command.execute(.current())))
  }
}
