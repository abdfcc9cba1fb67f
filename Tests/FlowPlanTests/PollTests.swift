import FlowPlan
import StepKit
import TestKit
import Testing

@Suite("poll, retry.delay, save and idempotency_key")
struct PollTests {
  private func request(_ modifiers: String, _ action: String = "get: /jobs/1") -> String {
    plain("  - id: job\n    \(action)\n\(modifiers)")
  }

  private let poll = "poll: { every: 2s, timeout: 1m, until: response.body.state == 'done' }"

  @Test func `what is wrong`() throws {
    try expectGolden(
      transcript([
        "a request that may act each time": request("    \(poll)", "post: /jobs"),
        "no end": request("    poll: { every: 2s, until: response.status == 200 }"),
        "a condition of no bool": request("    poll: { every: 2s, timeout: 1m, until: response.status }"),
        "a prompt": "steps:\n  - uses: prompt\n    with: { text: PIN? }\n    \(poll)\n",
        "a code that is tolerated and never raised": request(
          "    poll: { every: 2s, timeout: 1m, until: response.status == 200, tolerate: [http.404, http.200] }"),
        "the time of a poll without one": request("    on_error: [ { when: [timeout.poll, poll.failed], then: fail } ]"),
        "a delay that is no duration": request("    retry: { delay: \"${{ response.status }}\" }"),
        "a delay over what is not there": request("    retry: { delay: \"${{ outputs.wait }}\" }"),
        "a secret in a file's name":
          "secrets: [key]\n" + request("    save: \"${{ secrets.key }}.json\""),
        "a file outside of the project": request("    save: ../job.json"),
        "a file for a typed step": signedIn("  - uses: rapidsos/fetch-profile\n    save: profile.json"),
        "a key for a typed step": signedIn("  - uses: rapidsos/fetch-profile\n    idempotency_key: a"),
        "a key that is a header already": request(
          "    with: { headers: { idempotency-key: a } }\n    idempotency_key: ${{ uuid() }}", "post: /jobs"),
        "a header that is none": request("    idempotency_key: { value: a, header: \"Idempotency Key\" }", "post: /jobs"),
      ]), "poll.txt")
  }

  @Test func `a loop, or a called flow, with a step that must happen once does not run again`() {
    let trigger =
      "{ uses: rapidsos/trigger-call-flow, with: { call_flow: kronos_contacts, variables: { location: { latitude: 42.6, longitude: -73.7 }, user: { full_name: Ada, phone_number: \"2345678888\" } } }, dedupe_key: a }"
    let again = "    on_error: [ { when: network.dns, then: retry, max: 1 } ]\n"
    let loop = rapidsos("  - for_each: { in: [a] }\n    steps: [ \(trigger) ]\n\(again)")
    #expect(Checked(loop).text.contains("error[unsafe-retry]: this for_each cannot run again"), "\(Checked(loop).text)")
    let called = "connections: { rapidsos: borrowed }\nsteps: [ \(trigger) ]\n"
    let call = rapidsos("  - call: alarm.flow.yaml\n    connections: { rapidsos: rapidsos }\n\(again)")
    let text = Checked(call, files: ["alarm.flow.yaml": called]).text
    #expect(text.contains("error[unsafe-retry]: this call cannot run again"), "\(text)")
  }

  @Test func `what is right`() throws {
    let fine: [String] = [
      request("    \(poll)\n    on_error: [ { when: timeout.poll, then: fail } ]"),
      request(
        "    poll: { every: 2s, timeout: 1m, until: response.status == 200, fail_if: response.body.state == 'failed', tolerate: [http.404] }\n    on_error: [ { when: poll.failed, then: fail } ]"
      ),
      // With a key, a POST may be sent again.
      request("    \(poll)\n    idempotency_key: ${{ uuid() }}\n    retry: { when: [timeout.attempt] }", "post: /jobs"),
      request("    retry: { delay: \"${{ duration(response.headers['x-wait']) }}\" }"),
      request("    save: answers/${{ run.id }}.json"),
    ]
    for flow in fine { #expect(Checked(flow).text == "no findings\n", "\(flow)") }
  }

  @Test func `an idempotency key makes a request keyed`() throws {
    let plan = try #require(Checked(request("    idempotency_key: { value: \"${{ uuid() }}\", header: X-Key }", "post: /jobs")).plan)
    guard case .handler(let handler) = plan.steps[0].action else { throw Unexpected() }
    #expect(handler.effect == .keyed && handler.idempotency?.header == "X-Key")
  }
}
