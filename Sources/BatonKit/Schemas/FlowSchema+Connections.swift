import StepKit
import Values

/// `connections`: settings by the alias.
extension FlowSchema {
  var connections: Value {
    var properties = ValueMap()
    for system in catalogue.systems {
      let settings: Value = ["if": .required("system"), "then": .ref("connection"), "else": .ref("connection.\(system.name)")]
      properties[system.name] = Value.where(["type": "string"], ["const": "borrowed"], else: settings).described(
        "\(system.title), with the settings of this connection; `borrowed` where the flow that calls this one lends it.")
    }
    return [
      "description":
        "The servers that steps go to, by an alias of your choice. A connection owns its session: it fetches, refreshes and sends tokens, to its own origin alone.",
      "type": "object", "properties": .map(properties), "additionalProperties": ["allOf": [.ref("connection"), .required("system")]],
    ]
  }

  var connectionParts: [(String, Value)] { ConnectionSchemas(catalogue, takesTemplates: true).definitions }
}
