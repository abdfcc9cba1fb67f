import Diagnostics
import FlowPlan
import Glibc
import SourceText
import Values

/// What the command line, its files and the environment hand to a run.
public struct Givens: Sendable {
  /// `NAME=VALUE`, read by the input's declared type.
  public var inputs: [String]
  /// YAML or JSON files of inputs.
  public var inputFiles: [String]
  /// YAML files of secrets, readable by their owner alone.
  public var secretFiles: [String]
  /// `ID=VALUE`, for prompts that are not secret.
  public var answers: [String]
  /// YAML files of answers.
  public var answerFiles: [String]

  public init(
    inputs: [String] = [], inputFiles: [String] = [], secretFiles: [String] = [], answers: [String] = [], answerFiles: [String] = []
  ) {
    self.inputs = inputs
    self.inputFiles = inputFiles
    self.secretFiles = secretFiles
    self.answers = answers
    self.answerFiles = answerFiles
  }

  /// Inputs and secrets for a plan, and the answers of its prompts by id.
  func read(for plan: Plan, environment: [String: String]) throws(Findings) -> (givens: RunGivens, answers: [String: String]) {
    var givens = RunGivens()
    for path in inputFiles {
      for (name, value) in try YAMLValues.map(of: path) { givens.inputs[name.text] = .data(value) }
    }
    for pair in inputs {
      let (name, value) = try Self.pair(pair, option: "--input")
      givens.inputs[name] = .text(value)
    }
    givens.secrets = try secrets(plan, environment)
    let answers = try self.answers(plan, environment)
    givens.answers = Set(answers.keys)
    return (givens, answers)
  }

  /// systemd's credentials, `--secrets`, then `BATON_SECRET_NAME`: the first that has it.
  private func secrets(_ plan: Plan, _ environment: [String: String]) throws(Findings) -> [String: String] {
    var fromFiles = ValueMap()
    for path in secretFiles {
      if FileAccess.isOpenToOthers(path) {
        throw Findings([Diagnostic(.missingSecret, "`\(path)` is readable by others", at: nil, help: ["close it: `chmod 600 \(path)`"])])
      }
      for (name, value) in try YAMLValues.map(of: path) { fromFiles[name] = value }
    }
    var secrets: [String: String] = [:]
    for secret in plan.secrets.map(\.value) {
      if let folder = environment["CREDENTIALS_DIRECTORY"], let bytes = try? FileAccess.read("\(folder)/\(secret)") {
        secrets[secret] = String(decoding: bytes, as: UTF8.self)
      } else if let value = fromFiles[secret] {
        guard let text = value.stringValue else {
          throw Findings([Diagnostic(.quoteThisNumber, "the secret `\(secret)` must be text", at: nil, help: ["put it in quotes"])])
        }
        secrets[secret] = text
      } else if let text = environment["BATON_SECRET_\(secret.uppercased())"] {
        secrets[secret] = text
      }
    }
    return secrets
  }

  /// `--answer`, `--answers`, then `BATON_ANSWER_ID`.
  private func answers(_ plan: Plan, _ environment: [String: String]) throws(Findings) -> [String: String] {
    var answers: [String: String] = [:]
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
    return answers
  }

  private static func pair(_ text: String, option: String) throws(Findings) -> (String, String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw Findings([Diagnostic(.invalidValue, "`\(option) \(text)` has no `=`", at: nil, help: ["write `\(option) NAME=VALUE`"])])
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }
}
