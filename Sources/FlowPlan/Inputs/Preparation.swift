package import Diagnostics
import JSONSchema
import SourceText
import StepKit
package import Values

/// What a run is given from outside, before any of it is checked.
package struct RunGivens: Sendable {
  /// An input's value: text is read by the input's declared type (`--input NAME=VALUE`), data is taken as it is.
  package enum Given: Sendable {
    case text(String)
    case data(Value)
  }

  package var inputs: [String: Given] = [:]
  package var secrets: [String: String] = [:]
  /// Settings of connections by alias, else by system; they win over the flow's.
  package var connections: [String: ValueMap] = [:]
  /// Ids of prompts that have an answer.
  package var answers: Set<String> = []
  package var hasTerminal = false
  /// Whether unset secrets are made up and SMS prompts answer themselves.
  package var isSandbox = false

  package init() {}
}

/// A plan with all that it needs to run; nothing has been sent.
package struct PreparedRun: Sendable {
  package let plan: Plan
  package let inputs: Value
  package let secrets: Value
  /// By index in `plan.connections`; validated, defaults filled in.
  package let settings: [ValueMap]
  /// What lasts between runs, as the last one left it: a map.
  package var state: Value = .map(ValueMap())
  /// What the run was given, for the connections of called flows.
  package let givens: RunGivens
}

extension Plan {
  /// Validates what the run is given; every violation is reported.
  package func prepare(_ givens: RunGivens) -> (run: PreparedRun?, diagnostics: [Diagnostic]) {
    var preparation = Preparation(plan: self, givens: givens)
    let inputs = preparation.resolveInputs()
    let secrets = preparation.resolveSecrets()
    preparation.checkAnswers()
    preparation.checkBorrowed()
    let settings = preparation.resolveSettings(inputs: inputs, secrets: secrets)
    guard !preparation.diagnostics.hasErrors else { return (nil, preparation.diagnostics) }
    let run = PreparedRun(
      plan: self, inputs: inputs, secrets: secrets, settings: settings, state: .map(firstState), givens: givens)
    return (run, preparation.diagnostics)
  }
}

extension Plan {
  /// The state before the first run.
  package var firstState: ValueMap { state.reduce(into: ValueMap()) { $0[$1.name.value] = $1.fallback } }
}

/// One pass over what a run is given.
struct Preparation {
  let plan: Plan
  let givens: RunGivens
  var diagnostics: [Diagnostic] = []

  init(plan: Plan, givens: RunGivens) {
    self.plan = plan
    self.givens = givens
  }

  mutating func report(_ kind: DiagnosticKind, _ message: String, at place: Place?, notes: [String] = [], help: [String] = []) {
    diagnostics.append(Diagnostic(kind, message, at: place, notes: notes, help: help))
  }

  /// Reports a name that the flow does not have.
  mutating func reportUnknown(_ message: String, _ name: String, among known: [String], none: String) {
    var help = known.isEmpty ? none : "known: \(quotedList(known))"
    if let nearest = nearestName(to: name, among: known) { help = "did you mean `\(nearest)`?" }
    report(.unknownName, message, at: nil, help: [help])
  }

  // MARK: - secrets and answers

  mutating func resolveSecrets() -> Value {
    var map = ValueMap()
    for secret in plan.secrets {
      let place = Place(plan.file, secret.span)
      switch givens.secrets[secret.value] {
      case let value? where !value.isEmpty: map[secret.value] = Value.string(value).hidden()
      case .some: report(.missingSecret, "the secret `\(secret.value)` is empty", at: place, help: ["give it a value where it is set"])
      case nil where givens.isSandbox: map[secret.value] = Value.string("sandbox-\(secret.value)").hidden()
      case nil:
        report(
          .missingSecret, "the secret `\(secret.value)` is missing", at: place,
          help: ["set `BATON_SECRET_\(secret.value.uppercased())`, or name a file with `--secrets FILE`"])
      }
    }
    return .map(map)
  }

  /// What is lent is there only where another flow calls this one.
  mutating func checkBorrowed() {
    for connection in plan.connections where connection.isBorrowed {
      report(
        .invalidValue, "the connection `\(connection.alias)` is borrowed: this flow runs only where another calls it", at: connection.place,
        help: ["call it from a flow that lends the connection, or give the connection settings of its own"])
    }
  }

  mutating func checkAnswers() {
    for id in givens.answers.sorted() where !plan.prompts.contains(where: { $0.stepID == id }) {
      reportUnknown("the flow has no prompt `\(id)`", id, among: plan.prompts.map(\.stepID), none: "this flow asks nothing")
    }
    guard !givens.hasTerminal else { return }
    for prompt in plan.prompts where !givens.answers.contains(prompt.stepID) && !(givens.isSandbox && prompt.readsOutbox) {
      report(
        .missingAnswer, "the prompt `\(prompt.stepID)` has nobody to ask: there is no terminal and no answer", at: prompt.place,
        help: [prompt.help])
    }
  }
}

extension PromptPlan {
  /// How it gets an answer without a terminal.
  fileprivate var help: String {
    // Only an id of the author's choice is a name that an answer can be given under.
    guard !stepID.hasSuffix("]") else { return "give the step an `id`, and the answer under it with `--answer ID=VALUE`" }
    let option = isSecret ? "`--answers FILE`" : "`--answer \(stepID)=VALUE`, `--answers FILE`"
    return "give one with \(option) or `BATON_ANSWER_\(stepID.uppercased())`"
  }
}
