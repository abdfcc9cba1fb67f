import StepKit
import Values

/// `uses` decides what `with` takes.
extension FlowSchema {
  /// A definition of `with` for each step of the catalogue, and one for `get: /path` and its like.
  var typedSteps: [(String, Value)] {
    let request = catalogue.step("http").map { step in
      // What the action states is not stated again.
      RecordShape(step.input().fields.filter { !["method", "url"].contains($0.name) })
    }
    let steps = catalogue.stepNames.compactMap { catalogue.step($0) }
    return [("with.request", (request?.flowSchema ?? [:]).described("What the request carries, and how it is sent."))]
      + steps.map { (Self.definition(of: $0), with($0)) }
  }

  /// What holds of a step by what it uses.
  var choicesOfStep: [Value] {
    catalogue.stepNames.compactMap { catalogue.step($0) }.map { .when("uses", is: .string($0.about.name), then: members(of: $0)) }
  }

  private static func definition(of step: AnyStep) -> String {
    "with." + step.about.name.replacing("/", with: ".")
  }

  private func members(of step: AnyStep) -> Value {
    var properties: Value = ["uses": ["description": .string(page(of: step))], "with": .ref(Self.definition(of: step))]
    // A typed step knows its effect, its keys and which answers are right; one that sends nothing repeats nothing.
    var strangers = step.about.name == "http" ? [] : ["effect", "idempotency_key", "save"]
    if !step.about.isEmergency { strangers += Self.ofEmergencies }
    if step.about.name != "http", ![.once, .unsafe].contains(step.about.effect) { strangers.append("reconcile") }
    if step.about.name != "http" {
      properties = properties.with("expect", .lacks("status", "headers", "body", "schema"))
      if step.about.system == nil { strangers += ["connection", "poll", "retry"] }
    }
    for name in strangers { properties = properties.with(name, false) }
    var required: [String] = []
    if step.input().fields.contains(where: \.isRequired) { required.append("with") }
    if step.about.isEmergency { required.append("dedupe_key") }
    let typed: Value = ["properties": properties]
    return required.isEmpty ? typed : typed.with("required", .texts(required))
  }

  /// The step's page, short enough to be shown beside its name.
  private func page(of step: AnyStep) -> String {
    let about = step.about
    var sentences = [about.summary, "Effect `\(about.effect.rawValue)`."]
    if about.isEmergency { sentences.append("Sets off an emergency response: needs a `dedupe_key`.") }
    if about.token != .none { sentences.append("Needs a \(about.token.rawValue)'s token.") }
    if about.signsIn { sentences.append("Signs a user in.") }
    let outputs = step.output().fields.map { "`\($0.name)`" }
    if !outputs.isEmpty { sentences.append("Outputs: \(outputs.joined(separator: ", ")).") }
    let errors = step.errors.map { "`\($0.code)` (\($0.title))" }
    if !errors.isEmpty { sentences.append("Errors: \(errors.joined(separator: ", ")).") }
    return sentences.joined(separator: " ")
  }

  private func with(_ step: AnyStep) -> Value {
    let schema = step.input().flowSchema.described("The input of `\(step.about.name)`.")
    let refinements = self.refinements(of: step)
    return refinements.isEmpty ? schema : schema.with("allOf", .list(refinements))
  }

  /// Where a word among the input decides what the rest is.
  private func refinements(of step: AnyStep) -> [Value] {
    let general = step.refine(ValueMap(), ValueMap())
    return general.fields.flatMap { field -> [Value] in
      guard case .choice(let words) = field.shape else { return [] }
      return words.compactMap { word in
        guard let literals = Value.map(field.name, .string(word)).mapValue else { return nil }
        let refined = step.refine(literals, ValueMap())
        return refined == general ? nil : .when(field.name, is: .string(word), then: refined.flowSchema)
      }
    }
  }
}
