import FrontEnds
import SandboxKit
import StepKit
import Values

/// The JSON Schema of `*.scenarios.yaml`: a table of cases around one flow. What the flow declares (inputs, prompts,
/// steps) is left to `baton check`.
struct ScenariosSchema {
  let catalogue: StepCatalogue
  let systems: [any SandboxSystem]

  init(_ catalogue: StepCatalogue, systems: [any SandboxSystem]) {
    self.catalogue = catalogue
    self.systems = systems
  }

  var systemNames: [String] { systems.map(\.name) }

  var value: Value {
    let head: Value = [
      "$schema": .dialect, "title": "Baton scenarios",
      "description": "A table of cases around one flow: what it is given, what the world does, and what must come of it.",
    ]
    return head.joined(with: root).with("$defs", .definitions(definitions))
  }

  private var root: Value {
    .closed(
      [
        "baton": .version,
        "scenarios": Value.ref("text").described("The name of the table in reports. Without it, the file's name."),
        "flow": Value.ref("text").described("The flow under test, by its path from this file: `flow: onboarding.flow.yaml`."),
        "tags": Value.tags.described("Words that every case here is chosen by: `baton test --tag nightly`."),
        "defaults": .ref("defaults"),
        "cases": Value.where(
          ["type": "string"], ["pattern": #"^csv\( *('[^'\\]+'|"[^"\\]+") *\)$"#],
          else: .list(of: .ref("case"))
        ).described(
          "The cases, each with its own sandbox, journal and clock; or `csv('cases.csv')`, a table with a case a row and headers such as `inputs.username`."
        ),
      ], required: ["flow", "cases"]
    ).with(
      "allOf",
      [
        // A case that expects nothing cannot fail; of a run that is killed, what takes it up has its expectation.
        [
          "if": ["properties": ["defaults": .required("expect")], "required": ["defaults"]],
          "else": ["properties": ["cases": ["items": .anyOf(.required("expect"), .required("then"))]]],
        ]
      ])
  }

  private var definitions: [(String, Value)] {
    let codes = SchemaCodes(catalogue)
    return SchemaWords.literals + SchemaWords.expressions + [("code", codes.one), ("match", .match)]
      + [("defaults", defaults), ("case", scenario), ("answers", answers), ("then", then)]
      + [("continuation", continuation), ("expect", expect), ("requests", requests)] + sandboxParts
  }

  // MARK: a case

  private var defaults: Value {
    Value.closed(Self.members(NativeKeys.scenarioDefaults, of: caseMembers)).described(
      "What holds for every case that does not say otherwise; maps are joined by name.")
  }

  private var scenario: Value {
    Value.closed(caseMembers, required: ["name"]).described("One case: one test in every report.")
  }

  private var caseMembers: Value {
    [
      "name": Value.ref("text").described("What the case is about, in reports; no two have the same: `the account exists`."),
      "tags": Value.tags.described("Words that the case is chosen by, beside those of the file."),
      "skip": Value.ref("text").described("Why the case is not run: `skip: waits for the new login`."),
      "inputs": Value.ref("literals").described("The inputs of the flow, by name. Literal: no `${{ }}`."),
      "secrets": Value.ref("literals").described(
        "Secrets that matter to the case, such as a wrong password. The sandbox makes up the others and accepts them."),
      "answers": .ref("answers"),
      "sandbox": .ref("sandbox"),
      "routes": [
        "description": "Answers for plain requests, which then go nowhere else: a host without a route is refused.", "type": "array",
        "items": .ref("route"),
      ],
      "expect": .ref("expect"),
      "then": .ref("then"),
    ]
  }

  private static func members(_ names: [String], of all: Value) -> Value {
    var members = ValueMap()
    for name in names { members[name] = all[name] }
    return .map(members)
  }

  private var answers: Value {
    let source: Value = .closed(
      [
        "from": Value.choice(["sms", "mail"]).described(
          "The last message with a code that the sandbox sent to the number of `sms_to`, or to the address of `mail_to`.")
      ],
      required: ["from"])
    return Value.named(
      .where(["type": "object"], source, else: .where(["type": "array"], .list(of: .ref("text")), else: .ref("text")))
    ).described(
      "What prompts get, by the prompt's id: `pin: \"000000\"` every time, `pin: [\"000000\", \"111111\"]` one for each time that it asks, `pin: { from: sms }` from the sandbox's messages."
    )
  }

  // MARK: then

  private var then: Value {
    Value.where(["type": "array"], .list(of: .ref("continuation")), else: .ref("continuation")).described(
      "Runs again in the same sandbox, with an `expect` of its own: `then: resume`, `then: { run: { expect: { verdict: passed } } }`, or a list of such."
    )
  }

  private var continuation: Value {
    let members: Value = [
      "inputs": Value.ref("literals").described("The inputs of this run; those of the case unless stated."),
      "answers": .ref("answers"), "expect": .ref("expect"),
    ]
    let map: Value = Value.closed([
      "run": Self.maybe(.closed(Self.members(NativeKeys.run, of: members))).described(
        "The flow once more, from its start: what it made before is still there."),
      "resume": Self.maybe(.closed(Self.members(NativeKeys.resume, of: members))).described(
        "The run before it, which a fault with `kill` stops, goes on where it was killed, as `baton resume` has it."),
    ]).with("minProperties", 1).with("maxProperties", 1)
    return .where(["type": "object"], map, else: .choice(NativeKeys.continuations))
  }

  private static func maybe(_ map: Value) -> Value { map.with("type", ["object", "null"]) }
}
