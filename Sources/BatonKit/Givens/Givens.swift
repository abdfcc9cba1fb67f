import Diagnostics
import FlowPlan
import Glibc
import SourceText
import Values

/// What the command line, its files and the environment hand to a run.
public struct Givens: Sendable {
  /// `NAME=VALUE`, read by the input's declared type; of inputs that are not secret.
  public var inputs: [String]
  /// YAML or JSON files of inputs.
  public var inputFiles: [String]
  /// YAML files of secrets, readable by their owner alone.
  public var secretFiles: [String]
  /// `ID=VALUE`, for prompts that are not secret.
  public var answers: [String]
  /// YAML files of answers.
  public var answerFiles: [String]
  /// The environment of `baton.yaml`; nil is none.
  public var environment: String?
  /// Whether `exec` steps may run programs, whatever the environment says.
  public var allowsExec: Bool

  public init(
    inputs: [String] = [], inputFiles: [String] = [], secretFiles: [String] = [], answers: [String] = [], answerFiles: [String] = [],
    environment: String? = nil, allowsExec: Bool = false
  ) {
    self.inputs = inputs
    self.inputFiles = inputFiles
    self.secretFiles = secretFiles
    self.answers = answers
    self.answerFiles = answerFiles
    self.environment = environment
    self.allowsExec = allowsExec
  }

  /// Inputs and secrets for a plan, and the answers of its prompts by id. Every secret that is read is hidden on the
  /// terminal from then on.
  /// - Parameter values: what the environment of `baton.yaml` names.
  func read(
    for plan: Plan, _ terminal: Terminal, values: EnvironmentValues? = nil
  ) async throws(Findings) -> (givens: RunGivens, answers: [String: String]) {
    var givens = RunGivens()
    if let values {
      for (name, value) in values.environment.inputs where plan.inputs.contains(where: { $0.name.value == name.text }) {
        givens.inputs[name.text] = .data(value)
      }
    }
    for path in inputFiles {
      for (name, value) in try YAMLValues.map(of: path) { givens.inputs[name.text] = .data(value) }
    }
    for pair in inputs {
      let (name, value) = try Self.pair(pair, option: "--input")
      if plan.inputs.contains(where: { $0.name.value == name && $0.isSecret }) {
        throw Findings([
          Diagnostic(
            .secretExposed, "the input `\(name)` is secret and may not stand on the command line", at: nil,
            help: ["use `--inputs FILE`: other users can read a command line"])
        ])
      }
      givens.inputs[name] = .text(value)
    }
    givens.secrets = try await secrets(plan, terminal, values)
    let answers = try await self.answers(plan, terminal, values)
    givens.answers = Set(answers.keys)
    return (givens, answers)
  }

  /// The environment's mapping, systemd's credentials, `--secrets`, then `BATON_SECRET_NAME`: the first that has it.
  private func secrets(
    _ plan: Plan, _ terminal: Terminal, _ values: EnvironmentValues?
  ) async throws(Findings) -> [String: String] {
    let environment = terminal.environment
    var fromFiles = ValueMap()
    for path in secretFiles {
      if FileAccess.isOpenToOthers(path) {
        throw Findings([Diagnostic(.missingSecret, "`\(path)` is readable by others", at: nil, help: ["close it: `chmod 600 \(path)`"])])
      }
      for (name, value) in try YAMLValues.map(of: path) { fromFiles[name] = value }
    }
    var secrets: [String: String] = [:]
    for secret in plan.secrets.map(\.value) {
      if let text = try await values?.secret(secret) {
        secrets[secret] = text
      } else if let folder = environment["CREDENTIALS_DIRECTORY"], let bytes = try? FileAccess.read("\(folder)/\(secret)") {
        secrets[secret] = EnvironmentValues.withoutLastNewline(String(decoding: bytes, as: UTF8.self))
      } else if let value = fromFiles[secret] {
        guard let text = value.stringValue else {
          throw Findings([Diagnostic(.quoteThisNumber, "the secret `\(secret)` must be text", at: nil, help: ["put it in quotes"])])
        }
        secrets[secret] = text
      } else if let text = environment["BATON_SECRET_\(secret.uppercased())"] {
        secrets[secret] = text
      }
      if let text = secrets[secret] { terminal.hide([text]) }
    }
    return secrets
  }

  /// `--answer`, `--answers`, `BATON_ANSWER_ID`, then the environment's; what its programs print is not among them.
  private func answers(
    _ plan: Plan, _ terminal: Terminal, _ values: EnvironmentValues?
  ) async throws(Findings) -> [String: String] {
    var answers = try await values?.answers(of: plan) ?? [:]
    let environment = terminal.environment
    for prompt in plan.prompts {
      // An empty variable is how CI passes on one that is not set.
      if let text = environment["BATON_ANSWER_\(prompt.stepID.uppercased())"], !text.isEmpty { answers[prompt.stepID] = text }
    }
    for path in answerFiles {
      for (id, value) in try YAMLValues.map(of: path) { answers[id.text] = value.stringValue ?? value.json() }
    }
    for pair in self.answers {
      let (id, value) = try Self.pair(pair, option: "--answer")
      if plan.prompts.contains(where: { $0.stepID == id && $0.isSecret }) {
        let help = "use `--answers FILE` or `BATON_ANSWER_\(id.uppercased())`: other users can read a command line"
        throw Findings([
          Diagnostic(.secretExposed, "the answer of `\(id)` is secret and may not stand on the command line", at: nil, help: [help])
        ])
      }
      answers[id] = value
    }
    terminal.hide(plan.prompts.filter(\.isSecret).compactMap { answers[$0.stepID] })
    return answers
  }

  private static func pair(_ text: String, option: String) throws(Findings) -> (String, String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw Findings([Diagnostic(.invalidValue, "`\(option) \(text)` has no `=`", at: nil, help: ["write `\(option) NAME=VALUE`"])])
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }
}
