import StepKit
import Values

/// `connections`: settings by the system, which `system` names where the alias does not.
extension FlowSchema {
  var connections: Value {
    let byAlias = catalogue.systems.map { system in
      (system.name, ["if": .required("system"), "then": .ref("connection"), "else": .ref("connection.\(system.name)")] as Value)
    }
    var properties = ValueMap()
    for (name, schema) in byAlias { properties[name] = schema.described("\(title(of: name)), with the settings of this connection.") }
    return [
      "description":
        "The servers that steps go to, by an alias of your choice. A connection owns its session: it fetches, refreshes and sends tokens, to its own origin alone.",
      "type": "object", "properties": .map(properties), "additionalProperties": ["allOf": [.ref("connection"), .required("system")]],
    ]
  }

  var connectionParts: [(String, Value)] {
    let choose = catalogue.systems.map { Value.when("system", is: .string($0.name), then: .ref("connection.\($0.name)")) }
    let connection: Value = ["type": "object", "properties": ["system": system], "allOf": .list(choose)]
    return [("connection", connection)]
      + catalogue.systems.map { ("connection.\($0.name)", settings(of: $0)) }
  }

  private var system: Value {
    Value.choice(catalogue.systems.map(\.name)).described("The system of the connection; may be left out where the alias is its name.")
  }

  /// Nothing is required: the environment may have the rest.
  private func settings(of description: SystemDescription) -> Value {
    var schema = description.settings().flowSchema.mapValue ?? ValueMap()
    let properties: Value = ["system": system]
    schema["properties"] = properties.joined(with: schema["properties"] ?? [:])
    schema["required"] = nil
    return .map(schema)
  }

  private func title(of system: String) -> String { catalogue.system(system)?.title ?? system }
}
