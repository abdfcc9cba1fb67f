/// A program to run: no shell, no inherited environment.
package struct ProcessRequest: Hashable, Sendable {
  /// The program, by path or by name in `PATH`, and its arguments.
  package var arguments: [String]
  /// All that it sees of the environment, beside `PATH`.
  package var environment: [String: String]
  package var input: [UInt8]
  package var timeout: Duration
  /// More bytes than this on either stream end it.
  package var maxOutputBytes: Int

  package init(
    arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], timeout: Duration = .seconds(60),
    maxOutputBytes: Int = 1 << 20
  ) {
    self.arguments = arguments
    self.environment = environment
    self.input = input
    self.timeout = timeout
    self.maxOutputBytes = maxOutputBytes
  }
}

/// What a program came to.
package struct ProcessResult: Hashable, Sendable {
  /// 128 and the signal where a signal ended it.
  package var exitCode: Int
  package var output: [UInt8]
  package var errorOutput: [UInt8]

  package init(exitCode: Int, output: [UInt8], errorOutput: [UInt8]) {
    self.exitCode = exitCode
    self.output = output
    self.errorOutput = errorOutput
  }
}

/// Runs programs. Conformers keep true: nothing runs unless the environment or the command permits it; descriptors and
/// variables do not leak to it; a cancelled task ends it.
package protocol ProcessPort: Sendable {
  /// - Throws: `config.exec` where it may not run or cannot start, `timeout.attempt`, `cancelled`.
  func run(_ request: ProcessRequest) async throws(StepFailure) -> ProcessResult
}

/// Where nothing may run.
package struct NoProcesses: ProcessPort {
  package init() {}
  package func run(_ request: ProcessRequest) async throws(StepFailure) -> ProcessResult {
    throw StepFailure(
      "config.exec", title: "programs may not run here",
      detail: "`exec` runs only where the environment says `exec: true` or the command `--allow-exec`")
  }
}
