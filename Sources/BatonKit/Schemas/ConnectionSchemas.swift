import StepKit
import Values

/// Settings of connections by their system, which `system` names where the alias does not.
struct ConnectionSchemas {
  let catalogue: StepCatalogue
  /// Whether an expression may stand for each setting.
  let takesTemplates: Bool

  init(_ catalogue: StepCatalogue, takesTemplates: Bool) {
    self.catalogue = catalogue
    self.takesTemplates = takesTemplates
  }

  /// `connection` for one that names its system, and one for each system.
  var definitions: [(String, Value)] {
    let choose = catalogue.systems.map { Value.when("system", is: .string($0.name), then: .ref("connection.\($0.name)")) }
    let connection: Value = ["type": "object", "properties": ["system": system], "allOf": .list(choose)]
    return [("connection", connection)]
      + catalogue.systems.map { ("connection.\($0.name)", settings(of: $0)) }
  }

  private var system: Value {
    Value.choice(catalogue.systems.map(\.name)).described("The system of the connection; may be left out where the alias is its name.")
  }

  /// Nothing is required: the flow has one part, the environment another.
  private func settings(of description: SystemDescription) -> Value {
    let shape = description.settings()
    var schema = (takesTemplates ? shape.flowSchema : shape.jsonSchema).mapValue ?? ValueMap()
    let properties: Value = ["system": system]
    schema["properties"] = properties.joined(with: schema["properties"] ?? [:])
    schema["required"] = nil
    return .map(schema)
  }
}
