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
}

extension Plan {
  /// Validates what the run is given; every violation is reported.
  package func prepare(_ givens: RunGivens) -> (run: PreparedRun?, diagnostics: [Diagnostic]) {
    var preparation = Preparation(plan: self, givens: givens)
    let inputs = preparation.resolveInputs()
    let secrets = preparation.resolveSecrets()
    preparation.checkAnswers()
    guard !preparation.diagnostics.hasErrors else { return (nil, preparation.diagnostics) }
    let settings = preparation.resolveSettings(inputs: inputs, secrets: secrets)
    guard !preparation.diagnostics.hasErrors else { return (nil, preparation.diagnostics) }
    return (PreparedRun(plan: self, inputs: inputs, secrets: secrets, settings: settings), preparation.diagnostics)
  }
}

private struct Preparation {
  let plan: Plan
  let givens: RunGivens
  var diagnostics: [Diagnostic] = []

  // MARK: - inputs

  mutating func resolveInputs() -> Value {
    var map = ValueMap()
    for input in plan.inputs {
      let place = Place(plan.file, input.name.span)
      guard let given = givens.inputs[input.name.value] else {
        if let fallback = input.fallback {
          map[input.name.value] = normalised(fallback, input, at: place)
        } else if input.isRequired {
          let help = "give it with `--input \(input.name.value)=VALUE` or in `--inputs FILE`"
          diagnostics.append(
            Diagnostic(.missingInput, "the input `\(input.name.value)` is missing", at: place, notes: input.about.isEmpty ? [] : [input.about], help: [help]))
        }
        continue
      }
      guard let value = read(given, input, at: place) else { continue }
      map[input.name.value] = normalised(value, input, at: place)
    }
    checkUnknownInputs()
    return .map(map)
  }

  private mutating func checkUnknownInputs() {
    let known = plan.inputs.map(\.name.value)
    for name in givens.inputs.keys.sorted() where !known.contains(name) {
      let help = nearestName(to: name, among: known).map { ["did you mean `\($0)`?"] } ?? (known.isEmpty ? ["this flow has no inputs"] : ["known: \(known.map { "`\($0)`" }.joined(separator: ", "))"])
      diagnostics.append(Diagnostic(.unknownName, "the flow has no input `\(name)`", at: nil, help: help))
    }
  }

  private mutating func read(_ given: RunGivens.Given, _ input: InputPlan, at place: Place) -> Value? {
    switch given {
    case .data(let value): return value
    case .text(let text):
      if input.type.isText { return .string(text) }
      do throws(JSONError) {
        return try JSON.parse(Array(text.utf8))
      } catch {
        diagnostics.append(
          Diagnostic(.invalidValue, "the input `\(input.name.value)` must be \(input.type), and `\(text)` is not", at: place, help: ["lists and maps are written as JSON"]))
        return nil
      }
    }
  }

  /// The value as the flow sees it: valid, phones as E.164, secret if so declared.
  private mutating func normalised(_ value: Value, _ input: InputPlan, at place: Place) -> Value {
    var value = value
    if let region = input.phoneRegion, case .string(let text) = value {
      guard let number = e164(text, region: region) else {
        diagnostics.append(
          Diagnostic(
            .invalidValue, "the input `\(input.name.value)` is no phone number: `\(text)`", at: place,
            help: region == "US" ? ["ten digits, or eleven that start with 1"] : ["`+`, the country's code and the number: 8 to 15 digits"]))
        return value
      }
      value = .string(number)
    }
    for violation in input.schema.validate(value) {
      diagnostics.append(Diagnostic(.invalidValue, "the input `\(input.name.value)` is not valid: \(violation.message)", at: place))
    }
    return input.isSecret ? value.hidden() : value
  }

  // MARK: - secrets and answers

  mutating func resolveSecrets() -> Value {
    var map = ValueMap()
    for secret in plan.secrets {
      if let value = givens.secrets[secret.value] {
        map[secret.value] = Value.string(value).hidden()
      } else if givens.isSandbox {
        map[secret.value] = Value.string("sandbox-\(secret.value)").hidden()
      } else {
        diagnostics.append(
          Diagnostic(
            .missingSecret, "the secret `\(secret.value)` is missing", at: Place(plan.file, secret.span),
            help: ["set `BATON_SECRET_\(secret.value.uppercased())`, or name a file with `--secrets FILE`"]))
      }
    }
    return .map(map)
  }

  mutating func checkAnswers() {
    guard !givens.hasTerminal else { return }
    for prompt in plan.prompts where !givens.answers.contains(prompt.stepID) && !(givens.isSandbox && prompt.readsSMS) {
      let option = prompt.isSecret ? "`--answers FILE`" : "`--answer \(prompt.stepID)=VALUE`, `--answers FILE`"
      diagnostics.append(
        Diagnostic(
          .missingAnswer, "the prompt `\(prompt.stepID)` has nobody to ask: there is no terminal and no answer", at: prompt.place,
          help: ["give one with \(option) or `BATON_ANSWER_\(prompt.stepID.uppercased())`"]))
    }
  }

  // MARK: - connections

  mutating func resolveSettings(inputs: Value, secrets: Value) -> [ValueMap] {
    var frame = [Value?](repeating: nil, count: plan.slots.count)
    frame[plan.slots.inputs] = inputs
    frame[plan.slots.secrets] = secrets
    return plan.connections.map { connection in
      let shape = connection.system.settings()
      var settings = ValueMap()
      do throws(DataError) {
        settings = try connection.settings.evaluateMap(FlowFrame(slots: frame))
      } catch {
        diagnostics.append(Diagnostic(.invalidExpression, error.message, at: error.place))
        return settings
      }
      for source in [connection.system.name, connection.alias] {
        for (key, value) in givens.connections[source] ?? ValueMap() { settings[key.text] = value }
      }
      for field in shape.fields where settings[field.name] == nil { settings[field.name] = field.fallback }
      for violation in shape.violations(in: settings) {
        let kind: DiagnosticKind = violation.reason == .missing ? .missingKey : .invalidValue
        diagnostics.append(
          Diagnostic(kind, "connection `\(connection.alias)`: \(violation.message)", at: connection.place, help: shape.help(for: violation)))
      }
      checkEndpoint(connection, settings)
      return settings
    }
  }

  private mutating func checkEndpoint(_ connection: ConnectionPlan, _ settings: ValueMap) {
    do throws(StepFailure) {
      guard try connection.system.endpoint(settings).base == nil, connection.system.tokens != nil else { return }
      diagnostics.append(
        Diagnostic(
          .missingKey, "the connection `\(connection.alias)` has no `base_url`", at: connection.place,
          help: ["run it in the sandbox with `--sandbox`, or set `base_url`"]))
    } catch {
      diagnostics.append(Diagnostic(.invalidValue, "the connection `\(connection.alias)`: \(error.detail)", at: connection.place))
    }
  }
}

extension RecordShape {
  fileprivate func help(for violation: ShapeViolation) -> [String] {
    guard case .member(let name)? = violation.path.first, let field = field(name), !field.about.isEmpty else { return [] }
    return ["`\(name)`: \(field.about)"]
  }
}

extension ValueType {
  fileprivate var isText: Bool {
    switch self {
    case .string, .dyn: true
    case .nullable(let inner): inner.isText
    default: false
    }
  }
}
