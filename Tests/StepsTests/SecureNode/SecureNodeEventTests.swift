import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("The events of SecureNode")
struct SecureNodeEventTests {
  static let answer =
    #"{"success":true,"event_id":"ev-7","outcome":"displayed","counted":true,"reason":null,"imprint_id":"im-3","displayed_at":"2024-11-21T09:05:00Z"}"#
  /// The request of the documentation.
  static let request = """
    {"phone_number_e164":"+61412345678","outcome":"displayed","surface":"display","displayed_at":"2024-11-21T09:05:00Z","device_id":"5C1E..","event_key":"call_event:0B7D..",
     "meta":{"call_event_id":"call_event:0B7D..","branding_applied":true,"branded":true,"call_outcome":"ANSWERED","ring_duration_seconds":12,"call_duration_seconds":180,"caller_number_e164":"+61412345678","destination_number_e164":"+61234567890","observed_at_utc":"2024-11-21T09:05:00Z","device_id":"5C1E..","platform":"ios"}}
    """

  @Test("an event goes out as it is given")
  func report() async throws {
    let script = SecureNodeScript([.json(200, Self.answer)])
    let outputs = try await script.run("securenode/report-event", Self.request)
    #expect(try script.body() == JSON.parse(Self.request))
    #expect(script.asked == ["POST https://edge.test/api/mobile/branding/event"])
    #expect(outputs["event_id"] == "ev-7")
    #expect(outputs["counted"] == true)
    #expect(outputs["reason"] == nil)
    #expect(outputs["imprint_id"] == "im-3")
  }

  @Test("202 is an answer as well: accepted, and partly dealt with")
  func partial() async throws {
    let body =
      #"{"success":true,"accepted":true,"partial":true,"warning_code":"pending_enrichment","outcome":"displayed","counted":false,"displayed_at":"2024-11-21T09:05:00Z"}"#
    let outputs = try await SecureNodeScript([.json(202, body)]).run("securenode/report-event", Self.request)
    #expect(outputs["partial"] == true)
    #expect(outputs["warning_code"] == "pending_enrichment")
    #expect(outputs["event_id"] == nil)
  }

  @Test("an event without a time happens now, and one without a key is refused")
  func defaults() async throws {
    let script = SecureNodeScript([.json(200, Self.answer)])
    try await script.run("securenode/report-event", #"{"phone_number_e164": "+4712345", "outcome": "displayed", "event_key": "k"}"#)
    #expect(try script.body()["displayed_at"] == "2024-11-21T01:00:00Z")
    let step = try #require(StepCatalogue.standard.step("securenode/report-event"))
    let shape = step.input()
    #expect(
      shape.violations(in: ValueMap(members: ["phone_number_e164": "+4712345", "outcome": "x"])).map(\.message) == [
        "`event_key` is missing"
      ])
    let long = ValueMap(members: [
      "phone_number_e164": "+4712345", "outcome": "x", "event_key": .string(String(repeating: "k", count: 201)),
    ])
    #expect(shape.violations(in: long).count == 1)
  }

  @Test("an event is sent again under its key, at the other place too")
  func keyed() async throws {
    let script = SecureNodeScript([.broken(.reset, sent: .maybe), .json(200, Self.answer)])
    try await script.run("securenode/report-event", Self.request)
    #expect(try script.body(0) == script.body(1))
    #expect(try #require(StepCatalogue.standard.step("securenode/report-event")).about.effect == .keyed)
  }

  // MARK: calls

  @Test("a call's report is the documented one")
  func seen() async throws {
    let script = SecureNodeScript([.json(200, Self.answer)])
    let with = """
      {"phone_number_e164": "+61412345678", "call_id": "call_event:0B7D..", "branding_applied": true, "surface": "display",
       "displayed_at": "2024-11-21T09:05:00Z", "device_id": "5C1E..", "platform": "ios",
       "meta": {"call_outcome": "ANSWERED", "ring_duration_seconds": 12, "call_duration_seconds": 180,
       "caller_number_e164": "+61412345678", "destination_number_e164": "+61234567890", "observed_at_utc": "2024-11-21T09:05:00Z"}}
      """
    let outputs = try await script.run("securenode/record-call-seen", with)
    #expect(try script.body() == JSON.parse(Self.request))
    #expect(outputs["sent"] == true)
    #expect(outputs["event_id"] == "ev-7")
    #expect(outputs["queue"] == [])
  }

  @Test(
    "the key is the call's id, else that of `meta`, else a fresh one",
    arguments: [
      (#""call_id": "call-1", "meta": {"call_event_id": "meta-1"}"#, "call-1"), (#""meta": {"call_event_id": "meta-1"}"#, "meta-1"),
      (#""call_id": "", "meta": {"call_event_id": ""}"#, "call_event:00000000-0000-4000-8000-000000000000"),
      (#""surface": "callkit""#, "call_event:00000000-0000-4000-8000-000000000000"),
    ])
  func keys(members: String, key: String) async throws {
    let script = SecureNodeScript([.json(200, Self.answer)])
    let outputs = try await script.run("securenode/record-call-missed", #"{"phone_number_e164": "+4712345", \#(members)}"#)
    #expect(outputs["event_key"] == .string(key))
    #expect(try script.body()["event_key"] == .string(key))
    #expect(try script.body()["meta"]?["call_event_id"] == .string(key))
  }

  @Test(
    "each kind of call has its outcome",
    arguments: [
      ("seen", #", "branding_applied": true"#, "displayed", true), ("seen", #", "branding_applied": false"#, "no_match", false),
      ("seen", #", "meta": {"branding_applied": true}"#, "displayed", true), ("seen", "", "no_match", false),
      ("missed", #", "branding_applied": true"#, "missed", true), ("missed", "", "missed", nil), ("returned", "", "returned", nil),
    ])
  func outcomes(verb: String, members: String, outcome: String, branded: Bool?) async throws {
    let script = SecureNodeScript([.json(200, Self.answer)])
    try await script.run("securenode/record-call-\(verb)", #"{"phone_number_e164": "+4712345"\#(members)}"#)
    let body = try script.body()
    #expect(body["outcome"] == .string(outcome))
    #expect(body["surface"] == "callkit")
    #expect(body["meta"]?["branded"] == branded.map { .bool($0) })
    #expect(body["meta"]?["branding_applied"] == branded.map { .bool($0) })
  }

  @Test("empty texts are dropped, what nobody names is kept")
  func meta() async throws {
    let script = SecureNodeScript([.json(200, Self.answer)])
    try await script.run(
      "securenode/record-call-missed",
      #"{"phone_number_e164": "+4712345", "call_id": "k", "device_id": "", "meta": {"identity_type": "", "call_outcome": "MISSED", "ours": 1, "none": ""}}"#
    )
    #expect(try script.body()["meta"] == ["call_event_id": "k", "call_outcome": "MISSED", "ours": 1])
    #expect(try script.body()["device_id"] == nil)
  }

  static let kept: [(Result<TransportReply, TransportFailure>, String)] = [
    (.broken(.timeout, sent: .maybe), "timeout.attempt"), (.broken(.dns, sent: .no), "network.dns"), (.text(503), "http.503"),
    (.text(200, "<h1>Welcome to our network</h1>"), "decode"), (.text(401), "securenode.bad_key"), (.text(403), "securenode.not_permitted"),
    (.text(429), "securenode.rate_limited"),
  ]

  @Test("a report that fails comes back at the end of the queue, under its key and with its time", arguments: kept.indices)
  func queued(index: Int) async throws {
    let (answer, code) = Self.kept[index]
    let script = SecureNodeScript([answer, answer])
    let outputs = try await script.run(
      "securenode/record-call-missed",
      #"{"phone_number_e164": "+4712345", "call_id": "k2", "queue": [{"event": {"phone_number_e164": "+4712345", "outcome": "missed", "event_key": "k1"}, "queued_at": "2024-11-21T00:00:00Z"}]}"#
    )
    #expect(outputs["sent"] == false)
    #expect(outputs["failure"] == .string(code))
    let queue = try #require(outputs["queue"]?.listValue)
    #expect(queue.map { $0["event"]?["event_key"] } == ["k1", "k2"])
    #expect(queue.last?["queued_at"] == "2024-11-21T01:00:00Z")
    #expect(queue.last?["event"] == (try script.body()))
  }

  @Test("a report that is refused as it is, and a run that is cancelled, are errors")
  func refused() async throws {
    let with = #"{"phone_number_e164": "+4712345", "call_id": "k"}"#
    #expect(await SecureNodeScript([.text(400)]).failure("securenode/record-call-seen", with)?.code == "securenode.invalid_request")
    #expect(await SecureNodeScript([.broken(.cancelled, sent: .no)]).failure("securenode/record-call-seen", with)?.code == "cancelled")
  }

  // MARK: the queue

  static func queue(_ keys: [String], at time: String = "2024-11-21T00:00:00Z") -> String {
    "["
      + keys.map {
        #"{"event": {"phone_number_e164": "+4712345", "outcome": "missed", "event_key": "\#($0)", "displayed_at": "\#(time)"}, "queued_at": "\#(time)"}"#
      }.joined(separator: ",") + "]"
  }

  private func keys(_ outputs: ValueMap, _ name: String) -> [String] {
    (outputs[name]?.listValue ?? []).compactMap { $0["event"]?["event_key"]?.stringValue ?? $0.stringValue }
  }

  @Test("a key waits once, and the first event of it stays")
  func unique() async throws {
    let script = SecureNodeScript([])
    let outputs = try await script.run(
      "securenode/queue-event",
      #"{"queue": \#(Self.queue(["a", "b", "a"])), "event": {"phone_number_e164": "+4712349", "outcome": "missed", "event_key": "a"}}"#)
    #expect(keys(outputs, "queue") == ["a", "b"])
    #expect(outputs["waiting"] == 2)
    #expect(outputs["queue"]?.listValue?.first?["event"]?["phone_number_e164"] == "+4712345")
    #expect(script.asked.isEmpty)
  }

  @Test("fifty are sent at a time, in their order")
  func batch() async throws {
    let all = (1...60).map { "k\($0)" }
    let script = SecureNodeScript(Array(repeating: .json(200, Self.answer), count: 60))
    let outputs = try await script.run("securenode/flush-events", #"{"queue": \#(Self.queue(all))}"#)
    #expect(keys(outputs, "sent") == Array(all.prefix(50)))
    #expect(keys(outputs, "queue") == Array(all.suffix(10)))
    #expect(outputs["failure"] == nil)
    #expect(script.asked.count == 50)
  }

  @Test("the first that fails stops it, and what was sent is gone all the same", arguments: [400, 401, 429, 500])
  func stop(status: Int) async throws {
    let script = SecureNodeScript([.json(200, Self.answer), .text(status), .json(200, Self.answer)])
    let outputs = try await script.run("securenode/flush-events", #"{"queue": \#(Self.queue(["a", "b", "c"]))}"#)
    #expect(keys(outputs, "sent") == ["a"])
    #expect(keys(outputs, "queue") == ["b", "c"])
    #expect(outputs["failure"]?.stringValue?.isEmpty == false)
    #expect(script.asked.count == 2)
  }

  @Test("what has waited for more than seven days is dropped unsent")
  func expired() async throws {
    let old = Self.queue(["old"], at: "2024-11-14T00:59:59Z").dropLast()
    let young = Self.queue(["young"], at: "2024-11-14T01:00:00Z").dropFirst()
    let script = SecureNodeScript([.json(200, Self.answer)])
    let outputs = try await script.run("securenode/flush-events", #"{"queue": \#(old),\#(young)}"#)
    #expect(keys(outputs, "dropped") == ["old"])
    #expect(keys(outputs, "sent") == ["young"])
    #expect(script.asked.count == 1)
  }

  @Test("a cancelled run is cancelled, and nothing else")
  func cancelled() async throws {
    let script = SecureNodeScript([.json(200, Self.answer), .broken(.cancelled, sent: .no)])
    #expect(await script.failure("securenode/flush-events", #"{"queue": \#(Self.queue(["a", "b"]))}"#)?.code == "cancelled")
  }

  @Test("the newest settings among the answers are told")
  func config() async throws {
    let script = SecureNodeScript([.json(200, #"{"config": {"branding_enabled": false}}"#), .json(200, Self.answer)])
    let outputs = try await script.run("securenode/flush-events", #"{"queue": \#(Self.queue(["a", "b"]))}"#)
    #expect(outputs["config"]?["branding_enabled"] == false)
  }

  @Test("a lost answer is made good by the same key: one event is counted")
  func countedOnce() async throws {
    let world = try StepWorld("securenode")
    let step = #"{"phone_number_e164": "+61412345678", "call_id": "k", "branding_applied": true}"#
    let first = try await world.run("securenode/record-call-seen", step)
    let second = try await world.run("securenode/record-call-seen", step)
    #expect(first["event_id"] == second["event_id"])
    #expect(world.sandbox.overview["securenode"]?["counted_events"] == 1)
  }
}
