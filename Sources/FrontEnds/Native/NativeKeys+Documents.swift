extension NativeKeys {
  // MARK: scenarios

  /// The keys of a `*.scenarios.yaml` file.
  package static let scenarios = ["baton", "scenarios", "flow", "tags", "defaults", "cases"]
  /// The keys of `defaults`: what may hold for every case.
  package static let scenarioDefaults = ["tags", "inputs", "secrets", "answers", "sandbox", "routes", "expect"]
  /// The keys of a case.
  package static let scenario = [
    "name", "tags", "skip", "inputs", "secrets", "answers", "sandbox", "routes", "expect", "then",
  ]
  /// The keys of `sandbox`.
  package static let sandbox = ["given", "faults", "events"]
  /// What a fault may be; it is exactly one of them.
  package static let faultKinds = ["status", "delay", "drop", "bytes_per_second", "truncate", "kill"]
  /// The keys of a fault; `headers` and `body` belong to `status`.
  package static let fault = ["route", "match", "after", "times"] + faultKinds + ["headers", "body"]
  /// The keys of an event.
  package static let event = ["after", "do"]
  /// The keys of a stubbed route.
  package static let route = ["route", "status", "headers", "json", "body", "delay", "times"]
  /// The keys of an answer that is taken from somewhere.
  package static let answerSource = ["from"]
  /// The keys of `expect` of a case.
  package static let scenarioExpect = ["verdict", "code", "outputs", "steps", "requests", "that", "max_duration"]
  /// The keys of an entry of `requests` that is more than its count.
  package static let requests = ["count", "that"]
  /// What `then` may do: `then: resume`, `then: { run: {…} }`, or a list of either.
  package static let continuations = ["run", "resume"]
  /// The keys of a `run` of `then`; it goes on with the case's inputs and answers where it has none.
  package static let run = ["inputs", "answers", "expect"]
  /// The keys of a `resume` of `then`: the run that it takes up has its inputs.
  package static let resume = ["answers", "expect"]

  /// The verdicts that a case may expect.
  package static let runVerdicts = ["passed", "failed", "errored", "indeterminate", "cancelled"]
  /// The statuses that a case may expect of a step.
  package static let stepStatuses = [
    "succeeded", "recovered", "skipped", "failed", "not_run", "cancelled", "indeterminate", "replayed",
  ]
  /// What `drop` of a fault may be.
  package static let drops = ["before_response", "mid_body", "reset"]
  /// What `kill` of a fault may be.
  package static let kills = ["before_send", "after_send"]

  // MARK: baton.yaml

  /// The keys of a `baton.yaml`.
  package static let project = ["baton", "environments"]
  /// The keys of an environment.
  package static let environment = ["extends", "live", "exec", "connections", "inputs", "secrets", "hosts", "answers"]
  /// Where a secret or an answer may come from; exactly one of them.
  package static let valueSource = ["env", "file", "command"]
}
