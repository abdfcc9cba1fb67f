import StepKit
import Steps
import Testing
import Values

@Suite("The directory of SecureNode")
struct SecureNodeDirectoryTests {
  /// The answer of the documentation to a full sync.
  static let fullAnswer = """
    {"success":true,"branding":[
      {"phone_number_e164":"+61412345678","brand_name":"Harbour Clinic","logo_url":"https://assets.securenode.io/hc.png","call_reason":"Appointment reminder","brand_id":"b-1","updated_at":"2024-11-20T03:00:00Z"},
      {"phone_number_e164":"+61298765432","brand_name":"Metro Freight","logo_url":null,"call_reason":null,"brand_id":"b-2","updated_at":"2024-11-20T04:00:00Z"}],
     "synced_at":"2024-11-21T09:00:00Z",
     "config":{"mode":"live","branding_enabled":true,"voip_dialer_enabled":false,"account_status":"active","client_id":"c-9","used_this_month":40,"cap_this_month":5000,"included_imprints_monthly":5000,
      "debug_ui":{"enabled":false,"request_upload":false,"expires_at":null,"allow_export":false}}}
    """

  static func delta(_ items: String) -> String {
    #"{"branding": [\#(items)], "synced_at": "2024-11-21T09:30:00Z"}"#
  }

  private func numbers(_ outputs: ValueMap, _ name: String = "directory") -> [String] {
    (outputs[name]?.listValue ?? []).compactMap { $0["phone_number_e164"]?.stringValue ?? $0.stringValue }
  }

  @Test("a sync without a cursor fetches everything and replaces what is stored")
  func full() async throws {
    let script = SecureNodeScript([.json(200, Self.fullAnswer)])
    let outputs = try await script.run(
      "securenode/sync", #"{"since": "", "device_id": "5C1E", "directory": [{"phone_number_e164": "+4712345", "brand_name": "Old"}]}"#)
    #expect(script.asked == ["GET https://edge.test/api/mobile/branding/sync?device_id=5C1E"])
    #expect(numbers(outputs) == ["+61412345678", "+61298765432"])
    #expect(numbers(outputs, "changed") == ["+61412345678", "+61298765432"])
    #expect(outputs["is_full"] == true)
    #expect(outputs["synced_at"] == "2024-11-21T09:00:00Z")
    #expect(outputs["config"]?["cap_this_month"] == 5000)
    #expect(outputs["config"]?["debug_ui"]?["request_upload"] == false)
    #expect(
      outputs["directory"]?.listValue?.last == [
        "phone_number_e164": "+61298765432", "brand_name": "Metro Freight", "brand_id": "b-2", "updated_at": "2024-11-20T04:00:00Z",
      ])
  }

  @Test("a sync of changes adds, replaces and removes by number, and keeps the others")
  func merge() async throws {
    let items = """
      {"phone_number_e164": "+2", "brand_name": "New Two", "updated_at": "x"},
      {"phone_number_e164": "+4", "brand_name": "Four", "updated_at": "x"},
      {"phone_number_e164": "+3", "brand_name": "Three", "updated_at": "x", "is_active": false},
      {"phone_number_e164": "+4712349", "brand_name": "Never Seen", "updated_at": "x", "is_active": false}
      """
    let script = SecureNodeScript([.json(200, Self.delta(items))])
    let stored =
      #"[{"phone_number_e164": "+4712345", "brand_name": "One"}, {"phone_number_e164": "+2", "brand_name": "Two"}, {"phone_number_e164": "+3", "brand_name": "Three"}]"#
    let outputs = try await script.run("securenode/sync", #"{"since": "2024-11-21T09:00:00Z", "directory": \#(stored)}"#)
    #expect(numbers(outputs) == ["+4712345", "+2", "+4"])
    #expect(outputs["directory"]?.listValue?[1]["brand_name"] == "New Two")
    #expect(numbers(outputs, "changed") == ["+2", "+4"])
    #expect(numbers(outputs, "removed") == ["+3", "+4712349"])
    #expect(outputs["is_full"] == false)
    #expect(outputs["config"] == nil)
  }

  @Test("a sync without changes changes nothing but its cursor")
  func nothing() async throws {
    let script = SecureNodeScript([.json(200, Self.delta(""))])
    let outputs = try await script.run(
      "securenode/sync", #"{"since": "2024-11-21T09:00:00Z", "directory": [{"phone_number_e164": "+4712345", "brand_name": "One"}]}"#)
    #expect(numbers(outputs) == ["+4712345"])
    #expect(outputs["synced_at"] == "2024-11-21T09:30:00Z")
  }

  @Test("of a number that comes twice the last one counts, and one that was switched off may come back")
  func twice() async throws {
    let items = """
      {"phone_number_e164": "+4712345", "brand_name": "First", "is_active": false}, {"phone_number_e164": "+4712345", "brand_name": "Last"},
      {"phone_number_e164": "+2", "brand_name": "On"}, {"phone_number_e164": "+2", "brand_name": "Off", "is_active": false}
      """
    let outputs = try await SecureNodeScript([.json(200, Self.delta(items))]).run("securenode/sync", #"{"since": "2024-11-21T09:00:00Z"}"#)
    #expect(outputs["directory"] == [["phone_number_e164": "+4712345", "brand_name": "Last"]])
  }

  @Test(
    "texts are cut to what clients store, by characters as people see them",
    arguments: [("phone_number_e164", 20), ("brand_name", 100), ("logo_url", 2048), ("call_reason", 200)])
  func clamp(member: String, limit: Int) async throws {
    // Two scalars, eleven bytes, one character.
    for (character, count) in [("x", limit), ("x", limit + 1), ("👍🏽", limit), ("👍🏽", limit + 1)] {
      let text = String(repeating: character, count: count)
      let item =
        member == "phone_number_e164" ? #"{"\#(member)": "\#(text)"}"# : #"{"phone_number_e164": "+4712345", "\#(member)": "\#(text)"}"#
      let outputs = try await SecureNodeScript([.json(200, Self.delta(item))]).run("securenode/sync", "{}")
      #expect(outputs["directory"]?.listValue?.first?[member]?.stringValue == String(repeating: character, count: limit))
    }
  }

  @Test("a brand without a name has an empty one", arguments: ["", #", "brand_name": null"#])
  func noName(member: String) async throws {
    let outputs = try await SecureNodeScript([.json(200, Self.delta(#"{"phone_number_e164": "+4712345"\#(member)}"#))]).run(
      "securenode/sync", "{}")
    #expect(outputs["directory"] == [["phone_number_e164": "+4712345", "brand_name": ""]])
  }

  @Test(
    "an answer that is no directory is told, and gives none",
    arguments: [
      "{}", "[]", #"{"branding": {}, "synced_at": "2024-11-21T09:00:00Z"}"#, #"{"branding": [{}], "synced_at": "2024-11-21T09:00:00Z"}"#,
      #"{"branding": [], "synced_at": "2024-11-21T09:00:00"}"#, #"{"branding": [], "synced_at": ""}"#,
    ])
  func malformed(body: String) async throws {
    #expect(await SecureNodeScript([.json(200, body)]).failure("securenode/sync", "{}")?.code == "decode")
  }

  @Test("an acknowledgement names what has come")
  func acknowledge() async throws {
    let script = SecureNodeScript([.json(200, #"{"success":true,"last_synced_at":"2024-11-21T09:00:01Z"}"#)])
    let with = #"{"last_synced_at":"2024-11-21T09:00:00Z","e164_numbers":["+61412345678","+61298765432"]}"#
    let outputs = try await script.run("securenode/ack-sync", with)
    #expect(outputs["last_synced_at"] == "2024-11-21T09:00:01Z")
    #expect(try script.body() == JSON.parse(with))
    #expect(script.asked == ["POST https://edge.test/api/mobile/branding/sync"])
  }

  @Test("a number that is none of E.164 is acknowledged as it came")
  func acknowledgeAnyNumber() async throws {
    let script = SecureNodeScript([.json(200, #"{"success":true}"#)])
    try await script.run("securenode/ack-sync", #"{"e164_numbers": ["1300 123 456", "+1234567890123456789"]}"#)
    #expect(try script.body() == ["e164_numbers": ["1300 123 456", "+1234567890123456789"]])
  }

  // MARK: look-up

  private func lookup(_ answers: [Result<TransportReply, TransportFailure>], _ further: String = "") async throws -> ValueMap {
    try await SecureNodeScript(answers).run("securenode/lookup", #"{"e164": "+61412345678", "report": false\#(further)}"#)
  }

  @Test(
    "a look-up understands both shapes of answer",
    arguments: [
      #"{"success":true,"e164":"+61412345678","brand_name":"Harbour Clinic","logo_url":"https://assets.securenode.io/hc.png","call_reason":"Appointment reminder","brand_id":"b-1"}"#,
      #"{"matched":true,"displayed":true,"brand":{"name":"Harbour Clinic","logo":"https://assets.securenode.io/hc.png"},"call_reason":"Appointment reminder","source":"live"}"#,
    ])
  func shapes(body: String) async throws {
    let outputs = try await lookup([.json(200, body)])
    #expect(outputs["matched"] == true)
    #expect(outputs["brand_name"] == "Harbour Clinic")
    #expect(outputs["logo_url"] == "https://assets.securenode.io/hc.png")
    #expect(outputs["call_reason"] == "Appointment reminder")
    #expect(outputs["source"] == "live")
  }

  static let misses: [Result<TransportReply, TransportFailure>] = [
    .json(200, #"{"matched":false,"displayed":false,"brand":null,"call_reason":null,"source":"none"}"#),
    .json(200, #"{"success":true,"e164":"+61412345678","brand_name":null,"logo_url":null,"call_reason":null,"brand_id":null}"#),
    .json(200, #"{"e164":"+61412345678"}"#), .json(200, ""), .text(200), .text(204),
    .json(200, #"{"matched":true,"brand":{"name":"","logo":null}}"#),
    .json(200, #"{"matched":false,"brand":{"name":"Ghost","logo":null}}"#),
    .json(404, #"{"success":false,"error":"No brand","code":"no_match"}"#),
  ]

  @Test("a look-up takes every way of saying so for no match", arguments: misses.indices)
  func noMatch(index: Int) async throws {
    let outputs = try await lookup([Self.misses[index]])
    #expect(outputs["matched"] == false)
    #expect(outputs["brand_name"] == nil)
    #expect(outputs["source"] == "none")
    #expect(outputs["outcome"] == "no_match")
  }

  @Test("404 at both places is no match, anything else is an error")
  func statuses() async throws {
    #expect(try await lookup([.text(404), .text(404)])["matched"] == false)
    #expect(
      await SecureNodeScript([.text(200, "<h1>Welcome</h1>")]).failure("securenode/lookup", #"{"e164": "+4712345"}"#)?.code == "decode")
    for status in [401, 405, 429, 500] {
      let failure = await SecureNodeScript([.text(status), .text(status)]).failure(
        "securenode/lookup", #"{"e164": "+4712345", "report": false}"#)
      #expect(failure?.answer?.status == status)
    }
  }

  @Test("the number's plus, the device and the form go into the query")
  func query() async throws {
    let script = SecureNodeScript([.text(200)])
    try await script.run("securenode/lookup", #"{"e164": "+61412345678", "report": false, "device_id": "5C1E", "format": "public"}"#)
    #expect(script.asked == ["GET https://edge.test/api/mobile/branding/lookup?e164=%2B61412345678&device_id=5C1E&format=public"])
  }

  @Test(
    "the store answers first, and is stale after a day",
    arguments: [("2024-11-20T01:00:00Z", false), ("2024-11-20T00:59:59Z", true), ("", false)])
  func store(syncedAt: String, isStale: Bool) async throws {
    let stored = #", "directory": [{"phone_number_e164": "+61412345678", "brand_name": "Stored"}], "synced_at": "\#(syncedAt)""#
    let outputs = try await lookup([], stored)
    #expect(outputs["brand_name"] == "Stored")
    #expect(outputs["source"] == "store")
    #expect(outputs["is_stale"] == .bool(isStale))
  }

  @Test("every look-up is reported, with what it has found")
  func report() async throws {
    let script = SecureNodeScript([.text(200), .json(200, #"{"success": true, "event_id": "ev-7"}"#)])
    let outputs = try await script.run("securenode/lookup", #"{"e164": "+61412345678", "device_id": "5C1E", "event_key": "call_event:7"}"#)
    #expect(outputs["event_id"] == "ev-7")
    #expect(
      try script.body(1) == [
        "phone_number_e164": "+61412345678", "outcome": "no_match", "surface": "lookup", "displayed_at": "2024-11-21T01:00:00Z",
        "device_id": "5C1E", "event_key": "call_event:7",
      ])
  }

  @Test("a report that fails comes back to be queued, and the brand is there all the same")
  func queued() async throws {
    let script = SecureNodeScript([.json(200, #"{"brand_name": "Harbour Clinic"}"#), .text(503)])
    let outputs = try await script.run("securenode/lookup", #"{"e164": "+61412345678"}"#)
    #expect(outputs["matched"] == true)
    #expect(outputs["failure"] == "http.503")
    #expect(outputs["queue"]?.listValue?.first?["event"]?["event_key"] == "call_event:00000000-0000-4000-8000-000000000000")
  }

  @Test("a look-up that fails reports nothing")
  func failed() async throws {
    let script = SecureNodeScript([.text(500), .text(200)])
    #expect(await script.failure("securenode/lookup", #"{"e164": "+4712345"}"#)?.code == "http.500")
    #expect(script.asked.count == 1)
  }
}
