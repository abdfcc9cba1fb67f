import Diagnostics
package import StepKit
package import Values

extension PreparedRun {
  /// A called flow, ready to run in a scope of its own: its inputs are validated and normalised, its own connections
  /// have their settings, those that it is lent have none; its state is what it is before the first run.
  ///
  /// - Parameters:
  ///   - inputs: the evaluated `with`; what is secret in it stays so.
  ///   - secrets: by the called flow's names.
  /// - Throws: `schema.input` with every violation, `config.connection`.
  package func prepared(_ call: CallPlan, inputs: ValueMap, secrets: ValueMap) throws(StepFailure) -> PreparedRun {
    var given = givens
    given.inputs = [:]
    // Only what the called flow does not declare secret itself.
    var hidden: Set<String> = []
    for (key, value) in inputs {
      given.inputs[key.text] = .data(value.fullyExposed)
      if value.containsSecret { hidden.insert(key.text) }
    }
    var preparation = Preparation(plan: call.flow, givens: given)
    var valid = preparation.resolveInputs().mapValue ?? ValueMap()
    if preparation.diagnostics.hasErrors {
      throw preparation.failure("schema.input", "the input of `\(call.path)` is not valid", hiding: !hidden.isEmpty)
    }
    for name in hidden { valid[name] = valid[name]?.hidden() }
    let secretValues = Value.map(secrets.mapValues { $0.hidden() })
    let settings = preparation.resolveSettings(inputs: .map(valid), secrets: secretValues)
    if preparation.diagnostics.hasErrors {
      throw preparation.failure("config.connection", "a connection of `\(call.path)` cannot be set up", hiding: false)
    }
    return PreparedRun(
      plan: call.flow, inputs: .map(valid), secrets: secretValues, settings: settings, state: .map(call.flow.firstState), givens: givens)
  }
}

extension Preparation {
  /// All that is wrong, as one error of the step that calls. A message may quote what was given: with a secret among
  /// the input, only the places are told.
  fileprivate func failure(_ code: String, _ title: String, hiding: Bool) -> StepFailure {
    let messages = diagnostics.filter { $0.severity == .error }.map { finding in
      hiding ? finding.message.prefix { $0 != ":" }.description : finding.message
    }
    return StepFailure(
      code, title: title, detail: messages.joined(separator: "; "), isRejected: true,
      problems: messages.map { StepFailure.Problem(field: "", message: $0) })
  }
}
