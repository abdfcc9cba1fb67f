import FrontEnds
import Values

/// Actions that hold steps, call another flow or set variables.
extension FlowSchema {
  var bodies: Value {
    [
      "switch": [
        "description":
          "The first case whose `if` is true runs; the last one is `else`: `[ { if: inputs.count > 10, steps: […] }, { else: […] } ]`. Its outputs are those of the case that ran.",
        "type": "array", "items": .ref("case"), "contains": .required("else"),
      ],
      "for_each": .ref("forEach"),
      "repeat": .ref("repeat"),
      "parallel": .ref("parallel"),
      "call": Value.ref("text").described(
        "Runs another flow, by its path from this file: `call: log-in.flow.yaml`. `with` gives its inputs, `secrets` and `connections` what it may use; its outputs are the step's."
      ),
      "set": [
        "description":
          "Sets variables for the rest of the flow, read as `vars.NAME`, or state that lasts between runs: `set: { state.cursor: \"${{ steps.page.outputs.next }}\" }`.",
        "type": "object", "minProperties": 1, "propertyNames": ["pattern": #"^(state\.)?[A-Za-z_][A-Za-z0-9_]*$"#],
      ],
    ]
  }

  var bodyParts: [(String, Value)] {
    [
      ("case", switchCase), ("forEach", forEach), ("repeat", repeating), ("parallel", parallel), ("body", body), ("fail", fail),
      ("variable", ["type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"]),
    ]
  }

  private var switchCase: Value {
    let hasBody: Value = .anyOf(.required("steps"), .required("outputs"))
    return Value.closed([
      "if": Value.ref("expression").described("The case runs where this is true and no case before it ran. CEL, without `${{ }}`."),
      "steps": Value.ref("someSteps").described("What the case does; `[]` for nothing."),
      "else": Value.ref("someSteps").described("What is done where no case holds, in the last case; `[]` for nothing."),
      "outputs": Value.ref("outputs").described("The outputs of the `switch` where this case runs; their types agree over the cases."),
    ]).with(
      "allOf",
      [["if": .required("else"), "then": .lacks("if", "steps"), "else": ["required": ["if"], "anyOf": hasBody["anyOf"] ?? []]]]
    ).described("A case: `if` and its steps, or `else` with its steps.")
  }

  private var forEach: Value {
    Value.closed(
      [
        "in": Value.anyOf(.ref("expression"), ["type": "array"], ["type": "object"]).described(
          "What it goes through: an expression such as `inputs.users`, a list or a map in place, or a table: `\"csv('users.csv', {'age': 'integer'})\"`."
        ),
        "as": Value.ref("variable").described("The name of the item in expressions; `item` unless stated."),
        "key": Value.ref("expression").described(
          "What reports call an item, such as `item.username`. CEL; its number, or its key in a map, unless stated."),
        "max_items": Value.integer(from: 1, "How many items there may be; needed where nothing else bounds the list, such as `maxItems`."),
        "min_items": Value.integer(from: 0, "How many items there must be; 1 unless stated, so that an empty table is an error."),
        "concurrency": Value.integer(from: 1, "How many items run at once; 1 unless stated."),
        "on_item_error": Value.choice(NativeKeys.concurrentEndings).described(
          "`stop`, unless stated: nothing new starts, and the item's error is the step's. `finish`: the others run, and the step fails with `parallel.failed`."
        ),
      ], required: ["in"]
    ).described(
      "Runs the `steps` beside it for each item: `for_each: { in: inputs.users, as: user, concurrency: 4 }`. Its output `items` is a list of `{ key, status, outputs, error }` in the order of the items."
    )
  }

  private var repeating: Value {
    Value.closed(
      [
        "max": Value.integer(from: 1, "How many rounds there may be. Reaching it raises `repeat.exhausted` where `until` is stated."),
        "every": Value.ref("duration").described("The time from the start of one round to the start of the next."),
        "until": Value.ref("expression").described(
          "It ends once this is true, tested after each round and its `next`. CEL; it sees `loop` and the steps of the round."),
        "carry": Value.named([:]).described(
          "The values that go on from round to round, as they begin; read as `loop.NAME`: `carry: { cursor: \"\" }`. The last ones are its outputs."
        ),
      ], required: ["max"]
    ).described(
      "Runs the `steps` beside it again and again, with `next` as what the next round begins with: for pages and for series. `loop.index` counts from 0."
    )
  }

  private var parallel: Value {
    Value.closed(
      [
        "branches": [
          "description":
            "The branches by name, each a list of steps or `{ steps, outputs }`; their outputs are read as `steps.ID.outputs.BRANCH.NAME`.",
          "type": "object", "minProperties": 1, "propertyNames": .ref("variable"), "additionalProperties": .ref("body"),
        ],
        "on_branch_error": Value.choice(NativeKeys.concurrentEndings).described(
          "`stop`, unless stated: nothing new starts, and what is in flight ends. `finish`: the other branches run, and the step fails with `parallel.failed`."
        ),
      ], required: ["branches"]
    ).described("Runs several branches at once: `parallel: { branches: { profile: [ get: /me ], orders: [ get: /orders ] } }`.")
  }

  /// By the shape of what stands there, so that editors show what is wrong inside.
  private var body: Value {
    let map: Value = .closed(
      [
        "steps": Value.ref("steps").described("What the branch does, in order."),
        "outputs": Value.ref("outputs").described("The outputs of the branch."),
      ], required: ["steps"])
    return ["if": ["type": "array"], "then": .ref("steps"), "else": map]
  }

  private var fail: Value {
    Value.closed(
      ["code": .ref("userCode"), "message": Value.ref("templateText").described("What people read.")],
      required: ["code"]
    ).described("Fails with a code of the flow's own: `fail: { code: user.no_stock, message: nothing is left }`.")
  }
}
