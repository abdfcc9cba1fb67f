import ArgumentParser
import BatonKit

struct Runs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "List runs, latest first; what somebody must settle comes before them.",
    discussion:
      "Exit codes: 0, or with --unresolved 1 where there is anything to settle and 0 where there is nothing; 2 where the records cannot be read."
  )

  @Option(help: ArgumentHelp("Only runs of this flow.", valueName: "path")) var flow: String?
  @Option(help: "Only runs that passed, failed, errored, cancelled, indeterminate, interrupted or running.") var verdict: String?
  @Option(help: ArgumentHelp("Only runs from then on, such as 2h, 3d or 2026-03-01.", valueName: "when")) var since: String?
  @Flag(name: .customLong("unresolved"), help: "Only what nobody knows the outcome of; exits 1 where there is any.")
  var isUnresolved = false
  @Option(help: "How many runs at most.") var limit = RunsCommand.standardLimit
  @Flag(name: .customLong("json"), help: "Print JSON.") var printsJSON = false

  func run() async throws {
    let command = RunsCommand(
      flow: flow, verdict: verdict, since: since, isUnresolved: isUnresolved, limit: limit, printsJSON: printsJSON)
    throw ExitCode(Int32(await command.execute(.current())))
  }
}
