import ArgumentParser
import BatonKit

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a first flow, scenarios, environments and a CI file, that pass as they are.")

  @Argument(help: "The folder; made if it is missing.") var folder = "."

  func run() throws { throw ExitCode(Int32(InitCommand(folder: folder).execute(.current()))) }
}
