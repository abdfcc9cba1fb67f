import ArgumentParser
import BatonKit

struct State: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state", abstract: "What flows keep between runs.", subcommands: [List.self, Show.self, Reset.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List every state that is kept.")
    @Flag(name: .customLong("json"), help: "Print JSON.") var printsJSON = false

    func run() throws { throw ExitCode(Int32(StateCommand(.list, printsJSON: printsJSON).execute(.current()))) }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the state of a flow as JSON.")
    @OptionGroup var which: Which

    func run() throws { throw ExitCode(Int32(StateCommand(.show(which.selection)).execute(.current()))) }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Forget the state of a flow.")
    @OptionGroup var which: Which

    func run() throws { throw ExitCode(Int32(StateCommand(.reset(which.selection)).execute(.current()))) }
  }

  struct Which: ParsableArguments {
    @Argument(help: "The flow's file.") var flow: String
    @Option(name: .customLong("env"), help: ArgumentHelp("Of this environment alone.", valueName: "name")) var environment: String?
    @Option(help: "Of this `state_key` alone.") var key: String?

    var selection: StateCommand.Selection { .init(flow: flow, environment: environment, key: key) }
  }
}
