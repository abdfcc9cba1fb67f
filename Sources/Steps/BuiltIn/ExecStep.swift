package import StepKit
package import Values

/// Runs a program: an argument list, no shell, an environment of what is named alone.
package enum ExecStep: StepHandler {
  package static let about = About(
    "exec", "Runs a program, without a shell, where the environment or `--allow-exec` permits it.", effect: .unsafe)
  // The program answered and was wrong, as an API does: a code of the step's own, which fails the run and can be caught.
  static let failed = StepError(
    "exec.failed", "the program ended with an exit code that is not expected", help: "`exit_codes` lists those that are", isRejected: false)
  static let timedOut = StepError("timeout.attempt", "the program did not end in time", isRejected: false)
  static let tooLarge = StepError("decode.too_large", "the program wrote more than allowed", isRejected: false)
  package static let errors = [failed, timedOut, tooLarge]
  package static let example = Example(
    with: #"{"run": ["jq", "-c", "."], "input": {"id": 7}}"#,
    outputs: #"{"exit_code": 0, "stdout": "{\"id\":7}", "stderr": "", "json": {"id": 7}}"#)

  package struct Input: Sendable {
    let run: [String]
    let env: NamedMembers<Secret<Value>>
    let input: Secret<Value>?
    let exitCodes: [Int]
    let secret: Bool
  }

  package struct Output: Sendable {
    let exitCode: Int
    let stdout: Value
    let stderr: Value
    let json: Value?
  }

  /// What the program says is secret where the input says so or may say so.
  package static func refineOutput(_ shape: RecordShape, literals: ValueMap) -> RecordShape {
    guard let secret = literals["secret"], secret.boolValue != false else { return shape }
    return ["stdout", "stderr", "json"].reduce(shape) { shape, name in
      shape.field(name).map { shape.replacing(name, with: .secret($0.shape)) } ?? shape
    }
  }

  /// - Throws: `exec.failed` with the last line of what it said, and what the port raises: `config.exec`,
  ///   `timeout.attempt`, `decode.too_large`, `cancelled`.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    guard let program = input.run.first, !program.isEmpty else { throw .input("`run` names no program") }
    let result = try await ports.processes.run(
      ProcessRequest(
        arguments: input.run, environment: try input.environment(), input: input.input.map { Payload.bytes(of: $0.exposed) } ?? [],
        timeout: ports.attemptTimeout))
    guard input.exitCodes.contains(result.exitCode) else { throw failure(of: program, result, input) }
    return Output(result, isSecret: input.secret)
  }

  private static func failure(of program: String, _ result: ProcessResult, _ input: Input) -> StepFailure {
    var detail = "`\(program)` ended with \(result.exitCode)"
    let lines = String(decoding: result.errorOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
    if !input.secret, let last = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) { detail += ": \(last.prefix(200))" }
    var failure = failed.local(detail: detail)
    failure.sent = .yes
    failure.isRejected = false
    return failure
  }
}

extension ExecStep.Input {
  /// - Throws: `schema.input` for a name or a value that no environment can hold.
  fileprivate func environment() throws(StepFailure) -> [String: String] {
    var variables: [String: String] = [:]
    for (name, value) in env.entries {
      guard !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") }) else {
        throw .input("`env` has \(name.debugDescription), which is no name of a variable")
      }
      guard let text = value.exposed.scalarText else { throw .input("`env.\(name)` must be a text, a number or a bool") }
      variables[name] = text
    }
    return variables
  }
}

extension ExecStep.Output {
  fileprivate init(_ result: ProcessResult, isSecret: Bool) {
    func marked(_ value: Value) -> Value { isSecret ? value.hidden() : value }
    exitCode = result.exitCode
    stdout = marked(.string(Self.text(result.output)))
    stderr = marked(.string(Self.text(result.errorOutput)))
    json = (try? JSON.parse(result.output)).map(marked)
  }

  /// Without the line break at the end, which programs add for terminals.
  private static func text(_ bytes: [UInt8]) -> String {
    var bytes = bytes[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ExecStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    run = field("run", "The program, by path or by name in `PATH`, and its arguments.")
    env = field("env", "All that it sees of the environment, beside `PATH`.", default: NamedMembers())
    input = field("input", "What it reads: a text, or any value, which is given as JSON.")
    exitCodes = field("exit_codes", "The exit codes that are a success; 128 and the signal where a signal ends it.", default: [0])
    secret = field("secret", "Whether what it says is a secret.", default: false)
  }
}

extension ExecStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    exitCode = field("exit_code", "Its exit code.")
    stdout = field("stdout", "What it wrote, without the line break at its end.")
    stderr = field("stderr", "What it wrote to the stream for errors, without the line break at its end.")
    json = field("json", "What it wrote, read as JSON; left out where it is none.")
  }
}
