import FrontEnds
import StepKit
import Values

/// The JSON Schema of `*.flow.yaml`: what `baton check` asks of the form of a flow, with texts for editors. Names,
/// types of expressions and all that needs the whole flow are left to `baton check`.
struct FlowSchema {
  let catalogue: StepCatalogue

  init(_ catalogue: StepCatalogue) { self.catalogue = catalogue }

  var value: Value {
    let head: Value = [
      "$schema": .dialect, "title": "Baton flow",
      "description": "A workflow over APIs: inputs, connections, steps and outputs. `baton check` proves what a schema cannot.",
    ]
    return head.joined(with: root).with("$defs", .definitions(definitions))
  }

  private var root: Value {
    .closed(
      [
        "baton": .version,
        "flow": Value.ref("text").described("The flow's name in reports. Without it, the file's name."),
        "description": Value.ref("text").described("What the flow is for, in a sentence."),
        "tags": Value.tags.described("Words that flows are chosen by: `baton test --tag smoke`."),
        "inputs": inputs,
        "secrets": [
          "description":
            "The names of the secrets that the flow needs, read as `secrets.NAME`. All are resolved before the first request, from the environment of `baton.yaml`, systemd's credentials, `--secrets FILE` or `BATON_SECRET_NAME`, and are hidden in everything that is shown.",
          "type": "array", "uniqueItems": true, "items": .ref("text"),
        ],
        "connections": connections,
        "state": state,
        "state_key": Value.ref("templateText").described(
          "Whose state it is, where one flow serves several: `${{ inputs.account }}`. State is kept per flow, environment and this key."),
        "defaults": .ref("defaults"),
        "budget": .ref("budget"),
        "steps": Value.ref("steps").described("What the flow does, in order."),
        "outputs": Value.ref("outputs").described("What the flow gives back; there only after it passed."),
        "finally": Value.ref("steps").described(
          "Steps that always run at the end, each on its own, also after a failure or a cancel. Their errors never replace the first one."),
      ], required: ["steps"]
    ).with("allOf", [["if": .required("state_key"), "then": .required("state")]])
  }

  private var definitions: [(String, Value)] {
    SchemaWords.templates + SchemaWords.literals + SchemaWords.expressions + parts + [
      ("code", codes.one), ("codes", codes.several), ("userCode", codes.own),
    ]
      + [("match", .match)] + stepParts + bodyParts + inputParts + connectionParts + typedSteps
  }

  var codes: SchemaCodes { SchemaCodes(catalogue) }

  /// Parts of a flow beside its steps.
  private var parts: [(String, Value)] {
    [
      (
        "defaults",
        Value.closed([
          "attempt_timeout": Value.ref("duration").described("How long one request may take. 30s unless stated; `timeout.attempt` then."),
          "timeout": Value.ref("duration").described(
            "How long a whole step may take, with its retries and polls. None unless stated; `timeout.step` then."),
          "retry": .ref("retry"),
          "http": Value.ref("with.request").described(
            "What every plain request has beside its own `with`; maps such as `headers` are joined by name."),
        ]).described("What holds for every step that does not say otherwise.")
      ),
      (
        "budget",
        Value.closed([
          "time": Value.ref("duration").described("How long the run may take."),
          "requests": ["description": "How many requests it may send, retries among them.", "type": "integer", "minimum": 0],
        ]).described("A hard ceiling for the run, which no `on_error` catches.")
      ),
      (
        "outputs",
        Value.named([
          "if": ["type": "object", "required": ["value"]],
          "then": .closed(
            [
              "value": ["description": "The value; an expression in `${{ }}` keeps its type."],
              "type": Value.ref("text").described("The type that the value must have."),
              "secret": ["description": "Whether the value is hidden in everything that is shown.", "type": "boolean"],
            ], required: ["value"]),
        ]).described("Values by name: `NAME: VALUE`, or `NAME: { value: VALUE, secret: true }`.")
      ),
    ]
  }
}
