import StepKit
import Steps
import Testing
import Values

@Suite("Times and numbers that go to SecureNode")
struct SecureNodeFormTests {
  @Test(
    "have a form of their own",
    arguments: [
      (TextForm.time, "2024-11-21T09:00:00Z", true), (.time, "2024-11-21T09:00:00.123+01:00", true), (.time, "2024-11-21", false),
      (.time, "21 November 2024, Tuesday", false), (.time, "2024-02-30T09:00:00Z", false), (.time, "", false), (.timeOrEmpty, "", true),
      (.timeOrEmpty, "2024-11-21T09:00:00Z", true), (.timeOrEmpty, " ", false), (.phoneNumber, "+61412345678", true),
      (.phoneNumber, "+123456789012345", true),
      (.phoneNumber, "+1234567890123456", false), (.phoneNumber, "61412345678", false), (.phoneNumber, "+0412345678", false),
      (.phoneNumber, "+61 412 345 678", false), (.phoneNumber, "+٤١٢٣٤٥٦٧٨", false), (.phoneNumber, "+", false),
    ])
  func forms(form: TextForm, text: String, isTaken: Bool) throws {
    #expect(form.accepts(text) == isTaken)
    #expect(FieldConstraint.written(form).violations(in: .string(text), at: [.member("it")]).isEmpty == isTaken)
    // Editors say the same.
    let record = RecordShape([.init("it", "", .nullable(.string(TextRules())), isRequired: false, constraint: .written(form))])
    let schema = FieldConstraint.conforms(try SchemaShape(record.jsonSchema))
    #expect(schema.violations(in: ["it": .string(text)], at: []).isEmpty == isTaken)
    #expect(schema.violations(in: ["it": .null], at: []).isEmpty)
    let list = RecordShape([.init("all", "", .list(.string(TextRules())), isRequired: true, constraint: .written(form))])
    let lists = FieldConstraint.conforms(try SchemaShape(list.jsonSchema))
    #expect(lists.violations(in: ["all": [.string(text)]], at: []).isEmpty == isTaken)
  }

  private static let time = "must be a time such as `2024-11-21T09:00:00Z`"
  private static let number = "must be a phone number in E.164, such as `+61412345678`"

  @Test(
    "are looked at before anything is sent",
    arguments: [
      ("sync", #"{"since": "yesterday"}"#, ["`since` \(time), or empty"]),
      (
        "ack-sync", #"{"last_synced_at": "9 o'clock", "e164_numbers": ["0412 345 678"]}"#, ["`last_synced_at` \(time), or empty"]
      ),
      ("lookup", #"{"e164": "0412345678", "synced_at": "1732150800"}"#, ["`e164` \(number)", "`synced_at` \(time), or empty"]),
      (
        "report-event", #"{"phone_number_e164": "unknown", "outcome": "displayed", "displayed_at": "now", "event_key": "k"}"#,
        ["`phone_number_e164` \(number)", "`displayed_at` \(time)"]
      ),
      (
        "record-imprint", #"{"phone_number_e164": "", "device_id": "", "displayed_at": ""}"#,
        ["`phone_number_e164` \(number)", "`displayed_at` \(time)", "`device_id` must have at least 1 characters, not 0"]
      ),
      (
        "record-call-seen", #"{"phone_number_e164": "+61412345678", "meta": {"caller_number_e164": "1", "observed_at_utc": "2"}}"#,
        ["`meta.caller_number_e164` \(number)", "`meta.observed_at_utc` \(time)"]
      ),
      ("update-device", #"{"device_id": "d", "platform": "ios", "last_seen": "today"}"#, ["`last_seen` \(time), or empty"]),
      ("send-presence", #"{"device_id": "d", "observed_at": "2024-11-21 09:00"}"#, ["`observed_at` \(time), or empty"]),
      (
        "send-log", #"{"device_id": "d", "level": "info", "message": "m", "occurred_at": "2024-11-21"}"#,
        ["`occurred_at` \(time), or empty"]
      ),
      ("plan-reload", #"{"last_attempt": "never"}"#, ["`last_attempt` \(time), or empty"]),
      ("write-snapshot", #"{"directory": [], "since_cursor": "12"}"#, ["`since_cursor` \(time), or empty"]),
    ])
  func refused(step: String, with: String, messages: [String]) throws {
    let step = try #require(StepCatalogue.standard.step("securenode/\(step)"))
    #expect(step.input().violations(in: try #require(try JSON.parse(with).mapValue)).map(\.message) == messages)
  }

  @Test("may be empty where state has not been set yet")
  func empty() throws {
    for (step, with) in [
      ("sync", #"{"since": ""}"#), ("lookup", #"{"e164": "+61412345678", "synced_at": ""}"#), ("plan-reload", #"{"last_success": ""}"#),
      ("update-device", #"{"device_id": "d", "platform": "ios", "last_seen": ""}"#),
    ] {
      let step = try #require(StepCatalogue.standard.step("securenode/\(step)"))
      #expect(step.input().violations(in: try #require(try JSON.parse(with).mapValue)).isEmpty)
    }
  }
}
