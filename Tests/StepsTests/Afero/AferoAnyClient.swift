import HTTPTypes
import SandboxKit
import Steps
import Testing
import Values

/// Tests that ask Afero's sandbox as any client does, without steps.
protocol AferoAnyClient {}

extension AferoAnyClient {
  func sandbox(_ given: Value = ["users": [["username": "ann@example.test", "password": "hunter22"]]]) throws -> Sandbox {
    try Sandbox(
      systems: [AferoSandbox()], given: ["afero": given],
      clock: SandboxClock(now: { Timestamp(seconds: 1_732_150_900) }, sleep: { _ in }))
  }

  func ask(
    _ sandbox: Sandbox, _ method: HTTPRequest.Method, _ target: String, _ body: Value? = nil, headers: HTTPFields = [:]
  ) -> SandboxReply {
    guard let body else { return sandbox.answer(SandboxRequest(method, target: "/afero\(target)", headers: headers)).reply }
    return sandbox.answer(.json(method, "/afero\(target)", body, headers: headers)).reply
  }

  func token(_ sandbox: Sandbox, _ form: String, pair: String = "Y2lkOnMzY3IzdA==", at target: String = "/oauth/token")
    -> SandboxReply
  {
    let headers: HTTPFields = [.authorization: "Basic \(pair)", .contentType: "application/x-www-form-urlencoded"]
    return sandbox.answer(SandboxRequest(.post, "/afero\(target)", headers: headers, body: Array(form.utf8))).reply
  }

  func bearer(_ sandbox: Sandbox) throws -> HTTPFields {
    let reply = token(sandbox, "grant_type=password&username=ann%40example.test&password=hunter22")
    return [.authorization: "Bearer \(try #require(reply.json?["access_token"]?.stringValue))"]
  }
}
