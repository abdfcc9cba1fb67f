import FrontEnds
import StepKit
import Values

/// `steps`: one action and its modifiers.
extension FlowSchema {
  var stepParts: [(String, Value)] {
    [
      ("steps", .list(of: .ref("step"))), ("step", step), ("fail", fail), ("expect", expect), ("status", status), ("retry", retry),
      ("branch", branch),
    ]
  }

  private var step: Value {
    var conditions: [Value] = [["oneOf": .list(NativeKeys.actions.map { .required($0) })]]
    let request: Value = ["properties": ["with": .ref("with.request"), "dedupe_key": false]]
    conditions.append(["if": ["anyOf": .list(NativeKeys.methods.map { .required($0) })], "then": request])
    for action in NativeKeys.actions where NativeKeys.modifiers(of: action) != NativeKeys.modifiers {
      let allowed = NativeKeys.stepHead + NativeKeys.actions + NativeKeys.modifiers(of: action)
      conditions.append(["if": .required(action), "then": ["propertyNames": ["enum": .texts(allowed)]]])
    }
    conditions += choicesOfStep
    return Value.closed(head.joined(with: actions).joined(with: modifiers))
      .with("allOf", .list(conditions))
      .described("One action (\(NativeKeys.actions.map { "`\($0)`" }.joined(separator: ", "))) and what is made of its outcome.")
  }

  private var head: Value {
    [
      "id": [
        "description":
          "The step's name in expressions, such as `steps.log_in.outputs`: snake_case. May be left out where nothing refers to it.",
        "type": "string", "pattern": "^[a-z][a-z0-9_]*$",
      ],
      "name": Value.ref("templateText").described("What reports call the step."),
      "if": Value.ref("expression").described(
        "The step runs where this is true and is `skipped` where it is false. CEL, without `${{ }}`."),
    ]
  }

  private var actions: Value {
    var members = ValueMap()
    members["uses"] = Value.choice(catalogue.stepNames).described("A typed step of the catalogue; `baton steps` lists them all.")
    for method in NativeKeys.methods {
      members[method] = Value.ref("templateText").described(
        "Sends a \(method.uppercased()) request to a path below the connection's `base_url`, or to a whole URL. `{name}` is filled from `with.path`; an expression inside is encoded."
      )
    }
    members["group"] = Value.ref("steps").described("Several steps with one `outputs`, `timeout` and `on_error`.")
    members["wait"] = Value.ref("duration").described("Waits so long.")
    members["fail"] = .ref("fail")
    members["end"] = Value.choice(NativeKeys.verdicts).described("Ends the flow here with this verdict; `finally` still runs.")
    return .map(members)
  }

  private var fail: Value {
    Value.closed(
      ["code": .ref("userCode"), "message": Value.ref("templateText").described("What people read.")],
      required: ["code"]
    ).described("Fails with a code of the flow's own.")
  }

  private var modifiers: Value {
    [
      "with": ["description": "The input of the step.", "type": "object"],
      "connection": Value.ref("text").described("The alias of the connection to use, where the flow has several that fit."),
      "expect": .ref("expect"),
      "outputs": Value.ref("outputs").described(
        "Outputs beside the step's own, read as `steps.ID.outputs.NAME`. Their expressions see `outputs`, `response` and, in a group, its steps."
      ),
      "retry": .ref("retry"),
      "timeout": Value.ref("duration").described("How long the step may take, with its retries; `timeout.step` then."),
      "attempt_timeout": Value.ref("duration").described("How long one request may take, 30s unless stated; `timeout.attempt` then."),
      "effect": Value.choice(NativeKeys.effects).described(
        "What sending a plain request twice would do, which decides whether it may be sent again. GET and HEAD are `read`, PUT and DELETE `idempotent`, others `unsafe`: sent again only if nothing left, or the provider says that it did not act."
      ),
      "dedupe_key": Value.ref("templateText").described(
        "A text that is the same for the same emergency. Steps that set off an emergency response need one, no others take it."),
      "on_error": [
        "description": "What to do about an error: the first branch whose `when` and `if` hold.", "type": "array", "items": .ref("branch"),
      ],
    ]
  }
}
