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
    return head.joined(with: root).with("$defs", definitions)
  }

  private var root: Value {
    .closed(
      [
        "baton": ["description": "The version of the language: 1. May be left out.", "const": 1],
        "flow": Value.ref("text").described("The flow's name in reports. Without it, the file's name."),
        "description": Value.ref("text").described("What the flow is for, in a sentence."),
        "tags": ["description": "Words that flows are chosen by.", "type": "array", "items": .ref("text")],
        "inputs": inputs,
        "secrets": [
          "description":
            "The names of the secrets that the flow needs, read as `secrets.NAME`. All are resolved before the first request, from systemd's credentials, `--secrets FILE` or `BATON_SECRET_NAME`, and are hidden in everything that is shown.",
          "type": "array", "uniqueItems": true, "items": .ref("text"),
        ],
        "connections": connections,
        "defaults": .ref("defaults"),
        "budget": .ref("budget"),
        "steps": Value.ref("steps").described("What the flow does, in order."),
        "outputs": Value.ref("outputs").described("What the flow gives back; there only after it passed."),
        "finally": Value.ref("steps").described(
          "Steps that always run at the end, each on its own, also after a failure or a cancel. Their errors never replace the first one."),
      ], required: ["steps"])
  }

  private var definitions: Value {
    var map = ValueMap()
    for (name, schema) in scalars + parts + stepParts + inputParts + connectionParts + typedSteps { map[name] = schema }
    return .map(map)
  }

  /// Parts of a flow beside its steps.
  private var parts: [(String, Value)] {
    [
      (
        "defaults",
        Value.closed([
          "attempt_timeout": Value.ref("duration").described("How long one request may take. 30s unless stated; `timeout.attempt` then."),
          "timeout": Value.ref("duration").described(
            "How long a whole step may take, with its retries. None unless stated; `timeout.step` then."),
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

  private var scalars: [(String, Value)] {
    let expression: Value = ["type": ["string", "boolean", "number"], "minLength": 1]
    return [
      (
        "template",
        [
          "description": "A text with expressions in `${{ }}`; one expression alone keeps its type.", "type": "string",
          "pattern": #"\$\{\{"#,
        ]
      ),
      ("text", ["type": "string", "minLength": 1, "not": ["pattern": #"\$\{\{"#]]),
      ("templateText", ["type": "string", "minLength": 1]),
      ("expression", expression.described("A CEL expression, without `${{ }}`.")),
      (
        "duration",
        [
          "description": "A length of time with its unit: `500ms`, `30s`, `5m`, `1h`, `1m30s`.", "type": "string", "minLength": 1,
          "pattern": #"^([0-9]+(\.[0-9]+)?h)?([0-9]+(\.[0-9]+)?m)?([0-9]+(\.[0-9]+)?s)?([0-9]+(\.[0-9]+)?ms)?$"#,
        ]
      ),
      ("code", .anyOf(.choice(codes), .ref("text"))),
      (
        "codes",
        Value.oneOrMore(.ref("code")).described("A code of an error, or a list of them; `http` means all that start with `http.`.")
      ),
      (
        "userCode",
        ["description": "A code of the flow's own, such as `user.pin_rejected`.", "type": "string", "pattern": #"^user\.."#]
      ),
    ]
  }

  /// The codes that flows may name: those of the language, then those of the catalogue's steps.
  private var codes: [String] {
    let declared = catalogue.stepNames.compactMap { catalogue.step($0) }.flatMap(\.errors).map(\.code)
    return Self.codes + Set(declared).subtracting(Self.codes).sorted()
  }

  private static let codes = [
    "any", "network", "network.dns", "network.connect", "network.reset", "network.protocol", "tls", "tls.certificate", "tls.handshake",
    "timeout",
    "timeout.connect", "timeout.attempt", "timeout.step", "timeout.prompt", "auth", "auth.invalid_client", "auth.invalid_grant",
    "auth.denied",
    "auth.expired", "auth.pending", "http", "http.4xx", "http.5xx", "http.401", "http.403", "http.404", "http.409", "http.422", "http.429",
    "http.500", "http.502", "http.503", "http.504", "assertion", "schema.input", "schema.response", "decode", "indeterminate", "user",
  ]
}
