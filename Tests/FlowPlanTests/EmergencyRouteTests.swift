import Diagnostics
import TestKit
import Testing

@Suite("Emergency routes: no plain request sets off an emergency")
struct EmergencyRouteTests {
  private func kinds(_ flow: String) -> [DiagnosticKind] { Checked(flow).diagnostics.map(\.kind) }

  private func over(_ connection: String, _ step: String) -> String {
    "connections: { api: { \(connection) } }\nsteps:\n  - \(step)\n"
  }

  @Test func `what is said`() throws {
    try expectGolden(
      transcript([
        "a whole URL": "steps:\n  - post: https://api.rapidsos.com/v1/rem/trigger\n",
        "a path over a connection of the system": rapidsos(
          "  - post: /v1/rem/trigger\n    connection: rapidsos\n    with: { token: client }"),
        "the step for it": "steps:\n  - uses: http\n    with: { method: POST, url: \"https://api-staging.rapidsos.com/v1/rem/trigger\" }\n",
        "a connection that leads there": over(
          "system: http, base_url: \"https://api.rapidsos.com/v1/rem\"", "post: /trigger"),
      ]), "emergency-routes.txt")
  }

  @Test(arguments: [
    "post: https://API.RapidSOS.com./v1/rem/trigger", "post: https://api-dev.rapidsos.com:444/v1//rem/%74rigger/?a=b",
    "post: https://api.rapidsos.com/V1/rem/x/../trigger;a=b", "post: https://api.rapidsos.com/proxy/v1/rem/trigger",
    "{ post: \"https://api.rapidsos.com/v1/rem/{what}\", with: { path: { what: trigger } } }",
    "{ uses: http, with: { method: post, url: \"https://api.rapidsos.com/v1/rem/trigger\" } }",
  ]) func `however it is written`(step: String) {
    #expect(kinds("steps:\n  - \(step)\n") == [.emergencyRoute])
  }

  @Test(arguments: [
    // Only the run tells; nothing is refused that may be right.
    "{ post: \"https://api.rapidsos.com/v1/rem/${{ inputs.what }}\" }",
    "{ uses: http, with: { method: \"${{ inputs.what }}\", url: \"https://api.rapidsos.com/v1/rem/trigger\" } }",
    // Another method, path or host.
    "get: https://api.rapidsos.com/v1/rem/trigger", "post: https://api.rapidsos.com/v1/rem/triggers",
    "post: https://rapidsos.com.example.test/v1/rem/trigger",
    // The sandbox.
    "post: http://127.0.0.1:8085/v1/rem/trigger", "post: http://localhost/rapidsos/v1/rem/trigger",
  ]) func `what is no emergency, or not known to be one`(step: String) {
    #expect(kinds("inputs: { what: string }\nsteps:\n  - \(step)\n") == [])
  }

  @Test func `over connections`() {
    let post = "{ post: /v1/rem/trigger, with: { token: none } }"
    #expect(kinds(over("system: rapidsos", post)) == [.emergencyRoute])
    #expect(kinds(over("system: rapidsos, base_url: \"https://gateway.example.test\"", post)) == [.emergencyRoute])
    #expect(
      kinds(over("system: rapidsos, base_url: \"https://gateway.example.test/v1\"", "{ post: /rem/trigger, with: { token: none } }"))
        == [.emergencyRoute])
    #expect(kinds(over("system: rapidsos, base_url: \"http://127.0.0.1:8085\"", post)) == [])
    #expect(kinds(over("system: http, base_url: \"https://api.rapidsos.com\"", "post: /v1/rem/trigger")) == [.emergencyRoute])
    #expect(kinds(over("system: http, base_url: \"https://api.example.test\"", "post: /v1/rem/trigger")) == [])
    #expect(kinds(over("system: rapidsos", "{ get: /v1/rem/trigger, with: { token: none } }")) == [])
    // A host that a connection of the system names is one of the system's, for whole URLs too.
    let gateway = over("system: rapidsos, base_url: \"https://gateway.example.test\"", "post: https://gateway.example.test/v1/rem/trigger")
    #expect(kinds(gateway) == [.emergencyRoute])
  }

  @Test func `in every body`() {
    for body in [
      "{ get: /a, on_error: [ { when: http, do: [ STEP ], then: fail } ] }", "{ post: /a, undo: [ STEP ] }",
      "{ post: /a, reconcile: { steps: [ STEP ], delivered: error.sent == 'maybe' } }", "{ for_each: { in: [a] }, steps: [ STEP ] }",
      "{ parallel: { branches: { a: [ STEP ] } } }",
    ] {
      let step = body.replacing("STEP", with: "{ post: \"https://api.rapidsos.com/v1/rem/trigger\" }")
      #expect(kinds(plain("  - \(step)")) == [.emergencyRoute], "\(body)")
    }
    #expect(kinds(plain("  - get: /a\nfinally:\n  - post: https://api.rapidsos.com/v1/rem/trigger")) == [.emergencyRoute])
  }
}
