import HTTPTypes
import SandboxKit
import StepKit
import Testing
import Values

/// A sandbox of OYA with one connection to it, on which somebody can sign in.
struct OyaWorld {
  let steps: StepWorld

  /// - Parameter customer: members of the one customer that there is, in JSON; nil is a person who has not signed up.
  init(customer: String?, more: String = "", settings: String = "{}") throws {
    let person = customer.map { #""customer": {"id": "c-mei", "nickname": "Mei"\#($0.isEmpty ? "" : ", \($0)")}"# }
    let email = #""email": "mei@example.test", "id_token": "id-of-mei""#
    steps = try StepWorld(
      "oya", given: #"{"people": [{\#([email, person].compactMap(\.self).joined(separator: ", "))}]\#(more.isEmpty ? "" : ", \(more)")}"#,
      settings: settings)
  }

  init(given: String, settings: String = "{}") throws { steps = try StepWorld("oya", given: given, settings: settings) }

  func signIn() async throws { try await steps.run("oya/authorize-apple", #"{"auth_code": "c0ffee.0.mei"}"#) }

  @discardableResult
  func run(_ step: String, _ with: String = "{}") async throws -> ValueMap { try await steps.run("oya/\(step)", with) }

  /// The failure of a step, which must be one that the step declares, or one that any may have.
  func failure(_ step: String, _ with: String = "{}") async throws -> StepFailure? {
    let failure = await steps.failure("oya/\(step)", with)
    if let code = failure?.code, code.hasPrefix("oya.") {
      let declared = try #require(StepCatalogueEntry.errors(of: "oya/\(step)"))
      #expect(declared.contains(code), "\(step) declares \(declared)")
    }
    return failure
  }

  var overview: Value { steps.sandbox.overview["oya"] ?? .null }
  var customer: Value { overview["customers"]?.listValue?.first ?? .null }

  /// What the server answers to a request of a person's own, whatever a step would make of it.
  func send(_ method: HTTPRequest.Method, _ target: String, token: String? = "id-of-mei", body: Value? = nil, form: String? = nil)
    -> SandboxReply
  {
    var headers = HTTPFields()
    if let token { headers[.authorization] = "Bearer \(token)" }
    var bytes: [UInt8] = []
    if let body {
      headers[.contentType] = "application/json"
      bytes = Array(body.json().utf8)
    } else if let form {
      headers[.contentType] = "application/x-www-form-urlencoded"
      bytes = Array(form.utf8)
    }
    return steps.sandbox.answer(SandboxRequest(method, target: "/oya\(target)", headers: headers, body: bytes)).reply
  }
}
