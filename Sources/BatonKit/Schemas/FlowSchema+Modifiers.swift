import FrontEnds
import Values

/// `expect`, `retry` and the branches of `on_error`.
extension FlowSchema {
  var expect: Value {
    let checks: Value = .closed([
      "status": Value.oneOrMore(.ref("status")).described(
        "The status of a plain request: `201`, `2xx`, or a list. Without it, 2xx is required; stating one replaces that."),
      "headers": Value.named([:]).described("Headers of the answer by name, in any case, with the values that they must have."),
      "body": [
        "description":
          "What the body must hold: objects match as a subset, lists exactly. `$any`, `$string`, `$number`, `$uuid`, `$regex: PATTERN`, `$between: [A, B]` and `$absent` stand for values."
      ],
      "that": Value.anyOf(.ref("expression"), ["type": "array", "items": .ref("expression")]).described(
        "CEL expressions that must be true; they see `outputs` and `response`."),
      "max_duration": Value.ref("duration").described("How long the step may take at most."),
      "error": Value.ref("code").described("The step succeeds only if it raises this code; `that` then sees `error`."),
    ])
    let list = Value.list(of: .ref("expression")).described("CEL expressions that must be true; they see `outputs` and `response`.")
    return Value.anyOf(list, checks.with("minProperties", 1)).described(
      "What must hold once the step has its answer; every check is reported. A list of CEL expressions such as `outputs.id > 0`, or a map of checks."
    )
  }

  var status: Value {
    .anyOf(
      ["description": "A status.", "type": "integer", "minimum": 100, "maximum": 599],
      ["description": "A class of statuses.", "type": "string", "pattern": "^[1-5]xx$", "examples": ["2xx"]])
  }

  var retry: Value {
    Value.closed([
      "attempts": ["description": "How many requests are sent in all; 3 unless stated.", "type": "integer", "minimum": 1],
      "when": Value.ref("codes").described(
        "The errors after which the request is sent again: `network`, `timeout.attempt`, `http.429`, `http.502`, `http.503` and `http.504` unless stated."
      ),
      "delay": Value.ref("duration").described("The pause before the second request; 500ms unless stated. `Retry-After` wins."),
      "factor": ["description": "By what each further pause is longer; 2 unless stated.", "type": "number", "minimum": 1],
      "max_delay": Value.ref("duration").described("The longest pause; 30s unless stated."),
      "jitter": Value.choice(NativeKeys.jitters).described(
        "Whether pauses are drawn at random up to their length (`full`, unless stated) or kept (`none`)."),
    ]).described(
      "Sends a request again after an error that may pass. Nothing is retried unless this is stated; what may not be sent twice never is.")
  }

  var branch: Value {
    let members: Value = [
      "when": Value.ref("codes").described("The codes that the branch is for. `any` takes every error and needs a `reason`."),
      "reason": Value.ref("text").described("Why every error may be handled alike."),
      "if": Value.ref("expression").described("A further condition: CEL, without `${{ }}`; it sees `error`."),
      "do": Value.ref("steps").described("Steps that run first; they see `error`."),
      "then": Value.choice(NativeKeys.endings).described(
        "`continue`: the step is `recovered` and the flow goes on. `retry`: it runs again, `max` times at most. `fail`, unless stated: the flow fails. `end`: it ends with `verdict`."
      ),
      "max": ["description": "With `then: retry`: how often it may run again.", "type": "integer", "minimum": 1],
      "code": Value.ref("text").described(
        "With `then: fail`: a code of the flow's own instead, such as `user.pin_rejected`; the original is its cause."),
      "message": Value.ref("templateText").described("With `then: fail`: what people read."),
      "verdict": Value.choice(NativeKeys.verdicts).described("With `then: end`: how the flow ends."),
      "outputs": Value.ref("outputs").described("With `then: continue`: the outputs of the step that are used later."),
    ]
    let isAny: Value = .anyOf(["const": "any"], ["type": "array", "contains": ["const": "any"]])
    return Value.closed(members, required: ["when"]).with(
      "allOf",
      [
        ["if": ["properties": ["when": isAny], "required": ["when"]], "then": .required("reason")],
        ["if": .has("then", "continue"), "else": .lacks("outputs")],
        ["if": .has("then", "retry"), "then": .required("max"), "else": .lacks("max")],
        [
          "if": .has("then", "end"), "then": .required("verdict"),
          "else": ["properties": ["verdict": false, "code": .ref("userCode")]],
        ],
        ["if": ["properties": ["then": ["enum": ["continue", "retry", "end"]]], "required": ["then"]], "then": .lacks("message")],
        ["if": ["properties": ["then": ["enum": ["continue", "retry"]]], "required": ["then"]], "then": .lacks("code")],
        ["if": ["properties": ["verdict": ["const": "passed"]], "required": ["verdict"]], "then": .lacks("code")],
      ])
  }
}
