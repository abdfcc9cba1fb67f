import TestKit
import Testing

@Suite("Branches and conditions: none is out of reach, none is always the same, no code is impossible")
struct BranchTests {
  private func plainBranches(_ branches: String, _ modifiers: String = "") -> String {
    plain("  - post: /a\n\(modifiers)    on_error:\n\(branches)")
  }

  private func validate(_ branches: String) -> String {
    signedIn("  - uses: rapidsos/validate-pin\n    with: { phone: \"2345678888\", pin: \"123456\" }\n    on_error:\n\(branches)")
  }

  @Test func `out of reach`() throws {
    try expectGolden(
      transcript([
        "a status after its class": plainBranches("      - { when: http.4xx, then: fail }\n      - { when: http.409, then: continue }"),
        "one code of two": plainBranches("      - { when: http.409, then: fail }\n      - { when: [http.404, http.409], then: continue }"),
        "after any": plainBranches("      - { when: any, reason: it is only a probe, then: continue }\n      - { when: tls, then: fail }"),
        "any without a reason": plainBranches("      - { when: any, then: continue }"),
        "twice the same": validate(
          "      - { when: rapidsos.wrong_pin, then: fail }\n      - { when: rapidsos.wrong_pin, then: end, verdict: failed }"),
        "after tries, or under a condition, it is not": validate(
          """
                - { when: rapidsos.wrong_pin, then: retry, max: 2 }
                - { when: rapidsos.wrong_pin, if: error.attempt > 1, then: fail, code: user.pin }
                - { when: rapidsos, then: fail }
          """),
      ]), "branches-reach.txt")
  }

  @Test(arguments: [
    "oauth: { token_url: /token, client_id: app }", "oauth: { token_url: \"${{ secrets.url }}\", client_id: app }",
    "oauth: \"${{ inputs.oauth }}\"",
  ])
  func `a token that there may be can end`(setting: String) {
    let flow = """
      inputs: { oauth: object }
      secrets: [url]
      connections:
        api: { system: http, base_url: https://a.test, \(setting) }
      steps:
        - get: /a
          with: { token: none }
          on_error: [ { when: auth.expired, then: fail } ]

      """
    #expect(!Checked(flow).text.contains("impossible-code"), "\(Checked(flow).text)")
  }

  @Test func `impossible codes`() throws {
    try expectGolden(
      transcript([
        "a code of another step": plainBranches("      - { when: rapidsos.wrong_pin, then: fail }"),
        "a misspelt code": validate("      - { when: rapidsos.wrong_pinn, then: fail }"),
        "a misspelt family": plainBranches("      - { when: netwrok, then: fail }"),
        "a misspelt member": plainBranches("      - { when: network.dsn, then: fail }"),
        "a code that the system does not have": validate("      - { when: rapidsos.teapot, then: fail }"),
        "what cannot be caught": plainBranches("      - { when: budget.requests, then: continue }"),
        "a status that is none": plainBranches("      - { when: http.40x, then: fail }"),
        "a status that is success": plainBranches("      - { when: http.201, then: fail }"),
        "a status that is expected": plainBranches("      - { when: http.409, then: fail }", "    expect: { status: [200, 409] }\n"),
        "a step's time without a timeout": plainBranches("      - { when: timeout.step, then: fail }"),
        "a token where there is none": plainBranches("      - { when: auth.expired, then: fail }"),
        "a prompt sends nothing":
          "steps:\n  - id: pin\n    uses: prompt\n    with: { text: PIN? }\n    on_error: [ { when: network, then: fail } ]\n",
        "a code of nobody in a group": plain("  - group:\n      - get: /a\n    on_error: [ { when: user.gone, then: fail } ]"),
        "doubt without a once-only request": plainBranches("      - { when: indeterminate, then: fail }"),
        "in retry": plain("  - get: /a\n    retry: { when: [http.503, timeout.atempt] }"),
        "in an expected error": plain("  - get: /a\n    expect: { error: http.200 }"),
        "what is possible": plain(
          """
            - group:
                - id: a
                  get: /a
                  expect: [ response.status == 200 ]
                - if: steps.a.response.body.gone == true
                  fail: { code: user.gone }
              timeout: 5s
              on_error:
                - { when: [user.gone, timeout.step, http, network.dns, assertion, schema.input, decode], then: fail }
          """),
      ]), "branches-codes.txt")
  }

  @Test func `constant conditions and checks that cannot fail`() throws {
    try expectGolden(
      transcript([
        "an if": plain("  - if: true\n    get: /a"),
        "a part of an if": plain("  - id: a\n    get: /a\n  - if: steps.a.status == 'failed' || true\n    get: /b"),
        "of a branch": plainBranches("      - { when: http, if: \"1 < 2\", then: fail }"),
        "a check": plain("  - get: /a\n    expect: [ \"1 == 1\" ]"),
        "a body of anything": plain("  - get: /a\n    expect: { body: $any }"),
        "an empty expectation": plain("  - get: /a\n    expect: {}"),
        "outputs beside an expected error": plain("  - id: a\n    get: /a\n    expect: { error: http.404 }\n    outputs: { x: 1 }"),
        "checks beside an expected error": plain("  - get: /a\n    expect: { error: http.404, status: 404 }"),
        "the status of a typed step": signedIn("  - uses: rapidsos/fetch-profile\n    expect: { status: 200, body: { id: 7 } }"),
      ]), "branches-constant.txt")
  }

  @Test func `how branches end`() throws {
    try expectGolden(
      transcript([
        "a retry without a bound": plainBranches("      - { when: network.dns, then: retry }"),
        "an end without a verdict": plainBranches("      - { when: http, then: end }"),
        "a code that is not the flow's own": plainBranches("      - { when: http, then: fail, code: rejected }"),
        "of a fail step": plain("  - fail: { code: http.500 }"),
      ]), "branches-ends.txt")
  }
}
