import FrontEnds
import Values

/// `expect`, and the branches of `on_error`.
extension FlowSchema {
  var expect: Value {
    let checks: Value = .closed([
      "status": Value.oneOrMore(.ref("status")).described(
        "The status of a plain request: `201`, `2xx`, or a list. Without it, 2xx is required; stating one replaces that."),
      "headers": Value.named([:]).described("Headers of the answer by name, in any case, with the values that they must have."),
      "body": Value.map("allOf", [.ref("match")]).with("not", ["const": "$any"]).described(
        Value.matchText + " Not `$any` alone, which is true of every answer."),
      "schema": Value.anyOf(.ref("text"), ["allOf": [.ref("objectSchema"), .ref("literals")]]).described(
        "What the body must satisfy: a JSON Schema in place, or the path of a file that holds one, such as `schemas/user.json`."),
      "that": Value.anyOf(.ref("expression"), ["type": "array", "items": .ref("expression")]).described(
        "CEL expressions that must be true; they see `outputs` and `response`."),
      "max_duration": Value.ref("duration").described("How long the step may take at most."),
      "error": Value.ref("code").described("The step succeeds only if it raises this code; `that` then sees `error`."),
    ])
    let list = Value.list(of: .ref("expression")).described("CEL expressions that must be true; they see `outputs` and `response`.")
    return Value.whereMap(
      checks.with("minProperties", 1).with("allOf", [["if": .required("error"), "then": .lacks("status")]]), else: list
    ).described(
      "What must hold once the step has its answer; every check is reported. A list of CEL expressions such as `outputs.id > 0`, or a map of checks."
    )
  }

  var status: Value {
    .anyOf(
      ["description": "A status.", "type": "integer", "minimum": 100, "maximum": 599],
      ["description": "A class of statuses.", "type": "string", "pattern": "^[1-5]xx$", "examples": ["2xx"]])
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
