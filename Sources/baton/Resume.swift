import ArgumentParser
import BatonKit

/// What a command says of emergencies that lead to somebody real.
struct LiveArguments: ParsableArguments {
  @Flag(name: .customLong("live"), help: "Let emergencies lead to somebody real, where the environment says `live: true`.") var isLive =
    false
  @Option(name: .customLong("confirm"), help: ArgumentHelp("Confirm the key of a live emergency.", valueName: "key"))
  var confirmed: [String] = []

  var options: LiveOptions { LiveOptions(isAsked: isLive, confirmed: confirmed) }
}

struct Resume: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Go on with a run after a crash, or where it failed.",
    discussion:
      "What has ended is not done again, and what may have happened is never sent again. Inputs and environment are those of the run; exit codes as of `run`, and 4 where something must be settled first."
  )

  @Argument(help: ArgumentHelp("The run's id, or a beginning of it.", valueName: "run")) var run: String
  @Option(name: .customLong("secrets"), help: ArgumentHelp("A YAML file of secrets, readable by you alone.", valueName: "file"))
  var secretFiles: [String] = []
  @Option(name: .customLong("answers"), help: ArgumentHelp("A YAML file of answers to prompts, by id.", valueName: "file"))
  var answerFiles: [String] = []
  @Option(name: .customLong("answer"), help: ArgumentHelp("An answer to a prompt that is not secret.", valueName: "id=value"))
  var answers: [String] = []
  @Flag(name: .customLong("allow-exec"), help: "Let `exec` steps run programs.") var allowsExec = false
  @OptionGroup var live: LiveArguments
  @OptionGroup var report: ReportOptions

  func run() async throws {
    let givens = Givens(secretFiles: secretFiles, answers: answers, answerFiles: answerFiles, allowsExec: allowsExec)
    let command = ResumeCommand(run: run, givens: givens, live: live.options, reporting: report.reporting)
    throw await underSignals { await command.execute($0, cancellation: $1) }
  }
}
