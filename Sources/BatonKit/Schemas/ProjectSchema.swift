import FrontEnds
import StepKit
import Values

/// The JSON Schema of `baton.yaml`: what differs from one environment to the next.
struct ProjectSchema {
  let catalogue: StepCatalogue

  init(_ catalogue: StepCatalogue) { self.catalogue = catalogue }

  var value: Value {
    let head: Value = [
      "$schema": .dialect, "title": "Baton project",
      "description":
        "What differs from one environment to the next: where servers are, where secrets come from, which hosts may be reached, and whether live emergencies may fire.",
    ]
    let root: Value = .closed(
      [
        "baton": .version,
        "environments": Value.named(.ref("environment")).described(
          "The environments by name; `baton run FLOW --env staging` chooses one."),
      ], required: ["environments"])
    return head.joined(with: root).with("$defs", .definitions(definitions))
  }

  private var definitions: [(String, Value)] {
    SchemaWords.literals + [("environment", environment), ("source", source), ("host", host)]
      + ConnectionSchemas(catalogue, takesTemplates: false).definitions
  }

  private var environment: Value {
    Value.closed([
      "extends": Value.ref("text").described("The environment whose settings this one has too; maps are joined by key, lists replaced."),
      "live": .flag("Whether emergency steps may fire for real; with `--live` and a confirmed key alone."),
      "exec": .flag("Whether `exec` steps may run programs."),
      "connections": connections,
      "inputs": Value.ref("literals").described("Inputs of flows by name; those that a flow lacks are ignored."),
      "secrets": Value.named(.ref("source")).described(
        "Where each secret comes from: `{ env: API_KEY }`, `{ file: key.txt }` (mode 0600), or `{ command: [pass, show, api/key] }`. Never the value itself."
      ),
      "hosts": ["description": "The hosts that may be reached, and no others.", "type": "array", "items": .ref("host")],
      "answers": Value.named(.whereMap(.ref("source"), else: .ref("text"))).described(
        "What prompts get, by the prompt's id: a text, or where it comes from, asked when the prompt is reached: `{ command: [./read-sms] }`."
      ),
    ]).described("One environment; what it leaves out comes from the one that it `extends`.")
  }

  /// By alias; what the alias leaves open, the flow says.
  private var connections: Value {
    var properties = ValueMap()
    for system in catalogue.systems {
      let settings: Value = ["if": .required("system"), "then": .ref("connection"), "else": .ref("connection.\(system.name)")]
      properties[system.name] = settings.described("Settings of \(system.title) here.")
    }
    return [
      "description":
        "Settings of connections by alias, else by system: `connections: { rapidsos: { base_url: https://api-staging.rapidsos.com } }`. Literal: no `${{ }}`.",
      "type": "object", "properties": .map(properties),
      "additionalProperties": ["type": "object", "if": .required("system"), "then": .ref("connection")], "allOf": [.ref("literals")],
    ]
  }

  private var source: Value {
    Value.closed([
      "env": Value.ref("text").described("The name of an environment variable."),
      "file": Value.ref("text").described("A file, which nobody but its owner may read."),
      "command": Value.list(of: .ref("text")).described("A program and its arguments, without a shell; what it prints is the value."),
    ]).with("minProperties", 1).with("maxProperties", 1).described("Where the value comes from: exactly one of these.")
  }

  private var host: Value {
    let label = "[A-Za-z0-9_-]{1,63}"
    let port = "0*([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
    return [
      "description": "A host: `api.example.com`, `*.example.com` or `localhost:8080`, without a scheme and a path.", "type": "string",
      "pattern": .string(#"^(\[[0-9A-Fa-f:.]+\]|(\*\.)?\#(label)(\.\#(label))*)(:\#(port))?$"#),
    ]
  }
}
