import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("Afero's devices in the sandbox")
struct AferoDeviceTests {
  private static let reference = #""account_id": "acc-1", "device_id": "dev-3""#
  private static let fan = #""devices": [\#(AferoWorld.fan)]"#

  private func attributes(_ world: StepWorld) -> Value? { world.sandbox.overview["afero"]?["devices"]?.listValue?.first?["attributes"] }

  @Test("show beside themselves what was asked for, and nothing else")
  func expansions() async throws {
    let world = try await AferoWorld.signedIn(Self.fan)
    let bare = try await world.run("afero/list-devices", #"{"account_id": "acc-1", "expansions": []}"#)
    #expect(bare["devices"]?.listValue?.first?["device_state"] == nil)
    let full = try await world.run("afero/list-devices", #"{"account_id": "acc-1", "expansions": ["state", "attributes"]}"#)
    let device = try #require(full["devices"]?.listValue?.first)
    #expect(device["device_state"]?["available"] == true)
    #expect(device["attributes"]?.listValue?.first?["data"] == "01")
    #expect(device["extended_data"] == nil)
  }

  @Test("are associated by what stands on them, once")
  func associate() async throws {
    let world = try await AferoWorld.signedIn(further: #", "devices": [\#(AferoWorld.fan)]"#)
    let with = #"{"account_id": "acc-1", "association_id": "0123456789abcdef"}"#
    try await world.run("afero/associate-device", with)
    #expect(await world.failure("afero/associate-device", with)?.code == "afero.already_associated")
    let unknown = await world.failure("afero/associate-device", with.replacing("0123456789abcdef", with: "x"))
    #expect(unknown?.problems.map(\.field) == ["associationId"])
    try await world.run("afero/remove-device", "{\(Self.reference)}")
    #expect(await world.failure("afero/get-device", "{\(Self.reference)}")?.code == "afero.not_found")
    let activity = try await world.run("afero/list-activity", #"{"account_id": "acc-1"}"#)
    #expect(activity["activities"]?.listValue?.map { $0["history_type"] } == ["DISASSOCIATE", "ASSOCIATE"])
  }

  @Test("of another account are transferred once their owner's word is given", arguments: [true, false])
  func transfer(needsVerification: Bool) async throws {
    let world = try StepWorld(
      "afero",
      given: """
        {"users": [{\(AferoWorld.ann)}, {"username": "bo@example.test", "devices": [
          {"association_id": "abc", "needs_verification": \(needsVerification)}]}]}
        """)
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    let first = await world.failure("afero/associate-device", #"{"account_id": "acc-1", "association_id": "abc"}"#)
    #expect(first?.code == (needsVerification ? "afero.transfer_verification_needed" : "afero.already_associated"))
    let second = await world.failure("afero/associate-device", #"{"account_id": "acc-1", "association_id": "abc", "verified": true}"#)
    #expect(second?.code == (needsVerification ? nil : "afero.already_associated"))
    // A 403 is no reason to renew a token.
    #expect(world.received.filter { $0 == "POST /oauth/token" }.count == 1)
  }

  @Test("do what they are told, in bytes or in words", arguments: [(#""data": "0102""#, "0102"), (#""value": "258""#, "0201")])
  func actions(member: String, data: String) async throws {
    let world = try await AferoWorld.signedIn(Self.fan)
    let started = try await world.run("afero/send-action", #"{\#(Self.reference), "attr_id": 2, \#(member)}"#)
    #expect(started["source"]?["user_id"] == "usr-1")
    #expect(attributes(world) == ["1": "01", "2": .string(data)])
    let activity = try await world.run("afero/list-activity", #"{\#(Self.reference), "limit": 1}"#)
    #expect(activity["activities"]?.listValue?.first?["attribute_id"] == 2)
  }

  @Test("change nothing by being read")
  func reads() async throws {
    let world = try await AferoWorld.signedIn(Self.fan)
    try await world.run("afero/send-action", #"{\#(Self.reference), "type": "attribute_read", "attr_id": 1}"#)
    #expect(attributes(world) == ["1": "01"])
  }

  @Test(
    "that cannot be reached say so, each request for itself or the batch as a whole",
    arguments: [("online", false, "afero.device_offline", 424), ("linking", true, "afero.device_linking", 423)])
  func unreachable(flag: String, value: Bool, code: String, status: Int64) async throws {
    let world = try await AferoWorld.signedIn(Self.fan)
    try world.sandbox.change("afero", "device", ["device_id": "dev-3", "\(flag)": .bool(value)])
    #expect(await world.failure("afero/send-action", #"{\#(Self.reference), "attr_id": 1, "data": "00"}"#)?.code == code)
    let batch = #"{\#(Self.reference), "requests": [{"type": "attribute_write", "attr_id": 1, "value": "0"}, {"type": "notify_viewing"}]}"#
    let outputs = try await world.run("afero/send-requests", batch)
    #expect(outputs["all_succeeded"] == false)
    #expect(outputs["results"]?.listValue?.map { $0["status_code"] } == [.int(status), .int(status)])
    try world.sandbox.change("afero", "set", ["refuses_whole_batch": true])
    #expect(await world.failure("afero/send-requests", batch)?.code == code)
    #expect(attributes(world) == ["1": "01"])
  }

  @Test("keep their place and their time zone")
  func aspects() async throws {
    let world = try await AferoWorld.signedIn(Self.fan)
    #expect(await world.failure("afero/get-location", "{\(Self.reference)}")?.code == "afero.not_found")
    try await world.run("afero/set-location", #"{\#(Self.reference), "latitude": 47.61, "longitude": -122.33}"#)
    let location = try await world.run("afero/get-location", "{\(Self.reference)}")
    #expect(location["latitude"] == "47.61")
    #expect(location["location_source_type"] == "USER_DEFINED_LOCATION")
    let bad = await world.failure("afero/set-location", #"{\#(Self.reference), "latitude": 1234.5, "longitude": 1}"#)
    #expect(bad?.problems.map(\.field) == ["latitude"])
    try await world.run("afero/set-timezone", #"{\#(Self.reference), "timezone": "Europe/Berlin"}"#)
    let zone = try await world.run("afero/get-timezone", "{\(Self.reference)}")
    #expect(zone == ValueMap(members: ["timezone": "Europe/Berlin", "user_override": true]))
  }

  @Test("carry tags, and Afero's own cannot be changed")
  func tags() async throws {
    let world = try await AferoWorld.signedIn(
      #""devices": [{"device_id": "dev-3", "tags": [{"key": "hub", "value": "x", "device_tag_type": "SYSTEM"}]}]"#)
    let added = try await world.run("afero/add-tag", #"{\#(Self.reference), "key": "room", "value": "hall"}"#)
    #expect(added["device_tag_id"] == "tag-2")
    try await world.run("afero/update-tag", #"{\#(Self.reference), "device_tag_id": "tag-2", "key": "room", "value": "attic"}"#)
    let device = try await world.run("afero/get-device", #"{\#(Self.reference), "expansions": ["tags"]}"#)
    #expect(device["device_tags"]?.listValue?.map { $0["value"] } == ["x", "attic"])
    for step in ["update-tag", "delete-tag"] {
      let value = step == "update-tag" ? #", "value": "y""# : ""
      let failure = await world.failure("afero/\(step)", #"{\#(Self.reference), "device_tag_id": "tag-1"\#(value)}"#)
      #expect(failure?.code == "afero.forbidden")
    }
    try await world.run("afero/delete-tag", #"{\#(Self.reference), "device_tag_id": "tag-2"}"#)
    #expect(await world.failure("afero/delete-tag", #"{\#(Self.reference), "device_tag_id": "tag-2"}"#)?.code == "afero.not_found")
  }

  @Test("have profiles of their kind, which need no account to be read")
  func profiles() async throws {
    let world = try await AferoWorld.signedIn(
      Self.fan, further: #", "profiles": [{"profileId": "prf-1", "version": 4, "deviceTypeId": "typ-9"}]"#)
    let all = try await world.run("afero/list-profiles", #"{"account_id": "acc-1"}"#)
    #expect(all["profiles"]?.listValue?.map { $0["deviceTypeId"] } == ["typ-9"])
    let one = try await world.run("afero/get-profile-version", #"{"association_id": "0123456789abcdef", "version": 4}"#)
    #expect(one["profile"]?["profileId"] == "prf-1")
    let other = await world.failure("afero/get-profile-version", #"{"association_id": "0123456789abcdef", "version": 3}"#)
    #expect(other?.code == "afero.not_found")
    #expect(await world.failure("afero/get-profile", #"{"account_id": "acc-1", "profile_id": "prf-2"}"#)?.code == "afero.not_found")
  }

  @Test("leave a history that is read backwards, page by page")
  func history() async throws {
    let entries = (1...5).map { #"{"history_type": "STATE", "message": "\#($0)", "created_timestamp": \#($0 * 1000)}"# }
    let world = try await AferoWorld.signedIn(#""activities": [\#(entries.joined(separator: ","))]"#)
    var seen: [String] = []
    var end: Int64?
    for _ in 0..<4 {
      let member = end.map { #", "end_timestamp": \#($0)"# } ?? ""
      let page = try await world.run("afero/list-activity", #"{"account_id": "acc-1", "limit": 2\#(member)}"#)
      seen += page["activities"]?.listValue?.compactMap { $0["message"]?.stringValue } ?? []
      end = page["next_end_timestamp"]?.intValue
      if page["has_more"] == false { break }
    }
    #expect(seen == ["5", "4", "3", "2", "1"])
  }
}

@Suite("Afero's groups, schedules and rules in the sandbox")
struct AferoKeptTests {
  private static let fan = #""devices": [\#(AferoWorld.fan)]"#

  @Test("a group is made, found, replaced and deleted")
  func groups() async throws {
    let world = try await AferoWorld.signedIn(Self.fan)
    let made = try await world.run(
      "afero/create-group", #"{"account_id": "acc-1", "label": "Upstairs", "devices": [{"device_id": "dev-3"}]}"#)
    let id = try #require(made["device_group_id"]?.stringValue)
    let one = #""account_id": "acc-1", "device_group_id": "\#(id)""#
    let changed = try await world.run("afero/update-group", #"{\#(one), "label": "Attic", "client_metadata": {"last_seen": 1}}"#)
    #expect(changed["devices"] == [])
    #expect(changed["client_metadata"] == ["last_seen": 1])
    #expect(changed["created_timestamp"] == made["created_timestamp"])
    #expect(try await world.run("afero/get-group", "{\(one)}") == changed)
    #expect(try await world.run("afero/list-groups", #"{"account_id": "acc-1"}"#)["groups"]?.listValue?.count == 1)
    try await world.run("afero/delete-group", "{\(one)}")
    #expect(await world.failure("afero/get-group", "{\(one)}")?.code == "afero.not_found")
    #expect(await world.failure("afero/delete-group", "{\(one)}")?.code == "afero.not_found")
  }

  @Test("a schedule is made, moved and deleted")
  func schedules() async throws {
    let world = try await AferoWorld.signedIn()
    let made = try await world.run(
      "afero/create-schedule", #"{"account_id": "acc-1", "day_of_week": ["MON"], "time": {"hour": 7, "minute": 30, "time_zone": "UTC"}}"#)
    let id = try #require(made["schedule_id"]?.stringValue)
    let moved = try await world.run(
      "afero/update-schedule",
      #"{"account_id": "acc-1", "schedule_id": "\#(id)", "day_of_week": ["SUN"], "time": {"hour": 9, "minute": 0, "time_zone": "UTC"}}"#)
    #expect(moved["time"]?["hour"] == 9)
    #expect(moved["day_of_week"] == ["SUN"])
    try await world.run("afero/delete-schedule", #"{"account_id": "acc-1", "schedule_id": "\#(id)"}"#)
    let gone = await world.failure("afero/delete-schedule", #"{"account_id": "acc-1", "schedule_id": "\#(id)"}"#)
    #expect(gone?.code == "afero.not_found")
  }

  @Test("a rule is saved twice, found where it belongs, run and deleted")
  func rules() async throws {
    let world = try await AferoWorld.signedIn(
      Self.fan + #", "groups": [{"device_group_id": "grp-2", "label": "Upstairs"}]"# + schedule)
    let body = """
      "account_id": "acc-1", "label": "Morning", "schedule_id": "sch-1", "device_group_id": "grp-2",
      "device_actions": [{"device_id": "dev-3", "attributes": [{"id": 1, "value": "255"}]}],
      "device_filter_criteria": [{"attribute": {"id": 1, "value": "0"}, "operation": "EQUALS", "device_id": "dev-3", "trigger": true}]
      """
    let made = try await world.run("afero/save-rule", "{\(body)}")
    let id = try #require(made["rule_id"]?.stringValue)
    let again = try await world.run("afero/save-rule", #"{\#(body), "rule_id": "\#(id)", "enabled": false}"#)
    #expect(again["enabled"] == false)
    for place in ["", #", "device_id": "dev-3""#, #", "device_group_id": "grp-2""#] {
      let found = try await world.run("afero/list-rules", #"{"account_id": "acc-1"\#(place)}"#)
      #expect(found["rules"]?.listValue?.map { $0["rule_id"] } == [.string(id)])
    }
    let read = try await world.run("afero/get-rule", #"{"account_id": "acc-1", "rule_id": "\#(id)"}"#)
    #expect(read["schedule"]?["triggered_rule_id"] == .string(id))
    let actions = try await world.run("afero/run-rule", #"{"account_id": "acc-1", "rule_id": "\#(id)"}"#)
    #expect(actions["actions"]?.listValue?.map { $0["type"] } == ["execute_actions"])
    #expect(world.sandbox.overview["afero"]?["devices"]?.listValue?.first?["attributes"] == ["1": "ff"])
    try await world.run("afero/delete-rule", #"{"account_id": "acc-1", "rule_id": "\#(id)"}"#)
    #expect(await world.failure("afero/run-rule", #"{"account_id": "acc-1", "rule_id": "\#(id)"}"#)?.code == "afero.not_found")
  }

  private let schedule =
    #", "schedules": [{"schedule_id": "sch-1", "day_of_week": ["MON"], "time": {"hour": 7, "minute": 30, "time_zone": "UTC"}}]"#

  @Test("what another account keeps is not found")
  func foreign() async throws {
    let world = try StepWorld(
      "afero",
      given: """
        {"users": [{\(AferoWorld.ann)}, {"username": "bo@example.test", "groups": [{"device_group_id": "grp-2", "label": "Hers"}],
          "devices": [{"device_id": "dev-9"}]}]}
        """)
    try await world.run("afero/sign-in", #"{"username": "ann@example.test", "password": "hunter22"}"#)
    #expect(await world.failure("afero/get-group", #"{"account_id": "acc-1", "device_group_id": "grp-2"}"#)?.code == "afero.not_found")
    #expect(await world.failure("afero/get-device", #"{"account_id": "acc-1", "device_id": "dev-9"}"#)?.code == "afero.not_found")
    #expect(await world.failure("afero/list-rules", #"{"account_id": "acc-1", "device_id": "dev-9"}"#)?.code == "afero.not_found")
  }
}
