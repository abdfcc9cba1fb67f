import FrontEnds
import StepKit
import Values

/// `steps`: one action, what stands beside it, and its modifiers.
extension FlowSchema {
  var stepParts: [(String, Value)] {
    [
      ("steps", .list(of: .ref("step"))),
      ("someSteps", ["description": "Steps, in order; maybe none.", "type": "array", "items": .ref("step")]), ("step", step),
      ("expect", expect), ("status", status), ("retry", retry), ("poll", poll), ("idempotencyKey", idempotencyKey), ("undo", undo),
      ("reconcile", reconcile), ("branch", branch),
    ]
  }

  private var step: Value {
    var conditions: [Value] = [["oneOf": .list(NativeKeys.actions.map { .required($0) })]]
    let request = Self.ofEmergencies.reduce(["with": .ref("with.request")] as Value) { $0.with($1, false) }
    conditions.append(["if": .any(NativeKeys.methods.map { .required($0) }), "then": ["properties": request]])
    conditions += strangers
    for action in NativeKeys.actions where NativeKeys.companions(of: action).contains("steps") {
      conditions.append(["if": .required(action), "then": .required("steps")])
    }
    conditions += doubt
    conditions += choicesOfStep
    return Value.closed(head.joined(with: actions).joined(with: companions).joined(with: modifiers))
      .with("allOf", .list(conditions))
      .described("One action (\(NativeKeys.actions.map { "`\($0)`" }.joined(separator: ", "))) and what is made of its outcome.")
  }

  /// The keys that mean nothing beside an action, told once for all actions that share them.
  private var strangers: [Value] {
    var byKeys: [(keys: [String], actions: [Value])] = []
    for action in NativeKeys.actions {
      let known = NativeKeys.companions(of: action) + NativeKeys.modifiers(of: action)
      let keys = (NativeKeys.companions + NativeKeys.modifiers).filter { !known.contains($0) }
      if let index = byKeys.firstIndex(where: { $0.keys == keys }) {
        byKeys[index].actions.append(.required(action))
      } else {
        byKeys.append((keys, [.required(action)]))
      }
    }
    return byKeys.filter { !$0.keys.isEmpty }.map { ["if": .any($0.actions), "then": .lacks($0.keys)] }
  }

  /// The modifiers that only a step that sets off an emergency response takes.
  static let ofEmergencies = ["dedupe_key", "valid_for", "unverifiable"]

  /// What may be sent again leaves no doubt that `reconcile` could lift.
  private var doubt: [Value] {
    let repeatable = ["get", "put", "delete", "head"].map { Value.required($0) }
    return [
      ["if": .required("reconcile"), "then": ["properties": ["effect": ["enum": ["unsafe", "once"]]]]],
      ["if": Value.required("reconcile").with("anyOf", .list(repeatable)), "then": .required("effect")],
    ]
  }

  private var head: Value {
    [
      "id": Value.ref("name").described(
        "The step's name in expressions, such as `steps.log_in.outputs`: snake_case. May be left out where nothing refers to it."),
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
    members["group"] = Value.ref("steps").described("Several steps with one `outputs`, `timeout`, `on_error` and `undo`.")
    return Value.map(members).joined(with: bodies).joined(with: [
      "wait": Value.ref("duration").described("Waits so long: `wait: 5s`."),
      "fail": .ref("fail"),
      "end": Value.choice(NativeKeys.verdicts).described("Ends the flow here with this verdict; `finally` still runs."),
    ])
  }

  /// What is part of an action and stands beside its key.
  private var companions: Value {
    [
      "steps": Value.ref("steps").described("The steps of `for_each` and `repeat`, run for each item or round."),
      "next": Value.named([:]).described(
        "The values of `carry` in the next round of `repeat`, by name: `next: { cursor: \"${{ steps.page.response.body.next }}\" }`. What it leaves out stays as it is."
      ),
      "secrets": Value.anyOf(
        ["const": "inherit"], ["type": "array", "items": .ref("text")], .named(.ref("text"))
      ).described(
        "The secrets that the flow of `call` gets: `[client_id]`, `{ its_name: our_name }`, or `inherit` for all that it declares. It gets no others."
      ),
      "connections": Value.named(.anyOf(["type": "string", "minLength": 1, "not": .anyOf(["const": "borrowed"], ["pattern": #"\$\{\{"#])]))
        .described(
          "The connections that are lent to the flow of `call`, its alias with ours: `connections: { rapidsos: rapidsos }`. It declares them `rapidsos: borrowed`; a log-in there counts here."
        ),
    ]
  }

  private var modifiers: Value {
    [
      "with": ["description": "The input of the step; beside `call`, the inputs of the flow that it runs.", "type": "object"],
      "connection": Value.ref("text").described("The alias of the connection to use, where the flow has several that fit."),
      "expect": .ref("expect"),
      "outputs": Value.ref("outputs").described(
        "Outputs beside the step's own, read as `steps.ID.outputs.NAME`. Their expressions see `outputs`, `response` and, in a group or a loop, its steps; beside `for_each` they are those of each item."
      ),
      "save": Value.ref("templateText").described(
        "The file that keeps the body of the answer, from the flow's folder on: `save: reports/users.json`."),
      "poll": .ref("poll"),
      "retry": .ref("retry"),
      "timeout": Value.ref("duration").described("How long the step may take, with its retries and polls; `timeout.step` then."),
      "attempt_timeout": Value.ref("duration").described("How long one request may take, 30s unless stated; `timeout.attempt` then."),
      "effect": Value.choice(NativeKeys.effects).described(
        "What sending a plain request twice would do, which decides whether it may be sent again. GET and HEAD are `read`, PUT and DELETE `idempotent`, others `unsafe`: sent again only if nothing left, or the provider says that it did not act."
      ),
      "idempotency_key": .ref("idempotencyKey"),
      "dedupe_key": Value.ref("templateText").described(
        "A text that is the same for the same emergency. Steps that set off an emergency response need one, no others take it."),
      "valid_for": Value.ref("duration").described(
        "How long after its start an emergency may still be sent; 5m unless stated. What is older waits for a person's decision."),
      "reconcile": .ref("reconcile"),
      "unverifiable": Value.ref("text").described(
        "Why nobody could find out whether an emergency was set off, where neither a key of the provider nor a `reconcile` can: shown before a live run is confirmed."
      ),
      "on_error": [
        "description": "What to do about an error: the first branch whose `when` and `if` hold.", "type": "array", "items": .ref("branch"),
      ],
      "undo": .ref("undo"),
    ]
  }
}
