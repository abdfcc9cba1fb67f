import Diagnostics
import FlowEvents
import Reporters
import Values

/// The JSON Schema of the JSON report: one run, as `baton run --json` prints it, or many, as `baton test` does.
/// Objects are open: a later version may say more.
struct ReportSchema {
  var value: Value {
    let head: Value = [
      "$schema": .dialect, "title": "Baton report",
      "description":
        "What came of one run (`baton run --json`) or of many (`baton test --json`, `--report json=PATH`). Secrets are hidden.",
    ]
    return head.joined(with: ["if": .required("runs"), "then": .ref("test"), "else": .ref("run")]).with("$defs", definitions)
  }

  private var definitions: Value {
    [
      "run": Value.object(run, required: Self.runMembers).described("One run of a flow."),
      "test": test, "testRun": testRun, "step": step, "expectation": expectation, "error": error, "refusal": refusal,
      "diagnostic": diagnostic,
      "milliseconds": ["description": "A time in whole milliseconds.", "type": "integer", "minimum": 0],
      "count": ["type": "integer", "minimum": 0],
    ]
  }

  // MARK: runs

  private static let runMembers = ["run", "flow", "case", "verdict", "code", "outputs", "started", "durationMs", "requests", "steps"]

  private var run: Value {
    [
      "run": ["description": "The id of the run.", "type": "string"],
      "flow": ["description": "The name of the flow.", "type": "string"],
      "case": ["description": "The name of the case of a scenario; null for a flow without scenarios.", "type": ["string", "null"]],
      "verdict": Value.choice([Verdict.passed, .failed, .errored, .indeterminate, .cancelled].map(\.rawValue)).described(
        "`failed`: the API answered and was wrong. `errored`: no usable answer. `indeterminate`: nobody knows whether something happened that must happen once."
      ),
      "code": ["description": "The code of the error that decided the verdict; null where there is none.", "type": ["string", "null"]],
      "outputs": ["description": "The flow's outputs, secrets hidden; empty unless it passed.", "type": "object"],
      "started": ["description": "When the run started, in UTC.", "type": "string", "format": "date-time"],
      "durationMs": .ref("milliseconds"),
      "requests": Value.ref("count").described("How many requests were sent."),
      "error": Value.ref("error").described("The error that decided the verdict."),
      "steps": ["description": "The steps, in the order in which they ended.", "type": "array", "items": .ref("step")],
    ]
  }

  private var step: Value {
    Value.object(
      [
        "id": ["description": "Its id, or its position, such as `steps[3]`, where it has none.", "type": "string"],
        "keys": [
          "description": "The keys of the items and rounds around it, outermost first; absent where it stands in no loop.", "type": "array",
          "items": ["type": "string"],
        ],
        "part": Value.choice([RunPart.undo, .finally].map(\.rawValue)).described(
          "The part of the run that it belongs to; absent for the steps of the flow."),
        "action": ["description": "What it does, such as `rapidsos/register`, `GET /health` or `group`.", "type": "string"],
        "depth": Value.ref("count").described("In how many bodies it stands; 0 at the top."),
        "status": Value.choice(StepStatus.allCases.map(\.rawValue)).described("What became of it."),
        "attempts": Value.ref("count").described("How often it was tried."),
        "durationMs": .ref("milliseconds"),
        "requests": Value.ref("count").described("How many requests it sent."),
        "error": .ref("error"),
        "expectations": ["description": "The checks of `expect`, and what came of each.", "type": "array", "items": .ref("expectation")],
      ], required: ["id", "action", "depth", "status", "attempts", "durationMs", "requests", "expectations"]
    ).described("What became of one step.")
  }

  /// Whether a step's or a case's; a case says where.
  private var expectation: Value {
    Value.object(
      [
        "expression": ["description": "The check as it was written.", "type": "string"],
        "passed": ["description": "Whether it holds.", "type": "boolean"],
        "expected": ["description": "What was expected.", "type": "string"],
        "actual": ["description": "What there was.", "type": "string"],
        "problem": ["description": "What kept it from being evaluated.", "type": "string"],
        "line": ["description": "The line of the case's file that states it, from 1.", "type": "integer", "minimum": 1],
      ], required: ["expression", "passed"]
    ).described("One check and what came of it.")
  }

  private var error: Value {
    Value.object(
      [
        "type": ["description": "A URN of the code (RFC 9457).", "type": "string", "pattern": "^urn:baton:error:"],
        "title": ["description": "What the code means.", "type": "string"],
        "detail": ["description": "What happened this time.", "type": "string"],
        "help": ["description": "What can be done about it, where that is known of the code.", "type": "string"],
        "status": ["description": "The status of the answer, where there is one.", "type": "integer", "minimum": 100, "maximum": 599],
        "code": ["description": "The code that `when` names, such as `http.404`.", "type": "string"],
        "step": ["description": "The id of the step that raised it.", "type": "string"],
        "file": ["description": "The file in which that step stands.", "type": "string"],
        "line": ["description": "The line of that step, from 1.", "type": "integer", "minimum": 1],
        "attempt": Value.ref("count").described("Which attempt raised it, from 1."),
        "sent": Value.choice(["no", "maybe", "yes"]).described("Whether the request reached the server."),
        "rejected": ["description": "Whether the server says that it did not act.", "type": "boolean"],
        "body": ["description": "The body of the answer."],
        "errors": [
          "description": "What the server says of single fields.", "type": "array",
          "items": .object(["field": ["type": "string"], "detail": ["type": "string"]], required: ["field", "detail"]),
        ],
        "cause": Value.ref("error").described("The error that led to this one."),
      ], required: ["type", "title", "code", "step", "file", "line", "attempt", "sent", "rejected"]
    ).described("An error, with the members of RFC 9457.")
  }

  // MARK: tests

  private var test: Value {
    let outcomes = TestRun.Outcome.allCases.map(\.rawValue) + ["refused"]
    var counts = ValueMap()
    for outcome in outcomes { counts[outcome] = .ref("count") }
    return Value.object(
      [
        "passed": ["description": "Whether `baton test` exits 0.", "type": "boolean"],
        "durationMs": .ref("milliseconds"),
        "counts": Value.object(.map(counts), required: outcomes).described("How many tests ended how, and how many files were refused."),
        "runs": ["description": "Every test and what came of it.", "type": "array", "items": .ref("testRun")],
        "refused": ["description": "The files that did not run.", "type": "array", "items": .ref("refusal")],
      ], required: ["passed", "durationMs", "counts", "runs", "refused"]
    ).described("What came of many flows and scenarios.")
  }

  /// A test that did not run has no members of a run but `case`.
  private var testRun: Value {
    let own: Value = [
      "file": ["description": "The file that was named.", "type": "string"],
      "outcome": Value.choice(TestRun.Outcome.allCases.map(\.rawValue)).described(
        "What the test is worth: a case passes where all that it expects is so, even a run that failed as expected."),
      "skipped": ["description": "Why it did not run.", "type": "string"],
      "table": ["description": "The path of the table whose row the case is; `line` counts in it.", "type": "string"],
      "line": [
        "description": "Where the case is named in its file, from 1; absent for a flow without scenarios.", "type": "integer", "minimum": 1,
      ],
      "tags": ["description": "The words that the case is chosen by.", "type": "array", "items": ["type": "string"]],
      "expectations": ["description": "What the case expects of the run.", "type": "array", "items": .ref("expectation")],
    ]
    let properties = own.joined(with: run)
    let hasRun: Value = ["if": .required("run"), "then": ["required": .texts(Self.runMembers)], "else": .required("case")]
    return Value.object(properties, required: ["file", "outcome"]).joined(with: hasRun).described(
      "One test: a flow, or a case of a scenario.")
  }

  private var refusal: Value {
    Value.object(
      ["file": ["type": "string"], "diagnostics": ["type": "array", "items": .ref("diagnostic")]], required: ["file", "diagnostics"]
    ).described("A file that was refused before its first request, and why.")
  }

  /// As `baton check --format json` prints it.
  private var diagnostic: Value {
    let number: Value = ["type": ["integer", "null"], "minimum": 1]
    let place: Value = [
      "message": ["type": "string"], "file": ["type": "string"], "line": ["type": "integer"], "column": ["type": "integer"],
    ]
    return Value.object(
      [
        "kind": Value.choice(DiagnosticKind.allCases.map(\.rawValue)).described("The stable name of the kind of finding."),
        "severity": Value.choice(["error", "warning"]),
        "message": ["type": "string"],
        "file": ["type": ["string", "null"]],
        "line": number.described("From 1."), "column": number.described("From 1, in Unicode scalars."),
        "endLine": number, "endColumn": number.described("Exclusive."),
        "help": ["description": "What to do about it; null where there is no advice.", "type": ["string", "null"]],
        "related": ["type": "array", "items": .object(place, required: ["message", "file", "line", "column"])],
      ], required: ["kind", "severity", "message", "file", "line", "column", "endLine", "endColumn", "help", "related"]
    ).described("One finding of `baton check`.")
  }
}
