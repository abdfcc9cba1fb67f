import FrontEnds
import Values

/// What a case expects of its run.
extension ScenariosSchema {
  var expect: Value {
    Value.closed([
      "verdict": Value.choice(NativeKeys.runVerdicts).described(
        "How the run must end. `failed`: the API answered and was wrong; `errored`: there was no usable answer."),
      "code": Value.ref("code").described("The code of the error that decides the verdict, such as `http.503` or `user.pin_rejected`."),
      "outputs": Value.named(.ref("match")).described("The flow's outputs. " + Value.matchText),
      "steps": Value.named(.choice(NativeKeys.stepStatuses)).described(
        "The status of steps by id: `steps: { register: recovered }`."),
      "requests": .ref("requests"),
      "that": Value.oneOrMore(.ref("expression")).described(
        "CEL expressions that must be true; they see `run`, `requests` and `sandbox`."),
      "max_duration": Value.ref("duration").described("How long the run may take at most, on the case's clock."),
    ]).with("minProperties", 1).with(
      "allOf",
      [
        ["if": .has("verdict", "passed"), "then": .lacks("code")],
        // Only a run that passed has outputs.
        ["if": .anyOf(.required("code"), Self.endsBadly), "then": .lacks("outputs")],
      ]
    ).described("What must come of the run; every check is reported.")
  }

  private static var endsBadly: Value {
    let verdicts = NativeKeys.runVerdicts.filter { $0 != "passed" }
    return ["properties": ["verdict": ["enum": .texts(verdicts)]], "required": ["verdict"]]
  }

  var requests: Value {
    let map: Value = Value.closed([
      "count": .integer(from: 0, "How many there must be."),
      "that": Value.oneOrMore(.ref("expression")).described(
        "CEL expressions over `request`, true for each that is counted: `request.body.pin == '000000'`."),
    ]).with("minProperties", 1)
    return Value.named(.whereMap(map, else: .integer(from: 0, "How many there must be.")))
      .with("propertyNames", ["pattern": .string(Self.routePattern)])
      .described(
        "How many requests the servers must have had, by route: `\"POST /v1/rain/caller-ids\": 3`. A system's name may stand in front.")
  }

  /// `[SYSTEM ]METHOD /path/{name}`
  static let routePattern = "^([^ ]* )?[A-Z]+ /[^ ]*$"
}
