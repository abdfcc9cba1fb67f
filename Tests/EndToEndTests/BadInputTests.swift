import Glibc
import TestKit
import Testing

/// Whatever is handed in, the answer is a message and exit code 2; nothing is sent and nothing crashes.
@Suite(.timeLimit(.minutes(5))) struct BadInputTests {
  private let workspace: Workspace
  private let server: RawServer

  init() throws {
    workspace = try Workspace()
    server = try RawServer.answering { _ in answer() }
    try workspace.write(
      "good.flow.yaml",
      """
      inputs:
        amount: { type: integer, minimum: 1 }
        email: { type: string, format: email, default: ada@example.test }
      secrets: [token]
      connections:
        api:
          system: http
          base_url: \(server.origin)
          bearer: ${{ secrets.token }}
      steps:
        - id: who
          uses: prompt
          with: { text: Who }
        - id: code
          uses: prompt
          with: { text: Code, secret: true }
        - post: /orders
          with:
            json: { amount: "${{ inputs.amount }}", who: "${{ steps.who.outputs.value }}" }

      """)
  }

  /// What makes the flow run; each test spoils one of them.
  private static let environment = ["BATON_SECRET_TOKEN": "canary", "BATON_ANSWER_CODE": "1234"]
  private static let given = ["run", "good.flow.yaml", "--input", "amount=1", "--answer", "who=ada"]

  /// Refused in a sentence that contains `message`, with nothing sent.
  private func expectRefusal(_ run: Ended, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(run.code == 2, sourceLocation: sourceLocation)
    #expect(run.stderr.contains(message), sourceLocation: sourceLocation)
    #expect(run.stdout == "", sourceLocation: sourceLocation)
    for trace in ["Fatal error", "Stack dump", "Thread 0", "crash"] {
      #expect(!run.stderr.contains(trace), sourceLocation: sourceLocation)
    }
    #expect(server.connections == 0, sourceLocation: sourceLocation)
  }

  @Test func theGoodOneRuns() async throws {
    let run = try await workspace.baton(Self.given, environment: Self.environment)
    #expect(run.code == 0)
    #expect(server.count(of: "POST") == 1)
  }

  struct BadFile: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var message: String

    init(_ name: String, _ text: String, _ message: String) { self.init(name, Array(text.utf8), message) }

    init(_ name: String, _ bytes: [UInt8], _ message: String) {
      testDescription = name
      self.bytes = bytes
      self.message = message
    }
  }

  static let badFiles = [
    BadFile("empty", "", "error[invalid-yaml]: the file is empty\n --> bad.flow.yaml:1:1\n"),
    BadFile(
      "a list that is not closed", "steps:\n  - get: [\n", "error[invalid-yaml]: a value is missing before this\n --> bad.flow.yaml:3:1\n"),
    BadFile(
      "a quote that is not closed", "steps:\n  - get: \"/x\n", "error[invalid-yaml]: this quote is never closed\n --> bad.flow.yaml:2:10\n"),
    BadFile("steps that are a number", "steps: 3\n", "error[type-mismatch]: `steps` must be a list\n --> bad.flow.yaml:1:8\n"),
    BadFile("an id that is a number", "steps:\n  - id: 7\n    get: /x\n", "error[quote-this-number]: `id` must be a string"),
    BadFile(
      "a text for a map", "steps:\n  - get: /x\n    retry: often\n",
      "error[type-mismatch]: `retry` must be a map\n --> bad.flow.yaml:3:12\n"),
    BadFile("a key twice", "steps:\n  - get: /x\nsteps: []\n", "error[duplicate-key]"),
    BadFile("an unknown key", "step:\n  - get: /x\n", "error[unknown-key]"),
    BadFile("more than 1 MiB", "steps:\n" + String(repeating: "#", count: 1 << 20), "the file is larger than 1 MiB"),
    BadFile("more than 8 MiB", [UInt8](repeating: 0x23, count: 9 << 20), "`bad.flow.yaml` is larger than 8 MiB"),
    BadFile(
      "no UTF-8", Array("steps:\n  - get: /".utf8) + [0xFF, 0xFE, 0x0A],
      "error[invalid-yaml]: this byte is not valid UTF-8\n --> bad.flow.yaml:2:11\n"),
    BadFile(
      "an executable", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0xFF, 0x80], "error[invalid-yaml]: the file holds a NUL byte"),
    BadFile("a terminal's escape", "steps:\n  - get: \"/\u{1B}[31mred\"\n", "error[invalid-yaml]: unescaped U+001B"),
    BadFile("nested too deep", String(repeating: "[", count: 5000), "error[invalid-yaml]"),
  ]

  @Test(arguments: badFiles)
  func aFlow(_ file: BadFile) async throws {
    try workspace.write("bad.flow.yaml", file.bytes)
    let run = try await workspace.baton("run", "bad.flow.yaml")
    expectRefusal(run, file.message)
    #expect(!run.stderr.contains("\u{1B}"), "what the file holds must not reach the terminal as it is")
    let check = try await workspace.baton("check", "bad.flow.yaml")
    #expect(check.code == 2)
    #expect(check.stderr == run.stderr)
  }

  /// The exit of a refused run must not race with what was begun for the run.
  @Test func aRefusalNeverCrashes() async throws {
    try workspace.write("bad.flow.yaml", "steps: 3\n")
    var codes: [Int32: Int] = [:]
    for file in ["bad.flow.yaml", "none.flow.yaml", "good.flow.yaml"] {
      for _ in 0..<25 { codes[try await workspace.baton("run", file).code, default: 0] += 1 }
    }
    #expect(codes == [2: 75])
  }

  @Test func noSuchFile() async throws {
    let message = "error[missing-file]: `none.flow.yaml` cannot be read: there is no such file"
    expectRefusal(try await workspace.baton("run", "none.flow.yaml"), message)
    expectRefusal(try await workspace.baton("check", "none.flow.yaml"), message)
  }

  @Test func aFolder() async throws {
    try workspace.makeFolder("folder.flow.yaml")
    expectRefusal(try await workspace.baton("run", "folder.flow.yaml"), "error[missing-file]: `folder.flow.yaml` is a directory")
    let check = try await workspace.baton("check", "folder.flow.yaml")
    expectRefusal(check, "error[cannot-fail]: there is no `*.flow.yaml` below `folder.flow.yaml`")
    #expect(!check.stderr.contains("no errors"))
  }

  @Test func aPipe() async throws {
    guard unsafe mkfifo("\(workspace.path)/pipe.flow.yaml", 0o600) == 0 else { throw SystemError() }
    expectRefusal(try await workspace.baton("run", "pipe.flow.yaml"), "error[missing-file]: `pipe.flow.yaml` is no regular file")
    expectRefusal(
      try await workspace.baton(Self.given + ["--inputs", "pipe.flow.yaml"], environment: Self.environment),
      "error[missing-file]: `pipe.flow.yaml` is no regular file")
  }

  @Test func aLinkToItself() async throws {
    guard unsafe symlink("loop.flow.yaml", "\(workspace.path)/loop.flow.yaml") == 0 else { throw SystemError() }
    expectRefusal(try await workspace.baton("run", "loop.flow.yaml"), "`loop.flow.yaml` cannot be read: too many symbolic links")
  }

  @Test func aSecretThatIsMissing() async throws {
    let run = try await workspace.baton(Self.given, environment: ["BATON_ANSWER_CODE": "1234"])
    expectRefusal(run, "error[missing-secret]: the secret `token` is missing\n --> good.flow.yaml:4:11\n")
    #expect(run.stderr.contains("set `BATON_SECRET_TOKEN`, or name a file with `--secrets FILE`"))
  }

  @Test func everyViolationOfTheInputs() async throws {
    let run = try await workspace.baton(
      ["run", "good.flow.yaml", "--input", "amount=zero", "--input", "email=nobody", "--input", "colour=red", "--answer", "who=ada"],
      environment: Self.environment)
    expectRefusal(run, "error[invalid-value]: the input `amount` must be an integer, not `zero`\n --> good.flow.yaml:2:3\n")
    #expect(run.stderr.contains("error[invalid-value]: the input `email` is not valid"))
    #expect(run.stderr.contains("error[unknown-name]: the flow has no input `colour`"))
  }

  struct Option: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var message: String
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String..., message: String) {
      self.arguments = arguments
      self.message = message
    }
  }

  @Test(arguments: [
    Option("--input", "amount", message: "`--input amount` has no `=`"),
    Option("--input", "=1", message: "`--input =1` has no `=`"),
    Option("--input", "amount=0", message: "the input `amount` is not valid: the value must be at least 1"),
    Option("--inputs", "none.yaml", message: "`none.yaml` cannot be read: there is no such file"),
    Option("--inputs", "list.yaml", message: "the file must hold a map of names and values\n --> list.yaml:1:1\n"),
    Option("--inputs", "broken.yaml", message: "this quote is never closed\n --> broken.yaml:1:9\n"),
    Option("--inputs", "extra.yaml", message: "the flow has no input `colour`"),
    Option("--secrets", "none.yaml", message: "`none.yaml` cannot be read: there is no such file"),
    Option(
      "--secrets", "open.yaml",
      message: "error[missing-secret]: `open.yaml` is readable by others\n  = help: close it: `chmod 600 open.yaml`"),
    Option("--secrets", "number.yaml", message: "error[quote-this-number]: the secret `token` must be text"),
    Option("--secrets", "list.yaml", message: "`list.yaml` is readable by others"),
    Option("--answers", "none.yaml", message: "`none.yaml` cannot be read: there is no such file"),
    Option("--answers", "list.yaml", message: "the file must hold a map of names and values\n --> list.yaml:1:1\n"),
    Option("--answer", "who", message: "`--answer who` has no `=`"),
    Option("--answer", "code=1234", message: "the answer of `code` is secret and may not stand on the command line"),
    Option("--report", "junit", message: "`--report junit` names no report"),
    Option("--report", "junit=", message: "`--report junit=` names no report"),
    Option("--report", "html=report.html", message: "`--report html=report.html` names no report"),
  ])
  func anOption(_ option: Option) async throws {
    try workspace.write("list.yaml", "[1, 2]\n")
    try workspace.write("broken.yaml", "amount: \"ten\n")
    try workspace.write("extra.yaml", "amount: 1\ncolour: red\n")
    try workspace.write("open.yaml", "token: canary-in-a-file\n", mode: 0o644)
    try workspace.write("number.yaml", "token: 123456\n", mode: 0o600)
    let run = try await workspace.baton(Self.given + option.arguments, environment: Self.environment)
    expectRefusal(run, option.message)
    #expect(!run.stderr.contains("canary"))
  }

  @Test func anAnswerToNoQuestion() async throws {
    let run = try await workspace.baton(Self.given + ["--answer", "whom=ada"], environment: Self.environment)
    expectRefusal(run, "error[unknown-name]: the flow has no prompt `whom`\n  = help: did you mean `who`?")
  }

  /// A report that cannot be written is found before anything is sent, not when all is over.
  @Test(arguments: ["junit=none/report.xml", "junit=folder"])
  func aReportThatCannotBeWritten(_ report: String) async throws {
    try workspace.makeFolder("folder")
    let run = try await workspace.baton(Self.given + ["--report", report], environment: Self.environment)
    #expect(run.stderr.contains("cannot be written"))
    #expect(run.code == 2)
    #expect(server.connections == 0)
  }

  /// A device or a pipe in the place of a report must not be replaced by a file: it may be `/dev/null`.
  @Test func aReportIntoAPipeLeavesThePipe() async throws {
    guard unsafe mkfifo("\(workspace.path)/pipe", 0o600) == 0 else { throw SystemError() }
    _ = try await workspace.baton(Self.given + ["--report", "junit=pipe"], environment: Self.environment)
    var status = stat()
    guard unsafe lstat("\(workspace.path)/pipe", &status) == 0 else { throw SystemError() }
    #expect(status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test(arguments: [["run"], ["run", "good.flow.yaml", "--colour"], ["fly"], ["test"], ["check", "--format", "xml", "good.flow.yaml"]])
  func aCommandLineThatIsNoCommand(_ arguments: [String]) async throws {
    let run = try await workspace.baton(arguments)
    #expect(run.stderr.contains("Usage: baton"))
    #expect(server.connections == 0)
    #expect(run.code == 2)
  }

  @Test func aPortThatIsNone() async throws {
    let process = try workspace.start(["sandbox", "--port", "99999"])
    _ = await process.output(containing: "Ctrl-C")
    process.signal(SIGTERM)
    let run = try await process.end()
    #expect(run.code == 2)
    #expect(run.stderr.contains("a port is a number from 0 to 65535, not 99999"))
  }
}
