import Diagnostics
import FlowEvents
import Reporters
import SourceText
import Values

extension Sample {
  private static let cart = step("cart")
  private static let register = step("register")
  private static let pay = step("pay")
  private static let charge = step("charge", depth: 1)
  private static let dispatch = step("dispatch")
  private static let receipt = step("receipt")

  private static let cartEvents: [RunEvent] = [
    started(cart, "POST /v1/carts"), .request(request("cart", "POST", "/v1/carts", 201, ms: 11)),
    .stepEnded(done(cart, "POST /v1/carts", last: request("cart", "POST", "/v1/carts", 201, ms: 11))),
  ]

  static let passed = run(
    "passed", .passed, outputs: outputs(["receipt": "R-1", "token": Value.string("hunter22").hidden()]),
    cartEvents + [
      .log(step: cart, text: "two items\nno coupon"),
      started(pay, "group", isGroup: true), started(charge, "POST /v1/charges"),
      .request(request("charge", "POST", "/v1/charges", 503, ms: 20)),
      .retryScheduled(
        step: charge, attempt: 1, error: error("http.503", "service unavailable", in: charge, status: 503), delay: .milliseconds(500)),
      .request(request("charge", "POST", "/v1/charges", 201, ms: 40)),
      .stepEnded(
        done(charge, "POST /v1/charges", attempts: 2, requests: 2, ms: 560, last: request("charge", "POST", "/v1/charges", 201, ms: 40))),
      .stepEnded(done(pay, "group", requests: 2, ms: 561, isGroup: true)),
      .stepEnded(done(dispatch, "shop/dispatch", .replayed, requests: 0, ms: 0)),
      .stepEnded(done(receipt, "GET /v1/receipt", .skipped, attempts: 0, requests: 0, ms: 0)),
    ])

  static let recovered: Sample = {
    let taken = error(
      "shop.username_taken", "the user name is taken", in: register, status: 409, body: ["error": ["code": "username_taken"]])
    return run(
      "recovered", .passed,
      cartEvents + [
        started(register, "shop/register"), .request(request("register", "POST", "/v1/users", 409, ms: 30)),
        .branchTaken(step: register, error: taken, then: "continue"),
        .stepEnded(
          done(register, "shop/register", .recovered, ms: 31, error: taken, last: request("register", "POST", "/v1/users", 409, ms: 30))),
      ])
  }()

  static let failedExpectations: Sample = {
    let declined = error(
      "http.402", "payment required", in: charge, attempt: 3, status: 402,
      body: ["error": ["code": "card_declined", "hint": .string(String(repeating: "ask your bank ", count: 40))]])
    let last = request("charge", "POST", "/v1/charges", 402, ms: 212)
    return run(
      "failed", .failed, error: declined,
      cartEvents + [
        started(pay, "group", isGroup: true), started(charge, "POST /v1/charges"), .request(last),
        .stepEnded(
          done(
            charge, "POST /v1/charges", .failed, attempts: 3, ms: 212, error: declined,
            expectations: [
              ExpectationReport(expression: "status: 201", place: place("201"), isMet: false, expected: "201", actual: "402"),
              ExpectationReport(expression: "response.duration < duration('5s')", place: place("that"), isMet: true),
              ExpectationReport(
                expression: "outputs.amount > 1000", place: place("outputs.amount > 1000"), isMet: false,
                problem: "`outputs.amount` is absent: the answer has no `amount`"),
            ], last: last)),
        .stepEnded(done(pay, "group", .failed, ms: 213, isGroup: true, error: declined)),
        .stepEnded(done(receipt, "GET /v1/receipt", .notRun, attempts: 0, requests: 0, ms: 0)),
      ])
  }()

  static let errored: Sample = {
    let reset = Sample.error("network.reset", "the connection was reset", "the peer closed after 0 bytes", in: charge, sent: "maybe")
    let error = Sample.error(
      "http.503", "service unavailable", "the answer asks to wait longer than `max_delay`", in: charge, attempt: 3, status: 503,
      body: "down for maintenance", causes: [reset])
    let last = request("charge", "POST", "/v1/charges", 503, ms: 20)
    return run(
      "errored", .errored, error: error, ms: 2134,
      [
        started(charge, "POST /v1/charges"),
        .request(request("charge", "POST", "/v1/charges", nil, ms: 5, sent: "maybe", failure: "network.reset")),
        .retryScheduled(step: charge, attempt: 1, error: reset, delay: .milliseconds(500)), .request(last),
        .retryScheduled(step: charge, attempt: 2, error: error, delay: .seconds(1)), .request(last),
        .stepEnded(done(charge, "POST /v1/charges", .failed, attempts: 3, requests: 3, ms: 2130, error: error, last: last)),
      ])
  }()

  static let indeterminate: Sample = {
    let timeout = error("timeout.attempt", "no answer in time", "no whole answer within 30 s", in: dispatch, sent: "maybe")
    let doubt = error("indeterminate", "nobody knows whether it happened", in: dispatch, sent: "maybe", causes: [timeout])
    let last = request("dispatch", "POST", "/v1/dispatches", nil, ms: 30_000, sent: "maybe", failure: "timeout.attempt")
    return run(
      "indeterminate", .indeterminate, error: doubt, ms: 30_120,
      cartEvents + [
        started(dispatch, "shop/dispatch"), .request(last),
        .stepEnded(done(dispatch, "shop/dispatch", .indeterminate, ms: 30_001, error: doubt, last: last)),
      ])
  }()

  static let cancelled: Sample = {
    let error = Sample.error("cancelled", "interrupted", in: receipt, sent: "no")
    return run(
      "cancelled", .cancelled, error: error,
      cartEvents + [
        started(receipt, "GET /v1/receipt"),
        .stepEnded(done(receipt, "GET /v1/receipt", .cancelled, requests: 0, ms: 40, error: error)),
      ])
  }()

  /// A file that cannot be read, and one with two mistakes.
  static let refusals = [
    Refusal(
      file: "flows/broken.flow.yaml",
      diagnostics: [
        Diagnostic(
          .invalidYAML, "the mapping ends in the middle of a value",
          at: Place(SourceFile(path: "flows/broken.flow.yaml", text: "flow: {\n"), Span(6, 7)), label: "opened here",
          help: ["close it with `}`"]),
        Diagnostic(.unknownKey, "unknown key `flwo`", at: nil),
      ])
  ]

  static let expectedFailure = ExpectationReport(expression: "verdict: failed", place: place("checkout"), isMet: true)

  /// Every kind of outcome, in two files, and a refused third.
  static let tests = TestReport(
    runs: [
      TestRun(passed.report), TestRun(recovered.report, isStrict: true), TestRun(failedExpectations.report), TestRun(errored.report),
      TestRun(
        file: "flows/checkout.scenarios.yaml", caseName: "a declined card", reports: [failedExpectations.report],
        expectations: [expectedFailure]),
      TestRun(
        file: "flows/checkout.scenarios.yaml", caseName: "a card that works", reports: [passed.report],
        expectations: [
          ExpectationReport(expression: "verdict: failed", place: place("checkout"), isMet: false, expected: "failed", actual: "passed")
        ]),
      TestRun(file: "flows/checkout.scenarios.yaml", caseName: "a lost answer", reports: [indeterminate.report], expectations: nil),
      TestRun(file: "flows/checkout.scenarios.yaml", caseName: "Ctrl-C", reports: [cancelled.report], expectations: [expectedFailure]),
      TestRun(
        file: "flows/checkout.scenarios.yaml", caseName: "later", reports: [], expectations: [], skipReason: "the sandbox has no refunds"),
    ], refusals: refusals, duration: .milliseconds(4321))

  private static func outputs(_ value: Value) -> ValueMap { value.mapValue ?? ValueMap() }
}
