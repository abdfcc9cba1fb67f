import HTTPTypes
import JSONSchema
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("SecureNode in the sandbox")
struct SecureNodeSandboxTests {
  private func sandbox(_ given: String = "{}") throws -> Sandbox {
    let clock = StepClock()
    return try Sandbox(
      systems: [SecureNodeSandbox()], given: .map(ValueMap(members: ["securenode": try JSON.parse(given)])),
      clock: SandboxClock(now: { clock.now() }, sleep: { _ in }))
  }

  private func send(
    _ sandbox: Sandbox, _ method: HTTPRequest.Method, _ path: String, _ body: String = "", key: String? = "k"
  ) throws -> SandboxReply {
    var headers = HTTPFields()
    if let key { headers[try #require(HTTPField.Name("X-API-Key"))] = key }
    return sandbox.answer(SandboxRequest(method, target: "/securenode\(path)", headers: headers, body: Array(body.utf8))).reply
  }

  static let event = #"{"phone_number_e164": "+61412345678", "outcome": "displayed", "event_key": "k1"}"#
  static let device = #"{"device_id": "5C1E", "platform": "ios"}"#

  @Test(
    "stands below `/api`, at its root, or where a scenario puts it",
    arguments: [("{}", "/api"), (#"{"prefix": ""}"#, ""), (#"{"prefix": "/v2/api"}"#, "/v2/api")])
  func prefix(given: String, prefix: String) throws {
    let sandbox = try sandbox(given)
    for place in ["/api", "", "/v2/api"] {
      #expect(try send(sandbox, .get, "\(place)/mobile/branding/sync").status == (place == prefix ? 200 : 404))
    }
    #expect(try send(sandbox, .delete, "\(prefix)/mobile/branding/sync").status == 405)
    #expect(sandbox.openAPI(of: "securenode")?["servers"] == [["url": .string("/securenode\(prefix)")]])
  }

  @Test("takes any key but none, those that are given alone, and refuses the others as it is told to")
  func keys() throws {
    #expect(try send(try sandbox(), .get, "/api/mobile/branding/sync", key: "any").status == 200)
    for (key, status) in [(nil, 401), ("", 401), ("good", 200), ("bad", 401)] {
      let reply = try send(try sandbox(#"{"keys": ["good"]}"#), .get, "/api/mobile/branding/sync", key: key)
      #expect(reply.status == status)
      if status == 401 { #expect(reply.json == ["success": false, "error": "Invalid or missing API key", "code": "unauthorized"]) }
    }
    #expect(try send(try sandbox(#"{"keys": [], "bad_key_status": 403}"#), .get, "/api/mobile/branding/sync").status == 403)
    // The key is looked at before the body.
    #expect(try send(try sandbox(), .post, "/api/mobile/branding/event", "no JSON", key: nil).status == 401)
  }

  @Test("a cursor parts what came before it from what came after, even within one moment")
  func cursor() throws {
    let sandbox = try sandbox(
      #"{"brands": [{"phone_number_e164": "+4712345", "brand_name": "One"}, {"phone_number_e164": "+2", "brand_name": "Two"}]}"#)
    func numbers(_ since: String?) throws -> ([String], String) {
      let path = "/api/mobile/branding/sync\(since.map { "?since=\(PercentEncoding.component($0))" } ?? "")"
      let answer = try #require(try send(sandbox, .get, path).json)
      return (
        (answer["branding"]?.listValue ?? []).compactMap { $0["phone_number_e164"]?.stringValue }, answer["synced_at"]?.stringValue ?? ""
      )
    }
    let (all, first) = try numbers(nil)
    #expect(all == ["+4712345", "+2"])
    #expect(try numbers(first).0 == [])
    try sandbox.change("securenode", "brand", ["phone_number_e164": "+2", "brand_name": "Two More"])
    let (changed, second) = try numbers(first)
    #expect(changed == ["+2"])
    #expect(try numbers(second).0 == [])
    try sandbox.change("securenode", "brand", ["phone_number_e164": "+4712345", "is_active": false])
    #expect(try numbers(second).0 == [])
    #expect(try numbers(nil).0 == ["+2"])
    try sandbox.change("securenode", "set", ["sends_inactive": true])
    #expect(try numbers(second).0 == ["+4712345"])
    try sandbox.change("securenode", "remove_brand", "+4712345")
    #expect(try numbers(second).0 == [])
    #expect(sandbox.overview["securenode"]?["billed_deliveries"] == 8)
    #expect(try send(sandbox, .get, "/api/mobile/branding/sync?since=yesterday").status == 400)
    #expect(sandbox.overview["securenode"]?["billed_deliveries"] == 8)
  }

  @Test("a repeated key is answered as the first time, and counted once; events without a key are each their own")
  func keyed() throws {
    let sandbox = try sandbox()
    let first = try send(sandbox, .post, "/api/mobile/branding/event", Self.event)
    #expect(first.json?["event_id"] == "ev-1")
    #expect(try send(sandbox, .post, "/api/mobile/branding/event", Self.event).json == first.json)
    for id in ["ev-2", "ev-3"] {
      let reply = try send(sandbox, .post, "/api/mobile/branding/event", #"{"phone_number_e164": "+4712345", "outcome": "missed"}"#)
      #expect(reply.json?["event_id"] == .string(id))
      #expect(reply.json?["reason"] == "analytics_only")
    }
    #expect(sandbox.overview["securenode"]?["counted_events"] == 1)
    #expect(sandbox.overview["securenode"]?["billed_deliveries"] == 0)
  }

  @Test("a key of an event belongs to the account that sends it")
  func keyedByAccount() throws {
    let sandbox = try sandbox()
    for (account, id) in [("one", "ev-1"), ("two", "ev-2"), ("one", "ev-1")] {
      #expect(try send(sandbox, .post, "/api/mobile/branding/event", Self.event, key: account).json?["event_id"] == .string(id))
    }
    #expect(sandbox.overview["securenode"]?["counted_events"] == 2)
  }

  @Test(
    "an event that does not count says why, with 200",
    arguments: [
      ("{}", "displayed", nil), ("{}", "no_match", "no_match"), ("{}", "returned", "analytics_only"), ("{}", "disabled", "disabled"),
      (#"{"branding_enabled": false}"#, "displayed", "disabled"), (#"{"cap_this_month": 0}"#, "displayed", "cap_reached"),
      (#"{"cap_this_month": 41, "used_this_month": 40}"#, "displayed", nil),
      (#"{"account_status": "suspended"}"#, "displayed", "account_suspended"),
    ])
  func reasons(given: String, outcome: String, reason: String?) throws {
    let reply = try send(
      try sandbox(given), .post, "/api/mobile/branding/event", #"{"phone_number_e164": "+4712345", "outcome": "\#(outcome)"}"#)
    #expect(reply.status == 200)
    #expect(reply.json?["counted"] == .bool(reason == nil))
    #expect(reply.json?["reason"] == reason.map { .string($0) } ?? .null)
    #expect((reply.json?["imprint_id"] != nil) == (reason == nil))
  }

  @Test("an event that is still dealt with is 202, and the answers carry settings where they are told to")
  func partial() throws {
    let reply = try send(try sandbox(#"{"partial_events": true}"#), .post, "/api/mobile/branding/event", Self.event)
    #expect(reply.status == 202)
    #expect(reply.json?["warning_code"] == "pending_enrichment")
    #expect(reply.json?["event_id"] == nil)
    let told = try send(
      try sandbox(#"{"config_with_events": true, "branding_enabled": false}"#), .post, "/api/mobile/branding/event", Self.event)
    #expect(told.json?["config"]?["branding_enabled"] == false)
  }

  @Test("the gate for a log opens once, and a nonce is told before a closed gate")
  func debug() throws {
    let upload = { (nonce: String) in #"{"device_id": "d", "nonce": "\#(nonce)", "logs": "x"}"# }
    let (first, second) = ("6A1F5C0E-9c1b-4c1e-8a9e-1c2d3e4f5a6b", "6a1f5c0e-9c1b-4c1e-8a9e-1c2d3e4f5a6c")
    let closed = try sandbox()
    #expect(try send(closed, .post, "/api/mobile/debug/upload", upload(first)).status == 403)
    let open = try sandbox(#"{"debug_enabled": true, "debug_request_upload": true, "debug_expires_in": "1m"}"#)
    let long = #"{"device_id": "d", "nonce": "\#(first)", "logs": "\#(String(repeating: "x", count: 200_001))"}"#
    #expect(try send(open, .post, "/api/mobile/debug/upload", long).status == 413)
    #expect(try send(open, .post, "/api/mobile/debug/upload", upload(first)).json == ["success": true, "id": "du-1"])
    #expect(try send(open, .post, "/api/mobile/debug/upload", upload(first.lowercased())).status == 409)
    #expect(try send(open, .post, "/api/mobile/debug/upload", upload(second)).status == 403)
    let expired = try sandbox(#"{"debug_enabled": true, "debug_request_upload": true, "debug_expires_in": "0s"}"#)
    #expect(try send(expired, .post, "/api/mobile/debug/upload", upload(first)).status == 403)
  }

  @Test("a device is registered or changed; one that is not registered is not updated")
  func devices() throws {
    let sandbox = try sandbox()
    let missing = try send(sandbox, .post, "/api/mobile/device/update", Self.device)
    #expect(missing.status == 404)
    #expect(missing.json == ["success": false, "code": "device_not_registered", "error": "Device not registered"])
    #expect(
      try send(sandbox, .post, "/api/mobile/device/register", Self.device).json == [
        "success": true, "device": ["device_id": "5C1E", "platform": "ios"],
      ])
    let again = try send(sandbox, .post, "/api/mobile/device/register", #"{"device_id": "5C1E", "platform": "ios", "os_version": "18"}"#)
    #expect(again.json?["device"]?["os_version"] == "18")
    #expect(try send(sandbox, .post, "/api/mobile/device/update", Self.device).status == 200)
    #expect(sandbox.overview["securenode"]?["devices"]?.listValue?.count == 1)
  }

  @Test(
    "refuses what is missing, of another type or too long",
    arguments: [
      ("branding/event", "no JSON"), ("branding/event", "[]"), ("branding/event", #"{"outcome": "displayed"}"#),
      ("branding/event", #"{"phone_number_e164": "", "outcome": "displayed"}"#),
      ("branding/event", #"{"phone_number_e164": "+12345678901234567890", "outcome": "displayed"}"#),
      ("branding/event", #"{"phone_number_e164": 1, "outcome": "displayed"}"#),
      ("branding/event", #"{"phone_number_e164": "+4712345", "outcome": "displayed", "displayed_at": "noon"}"#),
      ("branding/event", #"{"phone_number_e164": "+4712345", "outcome": "displayed", "branding_request_id": "x"}"#),
      ("branding/event", #"{"phone_number_e164": "+4712345", "outcome": "displayed", "meta": []}"#),
      ("branding/imprint", #"{"phone_number_e164": "+4712345", "device_id": "d"}"#),
      ("branding/sync", #"{"e164_numbers": [1]}"#), ("device/register", #"{"device_id": "d", "platform": "symbian"}"#),
      ("device/register", #"{"device_id": "", "platform": "ios"}"#),
      ("device/update", #"{"device_id": "d", "platform": "ios", "capabilities": {"contacts_enabled": 1}}"#),
      ("device/presence", #"{"device_id": "d"}"#), ("device/log", #"{"device_id": "d", "level": "loud", "message": ""}"#),
      ("debug/upload", #"{"device_id": "d", "nonce": "1"}"#),
    ])
  func invalid(path: String, body: String) throws {
    let reply = try send(try sandbox(), .post, "/api/mobile/\(path)", body)
    #expect(reply.status == 400)
    #expect(reply.json?["code"] == "invalid_request")
    #expect(reply.json?["error"]?.stringValue?.isEmpty == false)
  }

  @Test("serves the pictures that it was given, below its own prefix, and asks for no key")
  func logos() throws {
    let brand = #"{"phone_number_e164": "+4712345", "brand_name": "B", "logo": "hc.png"}"#
    for (given, prefix) in [(#"{"brands": [\#(brand)]}"#, "/api"), (#"{"prefix": "", "brands": [\#(brand)]}"#, "")] {
      let sandbox = try sandbox(given)
      let answer = try send(sandbox, .get, "\(prefix)/mobile/branding/sync").json
      let url = try #require(answer?["branding"]?.listValue?.first?["logo_url"]?.stringValue)
      #expect(url == "http://127.0.0.1:1/securenode\(prefix)/logos/hc.png")
      let picture = try send(sandbox, .get, "\(prefix)/logos/hc.png", key: nil)
      #expect(picture.headers[.contentType] == "image/png")
      #expect(picture.body.count == 8)
      #expect(try send(sandbox, .get, "\(prefix)/logos/other.png").status == 404)
    }
  }

  @Test(
    "tells a key, a verb or a value that it does not know",
    arguments: [
      #"{"brand": []}"#, #"{"mode": "test"}"#, #"{"bad_key_status": 418}"#, #"{"lookup_miss": "none"}"#,
      #"{"brands": [{"brand_name": "x"}]}"#, #"{"brands": [{"phone_number_e164": "+4712345", "updated_at": "x"}]}"#,
    ])
  func given(given: String) {
    #expect(throws: SandboxError.self) { try sandbox(given) }
  }

  @Test("tells a change that it does not know")
  func changes() throws {
    let sandbox = try sandbox()
    #expect(throws: SandboxError.self) { try sandbox.change("securenode", "expire", "all") }
    #expect(throws: SandboxError.self) { try sandbox.change("securenode", "remove_brand", "+4712345") }
    #expect(throws: SandboxError.self) { try sandbox.change("securenode", "set", ["colour": "red"]) }
    #expect(throws: SandboxError.self) { try sandbox.change("securenode", "brand", ["brand_name": "x"]) }
  }

  @Test("its description takes the documented examples, and each operation has a route of its own")
  func description() throws {
    let document = try #require(SecureNodeSandbox().api)
    let routes = SecureNodeSandbox().routes
    #expect(routes.count == document.operations.count)
    for operation in document.operations {
      #expect(routes.contains { $0.method == operation.method && $0.path.description == operation.path }, "\(operation.id)")
      guard let body = operation.body, let example = body.example else { continue }
      #expect(try SchemaShape(body.schema).accepts(example), "\(operation.id)")
    }
  }
}

extension SchemaShape {
  /// Whether a value is of the schema.
  fileprivate func accepts(_ value: Value) -> Bool { FieldConstraint.conforms(self).violations(in: value, at: []).isEmpty }
}
