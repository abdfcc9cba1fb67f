import ArgumentParser
import BatonKit

struct PlanFlow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show what a run would do: requests, hosts, effects, the worst case. Sends nothing.")

  @Argument(help: "The flow's file.") var flow: String
  @OptionGroup var given: GivenOptions

  @Option(name: .customLong("answer"), help: ArgumentHelp("The answer of a prompt, by id; not for a secret one.", valueName: "id=value"))
  var answers: [String] = []

  @Flag(name: .customLong("live"), help: "Judge it as a run that may set off a real emergency response.") var isLive = false

  @Option(name: .customLong("confirm"), help: ArgumentHelp("The key of an emergency that is confirmed.", valueName: "key"))
  var confirmed: [String] = []

  @Flag(name: .customLong("json"), help: "Print the plan as JSON.") var printsJSON = false

  func run() async throws {
    let command = PlanCommand(
      flow: flow, givens: given.givens(answers: answers), isLive: isLive, confirmed: confirmed, printsJSON: printsJSON)
    throw ExitCode(Int32(await command.execute(.current())))
  }
}
