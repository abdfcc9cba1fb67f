import Glibc
import StepKit
import Subprocess
import SystemPackage

/// Runs programs in the project's folder, each as the leader of a process group of its own.
///
/// A program sees the variables that its step names and `PATH`, and no descriptor but its three streams. When its time
/// is up, when it says too much, or when the task is cancelled, its whole group gets SIGTERM and a moment later SIGKILL.
struct Processes: ProcessPort {
  /// The project's folder, in which programs start.
  let folder: String
  /// Where programs are looked for by name.
  var path: String = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  /// How long a group may take to end by itself.
  var grace: Duration = .seconds(1)

  func run(_ request: ProcessRequest) async throws(StepFailure) -> ProcessResult {
    guard let program = request.arguments.first, !program.isEmpty else { throw .exec("there is no program to run") }
    let texts = request.arguments + request.environment.flatMap { [$0.key, $0.value] }
    guard !texts.contains(where: { $0.utf8.contains(0) }) else {
      throw .exec("`\(program)` cannot be run: a NUL stands in an argument or a variable")
    }
    Self.ignoreBrokenPipes
    let outcome = await firstOutcome(request, configuration(program, request))
    if Task.isCancelled { throw StepFailure("cancelled", title: "cancelled", sent: .maybe) }
    switch outcome {
    case .timedOut:
      throw StepFailure(
        "timeout.attempt", title: "the program did not end in time", detail: "`\(program)` was ended after \(request.timeout)", sent: .maybe
      )
    case .ended(let result): return result
    case .failed(let error): throw .exec(program, error, request, in: folder)
    }
  }

  /// A program that closes its input early must not end this process; programs get the signal's default back.
  private static let ignoreBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  private enum Outcome: Sendable {
    case ended(ProcessResult)
    case failed(SubprocessError?)
    case timedOut
  }

  private func configuration(_ program: String, _ request: ProcessRequest) -> Configuration {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: grace)]
    var variables: [Environment.Key: String] = ["PATH": path]
    for (name, value) in request.environment { variables[Environment.Key(stringLiteral: name)] = value }
    return Configuration(
      executable: program.contains("/") ? .path(FilePath(program)) : .name(program),
      arguments: Arguments(Array(request.arguments.dropFirst())),
      environment: .custom(variables), workingDirectory: FilePath(folder), platformOptions: options)
  }

  /// The program's end or the end of its time, whichever is first; the other is cancelled, and waited for.
  private func firstOutcome(_ request: ProcessRequest, _ configuration: Configuration) async -> Outcome {
    await withTaskGroup(of: Outcome?.self) { group in
      group.addTask { await self.outcome(of: request, configuration) }
      group.addTask {
        try? await Task.sleep(for: request.timeout)
        return Task.isCancelled ? nil : .timedOut
      }
      var first: Outcome?
      for await outcome in group where first == nil {
        first = outcome
        if first != nil { group.cancelAll() }
      }
      return first ?? .failed(nil)
    }
  }

  private func outcome(of request: ProcessRequest, _ configuration: Configuration) async -> Outcome {
    var leader: pid_t?
    do {
      let ended = try await Subprocess.run(
        configuration, input: .inputWriter, output: .bytes(limit: request.maxOutputBytes), error: .bytes(limit: request.maxOutputBytes)
      ) { execution in
        leader = execution.processIdentifier.value
        // A program may end, or close its input, before it has read all of it.
        _ = try? await execution.standardInputWriter.write(request.input)
        try? await execution.standardInputWriter.finish()
      }
      if Task.isCancelled { Self.endGroup(leader) }
      return .ended(
        ProcessResult(exitCode: ended.terminationStatus.exitCode, output: ended.standardOutput, errorOutput: ended.standardError))
    } catch {
      Self.endGroup(leader)
      return .failed(error as? SubprocessError)
    }
  }

  /// The library ends a group only as long as its leader lives. While others of the group do, its number is not given
  /// to anyone else.
  private static func endGroup(_ leader: pid_t?) {
    if let leader, leader > 1 { kill(-leader, SIGKILL) }
  }
}

extension TerminationStatus {
  /// 128 and the signal where a signal ended it, as shells have it.
  fileprivate var exitCode: Int {
    switch self {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }
}

extension StepFailure {
  fileprivate static func exec(_ detail: String) -> StepFailure {
    StepFailure("config.exec", title: "a program cannot be run", detail: detail)
  }

  fileprivate static func exec(_ program: String, _ error: SubprocessError?, _ request: ProcessRequest, in folder: String) -> StepFailure {
    switch error?.code {
    case .outputLimitExceeded?:
      return StepFailure(
        "decode.too_large", title: "the answer is larger than allowed",
        detail: "`\(program)` was ended, because it wrote more than \(request.maxOutputBytes) bytes", sent: .maybe)
    case .executableNotFound?, .spawnFailed?:
      // The library says "not found" of a file without the right to run it, too.
      let file = program.hasPrefix("/") ? program : "\(folder)/\(program)"
      let reason =
        !program.contains("/")
        ? "there is no such program in `PATH`"
        : unsafe access(file, F_OK) == 0 ? "it is no file that can be run" : "there is no such file"
      return .exec("`\(program)` cannot be run: \(reason)")
    default:
      return StepFailure(
        "config.exec", title: "a program cannot be run", detail: "`\(program)`: \(error?.description ?? "it could not be watched")",
        sent: .maybe)
    }
  }
}
