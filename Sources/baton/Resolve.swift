import ArgumentParser
import BatonKit

struct Resolve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Say what became of something of which nobody knows whether it happened.",
    discussion:
      "What is said is kept with your name and the reason, and never changed. Exit codes: 0, or 2 where nothing was stored: the run is still running, nothing in it is open, or it is settled otherwise."
  )

  @Argument(help: ArgumentHelp("The id of a run, or a beginning of it that no other has.", valueName: "run")) var run: String
  @Flag(name: .customLong("delivered"), help: "It happened.") var isDelivered = false
  @Flag(name: .customLong("not-delivered"), help: "It did not happen: it is sent again when the run goes on.") var isNotDelivered = false
  @Flag(name: .customLong("authorise-retry"), help: "Nobody knows, and it is to be sent again: it may happen twice.")
  var authorisesRetry = false
  @Option(help: ArgumentHelp("How you know.", valueName: "text")) var reason: String
  @Option(help: ArgumentHelp("With --delivered: a YAML or JSON file of what the step gave.", valueName: "file")) var outputs: String?
  @Option(help: ArgumentHelp("Which step, where more than one is open.", valueName: "path")) var step: String?
  @Flag(name: .customLong("json"), help: "Print JSON.") var printsJSON = false

  func validate() throws {
    guard [isDelivered, isNotDelivered, authorisesRetry].count(where: { $0 }) == 1 else {
      throw ValidationError("say one of `--delivered`, `--not-delivered` and `--authorise-retry`")
    }
    if outputs != nil, !isDelivered { throw ValidationError("`--outputs` goes with `--delivered`: nothing else has outputs") }
    if !reason.contains(where: { !$0.isWhitespace }) { throw ValidationError("`--reason` must say something") }
  }

  func run() async throws {
    let saying: ResolveCommand.Saying = isDelivered ? .delivered(outputs: outputs) : isNotDelivered ? .notDelivered : .authoriseRetry
    let command = ResolveCommand(run: run, saying, reason: reason, step: step, printsJSON: printsJSON)
    throw ExitCode(Int32(await command.execute(.current())))
  }
}
