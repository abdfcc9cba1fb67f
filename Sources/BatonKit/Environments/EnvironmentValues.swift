import Diagnostics
import FlowPlan
import FlowSyntax
import Glibc
import SourceText
import StepKit
import Values

/// The values that an environment names and that stand elsewhere: in variables, in files, in what programs print.
struct EnvironmentValues: Sendable {
  let environment: RunEnvironment
  /// Those of the process.
  let variables: [String: String]

  // MARK: - secrets

  /// A secret's value; nil where the environment does not name it, or names a variable that is not set.
  /// - Throws: why it cannot be had, as findings.
  func secret(_ name: String) async throws(Findings) -> String? {
    guard let source = environment.secrets[name] else { return nil }
    return try await value(of: source, "the secret `\(name)`", .missingSecret)
  }

  /// What is said of a secret that no source has, and that comes from a variable here.
  func unset(_ secret: Located<String>, in file: SourceFile) -> Diagnostic? {
    guard let source = environment.secrets[secret.value], case .variable(let variable) = source.source else { return nil }
    return Diagnostic(
      .missingSecret, "the secret `\(secret.value)` is missing: the variable `\(variable.value)` is not set",
      at: source.place, related: [.init(Place(file, secret.span), "the flow needs it")],
      help: ["set `\(variable.value)`, or name another source in the environment `\(environment.name)`"])
  }

  // MARK: - answers

  /// The answers that are there before the run begins.
  func answers(of plan: Plan) async throws(Findings) -> [String: String] {
    var answers: [String: String] = [:]
    for prompt in plan.prompts {
      guard let source = environment.answers[prompt.stepID] else { continue }
      if case .command = source.source { continue }
      answers[prompt.stepID] = try await value(of: source, "the answer `\(prompt.stepID)`", .missingAnswer)
    }
    return answers
  }

  /// The programs that answer prompts, each run when its prompt is reached.
  func commands(of plan: Plan) -> [String: [String]] {
    var commands: [String: [String]] = [:]
    for prompt in plan.prompts {
      if case .command(let words, _)? = environment.answers[prompt.stepID]?.source { commands[prompt.stepID] = words.map(\.value) }
    }
    return commands
  }

  /// What a program prints, without the newline at its end.
  /// - Parameter timeout: how long it may take.
  func output(of command: [String], timeout: Duration) async throws(StepFailure) -> String {
    let result = try await Processes(folder: environment.folder)
      .run(ProcessRequest(arguments: command, environment: ownVariables, timeout: timeout, maxOutputBytes: 1 << 16))
    guard result.exitCode == 0 else {
      let said = String(decoding: result.errorOutput, as: UTF8.self).split(separator: "\n").last.map { ": \($0)" } ?? ""
      throw StepFailure(
        "config.command", title: "a program has no answer",
        detail: "`\(command.joined(separator: " "))` ended with \(result.exitCode)\(said)")
    }
    return Self.withoutLastNewline(String(decoding: result.output, as: UTF8.self))
  }

  /// Operators' own programs see the operator's variables, but not what would change how they are loaded, nor our secrets.
  private var ownVariables: [String: String] {
    variables.filter { name, _ in
      !name.hasPrefix("LD_") && !name.hasPrefix("BATON_SECRET_") && !name.hasPrefix("BATON_ANSWER_")
    }
  }

  // MARK: - sources

  private func value(of source: RunEnvironment.Source, _ what: String, _ kind: DiagnosticKind) async throws(Findings) -> String? {
    switch source.source {
    case .literal(let text): return text.value
    // An empty variable is how CI passes on one that is not set.
    case .variable(let name): return variables[name.value].flatMap { $0.isEmpty ? nil : $0 }
    case .file(let path): return try contents(of: path.value, what, kind, at: source.place)
    case .command(let words, _):
      do throws(StepFailure) {
        return try await output(of: words.map(\.value), timeout: .seconds(60))
      } catch {
        throw Findings([Diagnostic(kind, "\(what) cannot be had: \(error.detail)", at: source.place)])
      }
    }
  }

  private func contents(of path: String, _ what: String, _ kind: DiagnosticKind, at place: Place) throws(Findings) -> String {
    let file = path.hasPrefix("/") ? path : FileAccess.joined(environment.folder, path)
    func refusal(_ reason: String, help: [String] = []) -> Findings {
      Findings([Diagnostic(kind, "\(what) cannot be had: \(reason)", at: place, help: help)])
    }
    var status = stat()
    if unsafe stat(file, &status) == 0 {
      if status.st_mode & 0o077 != 0 { throw refusal("`\(path)` is readable by others", help: ["close it: `chmod 600 \(path)`"]) }
      if status.st_uid != geteuid(), status.st_uid != 0 { throw refusal("`\(path)` belongs to another user") }
    }
    do throws(FileFailure) {
      return Self.withoutLastNewline(String(decoding: try FileAccess.read(file, limit: 1 << 16), as: UTF8.self))
    } catch {
      throw refusal(error.message)
    }
  }

  static func withoutLastNewline(_ text: String) -> String {
    text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
