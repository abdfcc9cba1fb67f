public import ArgumentParser
public import BatonKit
import Glibc

@main
enum Main {
  /// Ends what a command runs; signals pull it.
  static let cancellation = Cancellation()

  static func main() async {
    Signals.watch(cancellation)
    // The environment as the user gave it, before a library is loaded.
    _ = Terminal.current()
    // libcurl loads on a thread of its own while arguments and flow are read
    Startup.begin(arguments: CommandLine.arguments)
    do {
      var command = try BatonCommand.parseAsRoot()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      end(0)
    } catch {
      end(with: error)
    }
  }

  /// Help goes to standard output; a misused command line is refused like any bad input.
  private static func end(with error: any Error) -> Never {
    let code = BatonCommand.exitCode(for: error)
    let text = BatonCommand.fullMessage(for: error)
    if !text.isEmpty { Terminal.current().print(text, asError: !code.isSuccess) }
    end(code == .validationFailure ? 2 : code.rawValue)
  }

  /// Nothing is buffered, and the exit handlers of libraries that other threads still use must not run.
  private static func end(_ code: Int32) -> Never { _exit(code) }
}

struct BatonCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baton",
    abstract: "Runs typed API workflows from YAML: proves them before they run, and tells the truth about what happened.",
    version: "0.1.0",
    subcommands: [
      Run.self, Test.self, Check.self, PlanFlow.self, Runs.self, Show.self, Resume.self, Resolve.self, Steps.self, Schema.self, Eval.self,
      Sandbox.self, State.self, Init.self,
    ])
}

/// What a run is given, as options.
struct GivenOptions: ParsableArguments {
  @Option(name: .customLong("input"), help: ArgumentHelp("An input; read by its declared type.", valueName: "name=value"))
  var inputs: [String] = []

  @Option(name: .customLong("inputs"), help: ArgumentHelp("A YAML or JSON file of inputs.", valueName: "file"))
  var inputFiles: [String] = []

  @Option(name: .customLong("secrets"), help: ArgumentHelp("A YAML file of secrets, readable by you alone.", valueName: "file"))
  var secretFiles: [String] = []

  @Option(name: .customLong("answers"), help: ArgumentHelp("A YAML file of answers to prompts, by id.", valueName: "file"))
  var answerFiles: [String] = []

  @Option(name: .customLong("env"), help: ArgumentHelp("An environment of `baton.yaml`.", valueName: "name"))
  var environment: String?

  @Flag(name: .customLong("allow-exec"), help: "Let `exec` steps run programs.")
  var allowsExec = false

  func givens(answers: [String] = []) -> Givens {
    Givens(
      inputs: inputs, inputFiles: inputFiles, secretFiles: secretFiles, answers: answers, answerFiles: answerFiles,
      environment: environment, allowsExec: allowsExec)
  }
}

struct ReportOptions: ParsableArguments {
  @Option(name: .customLong("report"), help: ArgumentHelp("Also write a report: json or junit.", valueName: "kind=path"))
  var reports: [String] = []

  @Flag(name: .customLong("json"), help: "Print the report as JSON on standard output.")
  var printsJSON = false

  @Flag(name: .customLong("strict"), help: "Count recovered steps as failed.")
  var isStrict = false

  @Flag(name: .shortAndLong, help: "Show every request.")
  var verbose = false

  var reporting: Reporting { Reporting(files: reports, printsJSON: printsJSON, isStrict: isStrict, isVerbose: verbose) }
}

private let sandboxGivenHelp: String =
  "A YAML or JSON file with what each system of the sandbox has before the first request: `{ SYSTEM: { users: … } }`."

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run one flow.",
    discussion:
      "Exit codes: 0 passed, 1 failed, 2 refused before the first request, 3 no usable answer, 4 indeterminate, 129, 130 or 143 cancelled.")

  @Argument(help: ArgumentHelp("The flow.", valueName: "flow")) var flow: String
  @OptionGroup var given: GivenOptions
  @Option(name: .customLong("answer"), help: ArgumentHelp("An answer to a prompt that is not secret.", valueName: "id=value"))
  var answers: [String] = []
  @Flag(name: .customLong("sandbox"), help: "Run against local stand-ins of the systems.") var usesSandbox = false
  @Option(name: .customLong("given"), help: ArgumentHelp(sandboxGivenHelp, valueName: "file"), completion: .file()) var sandboxGiven:
    String?
  @OptionGroup var live: LiveArguments
  @OptionGroup var report: ReportOptions

  func validate() throws {
    if sandboxGiven != nil, !usesSandbox { throw ValidationError("`--given` is for the sandbox: add `--sandbox`") }
  }

  func run() async throws {
    let command = RunCommand(
      flow: flow, givens: given.givens(answers: answers), usesSandbox: usesSandbox, sandboxGiven: sandboxGiven, live: live.options,
      reporting: report.reporting)
    throw await underSignals { await command.execute($0, cancellation: $1) }
  }
}

struct Test: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Run many flows and scenarios at once, on the sandbox.",
    discussion:
      "A flow that is found in a folder beside its scenarios runs through them alone. Exit codes: 0 all passed, 1 one did not, 2 a file was refused or a filter leaves nothing, 129, 130 or 143 cancelled."
  )

  @Argument(help: "Flows, scenarios, or folders of them.") var paths: [String]
  @OptionGroup var given: GivenOptions
  @Option(name: .shortAndLong, help: "How many run at once (default: one for each core).") var jobs: Int?
  @Option(name: .customLong("tag"), help: ArgumentHelp("Only cases with this tag; `!tag` leaves out those that have it.", valueName: "tag"))
  var tags: [String] = []
  @Option(name: .customLong("case"), help: ArgumentHelp("Only the case of this name.", valueName: "name")) var cases: [String] = []
  @Option(help: ArgumentHelp("Only a part of the tests, the same on every machine, such as `2/5`.", valueName: "i/n")) var shard: String?
  @Flag(name: .customLong("fail-fast"), help: "Start nothing new after the first failure.") var failsFast = false
  @OptionGroup var report: ReportOptions

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("`--jobs` is at least 1, not \(jobs)") }
  }

  func run() async throws {
    let command = TestCommand(
      paths: paths, jobs: jobs, failsFast: failsFast, tags: tags, cases: cases, shard: shard, givens: given.givens(),
      reporting: report.reporting)
    throw await underSignals { await command.execute($0, cancellation: $1) }
  }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "check", abstract: "Prove flows correct; sends nothing.")

  @Argument(help: "Flows, or folders of them.") var paths: [String]
  @Option(help: "human, concise, json or github.") var format = CheckCommand.Format.human
  @Flag(name: .customLong("strict"), help: "Count warnings as errors.") var isStrict = false
  @Option(name: .customLong("env"), help: ArgumentHelp("An environment of `baton.yaml`.", valueName: "name")) var environment: String?

  func run() throws {
    let command = CheckCommand(paths: paths, format: format, isStrict: isStrict, environment: environment)
    throw ExitCode(Int32(command.execute(.current())))
  }
}

extension CheckCommand.Format: ExpressibleByArgument {}

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Print the JSON Schema of flows or of reports, for editors and other tools.")

  @Argument(help: "flow, scenarios, project, report or plan.") var kind = SchemaCommand.Kind.flow

  func run() throws { throw ExitCode(Int32(SchemaCommand(kind: kind).execute(.current()))) }
}

extension SchemaCommand.Kind: ExpressibleByArgument {}

struct Eval: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "eval", abstract: "Try an expression.")

  @Argument(help: "A CEL expression.") var expression: String
  @Option(help: ArgumentHelp("A YAML or JSON file; its members are the roots.", valueName: "file")) var data: String?
  @Flag(name: .customLong("type"), help: "Print the type instead of the value.") var printsType = false

  func run() throws {
    throw ExitCode(Int32(EvalCommand(expression: expression, dataFile: data, printsType: printsType).execute(.current())))
  }
}

struct Sandbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "sandbox", abstract: "Serve local stand-ins of every system, until Ctrl-C.")

  @Option(help: "The port; 0 takes any free one.") var port = SandboxCommand.standardPort
  @Option(help: ArgumentHelp(sandboxGivenHelp, valueName: "file"), completion: .file()) var given: String?

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("a port is a number from 0 to 65535, not \(port)") }
  }

  func run() async throws {
    let command = SandboxCommand(port: port, given: given)
    throw await underSignals { await command.execute($0, cancellation: $1) }
  }
}

/// Runs a command that signals may end early; the result is thrown, which is how a parsed command exits.
func underSignals(_ command: (Terminal, Cancellation) async -> Int) async -> ExitCode {
  ExitCode(Int32(await command(.current(), Main.cancellation)))
}
