import StepKit
import Values

/// A step's page in the catalogue; everything on it comes from declarations.
struct StepPage: Sendable {
  let step: AnyStep
  let catalogue: StepCatalogue

  init(_ step: AnyStep, in catalogue: StepCatalogue) {
    self.step = step
    self.catalogue = catalogue
  }

  var system: SystemDescription? { catalogue.system(of: step) }

  /// Whether it may be sent again, and what that does.
  var effectWords: String {
    switch step.about.effect {
    case .read: "changes nothing; may be sent again"
    case .idempotent: "doing it twice is doing it once; may be sent again"
    case .keyed: "the provider recognises a repeated key; may be sent again, with the same key"
    case .unsafe: "doing it twice may do it twice; sent again only if nothing was sent, or the provider says that it did not act"
    case .once: "never sent again unless nothing was sent; doubt ends the run `indeterminate`"
    }
  }

  /// Whose token its requests carry, and where that comes from.
  var tokenWords: String {
    switch step.about.token {
    case .none:
      if step.about.signsIn {
        "signs a user in on its connection"
      } else if let field = choosingField {
        "as `\(field)` says"
      } else {
        "needs none"
      }
    case .client: "of the app: the connection gets it by itself"
    case .user: "of whoever is signed in: \(system?.signInWords ?? "a step signs them in")"
    }
  }

  /// Whether it ends the session of its connection; nil where it does not.
  var signsOutWords: String? {
    switch step.about.signsOut {
    case .never: nil
    case .always: "signs the user of its connection out"
    case .asked(let input): "signs the user of its connection out where `\(input): true`"
    }
  }

  /// The field of the input that chooses the token, where a connection may give one at all.
  private var choosingField: String? { system == nil ? nil : ["as", "token"].first { step.input().field($0) != nil } }

  /// A field of the input whose value decides what the rest is, and the input then.
  struct Refinement {
    /// `call_flow: kronos_contacts`
    let condition: String
    let input: [RecordShape.Field]
    let output: [RecordShape.Field]
  }

  /// What the input is, and what it becomes with each word that decides it.
  var input: RecordShape { step.refine(ValueMap(), ValueMap()) }
  var output: RecordShape { step.output() }

  var refinements: [Refinement] {
    let general = (input: input, output: step.refineOutput(ValueMap()))
    return general.input.fields.flatMap { field -> [Refinement] in
      guard case .choice(let words) = field.shape else { return [] }
      return words.compactMap { word in
        var literals = ValueMap()
        literals[field.name] = .string(word)
        let input = step.refine(literals, ValueMap()).fields.filter { !general.input.fields.contains($0) && $0.name != field.name }
        let output = step.refineOutput(literals).fields.filter { !general.output.fields.contains($0) }
        return input.isEmpty && output.isEmpty ? nil : Refinement(condition: "\(field.name): \(word)", input: input, output: output)
      }
    }
  }

  /// The step of its example, to be pasted below `steps:`.
  func example(indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var text = "\(margin)- uses: \(step.about.name)\n"
    if step.about.isEmergency { text += "\(margin)  dedupe_key: incident-4711\n" }
    let members = Self.parsed(step.example.with).mapValue ?? ValueMap()
    if !members.isEmpty { text += "\(margin)  with:\n" + ExampleText.members(members, indent: indent + 4) }
    return text
  }

  static func parsed(_ text: String) -> Value { (try? JSON.parse(Array(text.utf8))) ?? .null }
}

extension SystemDescription {
  /// How a user gets into a connection.
  var signInWords: String {
    guard let last = waysIn.last else { return "a step signs them in" }
    return "by \(waysIn.count == 1 ? last : "\(waysIn.dropLast().joined(separator: ", ")), or \(last)")"
  }
}
