import FlowPlan
import StepKit
import TestKit
import Testing

@Suite("Effects: nothing is sent twice that may not be, no emergency without its key")
struct EffectTests {
  private func trigger(_ modifiers: String, key: String = "    dedupe_key: ${{ inputs.incident }}\n") -> String {
    rapidsos(
      """
        - id: trigger
          uses: rapidsos/trigger-call-flow
      \(key)    with:
            call_flow: kronos_contacts
            variables:
              location: { latitude: 42.6, longitude: -73.7 }
              user: { full_name: Dana Reyes, phone_number: "2345678888" }
      \(modifiers)
      """, head: "inputs: { incident: string }\n")
  }

  @Test func `unsafe retries`() throws {
    try expectGolden(
      transcript([
        "a POST after a lost answer": plain("  - post: /a\n    retry: { when: [timeout.attempt, network.dns, http.503] }"),
        "a POST after any network error": plain("  - post: /a\n    retry: { when: network }"),
        "a POST by a branch": plain("  - post: /a\n    on_error: [ { when: http.500, then: retry, max: 2 } ]"),
        "a GET": plain("  - get: /a\n    retry: { when: [timeout.attempt, http.5xx] }"),
        "a POST that says that it may": plain("  - post: /search\n    effect: read\n    retry: { when: http.5xx }"),
        "a refusal that the handler declares": signedIn(
          "  - uses: rapidsos/validate-pin\n    with: { phone: \"2345678888\", pin: \"123456\" }\n    on_error: [ { when: rapidsos.wrong_pin, then: retry, max: 2 } ]"
        ),
        "an emergency after a refusal": trigger("    retry: { when: [http.429, network.connect] }"),
        "a group with an emergency": trigger("").replacing("  - id: trigger", with: "  - group:\n    - id: trigger")
          .replacing("\n    uses", with: "\n      uses").replacing("\n    dedupe", with: "\n      dedupe").replacing(
            "\n    with:\n      call", with: "\n      with:\n        call"
          )
          .replacing("\n      variables:\n        location", with: "\n        variables:\n          location").replacing(
            "\n        user", with: "\n          user")
          + "    on_error: [ { when: network, then: retry, max: 1 } ]\n",
        "retry of a group": plain("  - group:\n      - get: /a\n    retry: { attempts: 3 }"),
        "retry of a prompt": "steps:\n  - id: pin\n    uses: prompt\n    with: { text: PIN? }\n    retry: { attempts: 3 }\n",
      ]), "effects-retry.txt")
  }

  @Test func `emergencies`() throws {
    try expectGolden(
      transcript([
        "without a key": trigger("", key: ""),
        "with a key that is new at every run": trigger("", key: "    dedupe_key: \"${{ uuid() }}\"\n"),
        "with a key that is a number": trigger("", key: "    dedupe_key: \"${{ 7 }}\"\n"),
        "a key where it guards nothing": plain("  - post: /a\n    dedupe_key: a"),
        "an effect that cannot be changed": trigger("    effect: read"),
        "an effect that there is not": plain("  - post: /a\n    effect: reed"),
        "a connection where none is used": plain("  - uses: log\n    connection: api\n    with: { message: hi }"),
        "as it should be": trigger(""),
        "valid for no time": trigger("    valid_for: 0s"),
        "valid for a misspelt time": trigger("    valid_fro: 1m"),
        "what is for emergencies alone": plain("  - post: /a\n    valid_for: 1m\n    unverifiable: nobody can ask"),
        "beside a typed step that is none": signedIn(
          "  - uses: rapidsos/create-device\n    with: { device_name: [a] }\n    valid_for: 1m\n    unverifiable: nobody can ask"),
        "an expression for a reason": trigger("    unverifiable: ${{ inputs.incident }}"),
      ]), "effects-emergencies.txt")
  }

  @Test(arguments: [
    ("method: OPTIONS, ", "read"), ("method: PUT, ", "idempotent"), ("method: POST, ", "unsafe"), ("", "read"),
    // Only the run knows: it may be a POST.
    ("method: \"${{ inputs.m }}\", ", "unsafe"),
  ]) func `the effect of a plain request is that of its method`(method: String, effect: String) throws {
    let flow = plain("  - uses: http\n    with: { \(method)url: /a }", head: "inputs: { m: string }\n")
    let plan = try #require(Checked(flow).plan)
    #expect(plan.steps[0].effect?.rawValue == effect)
  }

  @Test func `what the engine is told of an emergency`() throws {
    let handlers = try [trigger(""), trigger("    valid_for: 90s\n    unverifiable: nobody can ask")].map { flow in
      let checked = Checked(flow)
      guard case .handler(let handler) = try #require(checked.plan, "\(checked.text)").steps[0].action else { throw Unexpected() }
      return handler
    }
    #expect(handlers.map(\.validFor) == [.seconds(300), .seconds(90)])
    #expect(handlers.map(\.unverifiable) == [nil, "nobody can ask"])
  }
}
