import FrontEnds
import SandboxKit
import Values

/// What a case does to its sandbox, and the routes that it stubs.
extension ScenariosSchema {
  var sandboxParts: [(String, Value)] {
    [
      ("sandbox", sandbox), ("fault", fault), ("event", event), ("route", route), ("routeName", routeName),
    ] + systems.map { ("given.\($0.name)", $0.givenSchema) } + systems.map { ("change.\($0.name)", $0.changeSchema) }
  }

  private var sandbox: Value {
    Value.closed([
      "given": Value.closed(bySystem("given") { "What \($0) knows before the first request." }).with("allOf", [.ref("literals")]).described(
        "What the systems know before the first request, by system: `given: { rapidsos: { users: [ { username: ada.lovelace } ] } }`."),
      "faults": [
        "description": "What goes wrong, and on which requests.", "type": "array", "items": .ref("fault"),
      ],
      "events": [
        "description": "What changes in the middle of the run.", "type": "array", "items": .ref("event"),
      ],
    ]).described("The world of the case: what is there, what goes wrong, what changes.")
  }

  private func bySystem(_ kind: String, _ text: (String) -> String) -> Value {
    var members = ValueMap()
    for system in systems { members[system.name] = Value.ref("\(kind).\(system.name)").described(text(system.name)) }
    return .map(members)
  }

  private var routeName: Value { ["type": "string", "pattern": .string(Self.routePattern), "allOf": [.ref("text")]] }

  private var fault: Value {
    Value.closed(
      [
        "route": Value.ref("routeName").described(
          "The requests that it is for: `POST /v1/users/{id}`, with a system's name in front where it matters."),
        "match": Value.ref("expression").described("A further condition over `request`: CEL, such as `request.body.name == 'ada'`."),
        "after": .integer(from: 0, "How many requests of the route are spared first."),
        "times": .integer(from: 1, "How often it happens; always unless stated."),
        "status": [
          "description": "Answers with this status in the system's place: the request has no effect.", "type": "integer", "minimum": 200,
          "maximum": 599,
        ],
        "delay": Value.ref("duration").described("The request takes effect; its answer waits so long."),
        "drop": Value.choice(NativeKeys.drops).described(
          "The request takes effect; its answer is lost before or in the middle of its body."),
        "bytes_per_second": .integer(from: 1, "The request takes effect; the body of its answer comes at this pace."),
        "truncate": .flag("The request takes effect; half the body of its answer is missing, and the headers do not tell."),
        "kill": Value.choice(NativeKeys.kills).described(
          "The runner is killed before the request leaves, or after all of it has; `then: resume` goes on. A run that is killed has no verdict."
        ),
        "headers": Value.ref("literals").described("With `status`: the headers of the answer."),
        "body": Value.ref("literal").described("With `status`: the body of the answer; data is sent as JSON."),
      ], required: ["route"]
    ).with(
      "allOf",
      [
        ["oneOf": .list(NativeKeys.faultKinds.map { .required($0) })],
        ["if": .required("status"), "else": .lacks("headers", "body")],
      ]
    ).described("Exactly one thing that goes wrong: `{ route: \"POST /v1/rain/caller-ids\", status: 503, times: 1 }`.")
  }

  private var event: Value {
    Value.closed(
      [
        "after": Value.ref("text").described("The id of the step that it comes after."),
        "do": Value.closed(bySystem("change") { "What changes in \($0)." }).with("minProperties", 1).with("allOf", [.ref("literals")])
          .described(
            "What changes, by system: `do: { rapidsos: { expire: user } }`."),
      ], required: ["after", "do"]
    ).described("A change of the world in the middle of the run.")
  }

  private var route: Value {
    Value.closed(
      [
        "route": Value.ref("routeName").described("The requests that it answers: `GET /v1/users/{id}`."),
        "status": ["description": "The status of the answer; 200 unless stated.", "type": "integer", "minimum": 100, "maximum": 599],
        "headers": Value.ref("literals").described("The headers of the answer."),
        "json": Value.ref("literal").described("The body of the answer, as JSON."),
        "body": Value.ref("literal").described("The body of the answer, as a text."),
        "delay": Value.ref("duration").described("How long the answer waits."),
        "times": .integer(from: 1, "How often it answers; then the next route that fits does. Always unless stated."),
      ], required: ["route"]
    ).with("allOf", [["if": .required("json"), "then": .lacks("body")]])
      .described("An answer for plain requests: `{ route: \"GET /entries/{id}\", json: { state: ready } }`.")
  }
}
