import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("Profiles, locations and devices at RapidSOS")
struct RapidSOSDataTests {
  static let dana = #"{"users": [{"username": "dana.reyes"}]}"#

  /// What a step sends, and its outputs, when the answer is `body`.
  private func sent(_ name: String, _ with: String, answer body: String = #"{"id": 6}"#) async throws -> TransportRequest {
    let step = try #require(StepCatalogue.standard.step(name))
    let script = ScriptedTransport([.json(200, body)])
    let http = ConnectedHTTP(
      endpoint: ConnectionEndpoint(base: try WebAddress("http://127.0.0.1")), session: NoSession(), transport: script, clock: StepClock(),
      effect: step.about.effect)
    let ports = Ports(
      http: http, clock: StepClock(), random: ZeroRandom(), prompt: AnswerList([]), session: NoSession(), settings: ValueMap(),
      log: { _ in })
    let input = try #require(try JSON.parse(with).mapValue)
    #expect(step.refine(input, ValueMap()).violations(in: input).map(\.message) == [])
    _ = try await step.run(input, ports)
    return try #require(script.asked.first)
  }

  @Test(
    "go over the wire as documented: titles, types and units are ours to add",
    arguments: [
      (
        "update-profile",
        #"{"id": 41, "full_name": ["Dana Reyes"], "allergy": [], "height": [66.5], "phone_number": [{"number": "+12345678888", "label": "cell"}]}"#,
        "PATCH /v1/rain/personal-info",
        """
        {"id": "41", "full_name": {"display_name": "Name", "type": "string", "value": ["Dana Reyes"]},
         "height": {"display_name": "Height", "type": "float", "units": "inches", "value": [66.5]},
         "phone_number": {"display_name": "Known Phone Numbers", "type": "phone-number",
           "value": [{"label": "cell", "number": "+12345678888", "note": ""}]}}
        """
      ),
      (
        "update-profile",
        #"{"id": "41", "emergency_contact": [{"full_name": "Ira", "phone": "+1"}], "language": [{}], "photo": [{"url": "u"}]}"#,
        "PATCH /v1/rain/personal-info",
        """
        {"id": "41", "emergency_contact": {"display_name": "Emergency Contacts", "type": "emergency-contact",
           "value": [{"full_name": "Ira", "phone": "+1", "email": "", "label": "", "note": ""}]},
         "language": {"display_name": "Languages", "type": "language", "value": [{"language_code": "en"}]},
         "photo": {"display_name": "Profile Picture", "type": "image-url", "value": [{"url": "u", "label": "kronos_profile_pic", "note": ""}]}}
        """
      ),
      (
        "create-location", #"{"location_name": ["Home"], "address": [{"label": "Home", "latitude": "42.650000", "longitude": -73.75}]}"#,
        "POST /v1/rain/locations",
        """
        {"location_name": {"display_name": "Location Name", "type": "string", "value": ["Home"]},
         "address": {"display_name": "Known Addresses", "type": "address",
           "value": [{"label": "Home", "latitude": "42.650000", "longitude": -73.75, "note": ""}]}}
        """
      ),
      (
        "update-location", #"{"id": "6", "comment": ["Ring twice"]}"#, "PATCH /v1/rain/locations/6",
        #"{"comment": {"display_name": "Comments", "type": "string", "value": ["Ring twice"]}}"#
      ),
      (
        "replace-location", #"{"id": 6, "comment": ["x"]}"#, "PUT /v1/rain/locations/6",
        #"{"comment": {"display_name": "Comments", "type": "string", "value": ["x"]}}"#
      ),
      (
        "create-device",
        #"{"battery_power": [{"label": "Watch", "data_feed": "https://feeds.example.test/b1", "protocol": "https"}], "unique_id": [{"type": "IMEI", "id": "356938035643809"}]}"#,
        "POST /v1/rain/devices",
        """
        {"unique_id": {"display_name": "Unique ID", "type": "device-id", "value": [{"type": "IMEI", "id": "356938035643809"}]},
         "battery_power": {"display_name": "Battery Level", "type": "realtime-metric", "units": "percentage",
           "value": [{"label": "Watch", "data_feed": "https://feeds.example.test/b1", "protocol": "https", "note": ""}]}}
        """
      ),
      (
        "update-device", #"{"id": 6, "classification": ["smart-phone-app"]}"#, "PATCH /v1/rain/devices/6",
        #"{"classification": {"display_name": "Device Classification", "type": "string", "value": ["smart-phone-app"]}}"#
      ),
    ])
  func wire(step: String, with: String, line: String, body: String) async throws {
    let request = try await sent("rapidsos/\(step)", with)
    #expect("\(request.method.rawValue) \(request.url.dropFirst("http://127.0.0.1:80".count - 3))" == line)
    #expect(try JSON.parse(request.body ?? []) == JSON.parse(body))
  }

  @Test(
    "find what is misspelt or missing before anything is sent",
    arguments: [
      ("update-profile", #"{"full_mame": ["Dana"]}"#, "unknown key `full_mame`"),
      ("update-profile", #"{"full_name": "Dana"}"#, "`full_name` must be a list, not string"),
      ("update-profile", #"{"blood_type": ["C"]}"#, "`blood_type[0]` must be one of"),
      ("update-profile", #"{"phone_number": [{"label": "cell"}]}"#, "`phone_number[0].number` is missing"),
      ("update-profile", #"{"address": [{"latitude": "north"}]}"#, "`address[0].latitude` must read as a number"),
      ("create-location", #"{"address": [{"city": "Albany"}]}"#, "unknown key `address[0].city`"),
      ("create-device", #"{"unique_id": [{"type": "ISBN", "id": "1"}]}"#, "`unique_id[0].type` must be one of"),
      ("create-device", #"{"heart_rate": [{"data_feed": "u", "protocol": "ftp"}]}"#, "`heart_rate[0].protocol` must be one of"),
      ("get-device", #"{"id": [1]}"#, "`id`"),
    ])
  func violations(step: String, with: String, message: String) throws {
    let step = try #require(StepCatalogue.standard.step("rapidsos/\(step)"))
    let input = try #require(try JSON.parse(with).mapValue)
    let found = step.refine(input, ValueMap()).violations(in: input).map(\.message)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  @Test(
    "refuse an empty id in the words of RapidSOS's own clients, and send nothing",
    arguments: [
      ("get-location", #"{}"#, "No location ID"), ("update-location", #"{"id": "", "comment": ["x"]}"#, "No location ID"),
      ("replace-location", #"{"id": null}"#, "No location ID"), ("delete-location", #"{"id": ""}"#, "No location ID"),
      ("get-device", #"{"id": ""}"#, "No device ID"), ("update-device", #"{"comment": ["x"]}"#, "No device ID"),
      ("delete-device", #"{"id": "../user"}"#, "`../user` is no device ID, which is a whole number"),
    ])
  func noID(step: String, with: String, detail: String) async throws {
    let world = try StepWorld(given: Self.dana)
    let failure = await world.failure("rapidsos/\(step)", with)
    #expect(failure?.code == "rapidsos.missing_id")
    #expect(failure?.detail == detail)
    #expect(failure?.sent == .no)
    #expect(world.received.isEmpty)
  }

  @Test(
    "are created, read, changed, listed and deleted",
    arguments: [("location", "locations", "location_name"), ("device", "devices", "device_name")])
  func life(noun: String, plural: String, section: String) async throws {
    let world = try StepWorld(given: Self.dana)
    try await world.signIn()
    func name(_ outputs: ValueMap?) -> Value? { outputs?[section]?["value"] }
    #expect(try await world.run("rapidsos/list-\(plural)", "{}")[plural] == [])
    let created = try await world.run("rapidsos/create-\(noun)", #"{"\#(section)": ["Home"], "comment": ["old"]}"#)
    #expect(created["id"] == 1)
    #expect(created[section]?["updated_time"] == 1_732_150_800_000)
    let changed = try await world.run("rapidsos/update-\(noun)", #"{"id": 1, "\#(section)": ["Cabin"]}"#)
    #expect(name(changed) == ["Cabin"])
    #expect(changed["comment"]?["value"] == ["old"])
    #expect(try await world.run("rapidsos/get-\(noun)", #"{"id": "1"}"#) == changed)
    #expect(try await world.run("rapidsos/list-\(plural)", "{}")[plural] == [.map(changed)])
    if noun == "location" {
      let replaced = try await world.run("rapidsos/replace-location", #"{"id": 1, "comment": ["new"]}"#)
      #expect(replaced["location_name"] == nil)
      #expect(replaced["comment"]?["value"] == ["new"])
    }
    #expect(try await world.run("rapidsos/delete-\(noun)", #"{"id": 1}"#)["id"] == 1)
    let gone = await world.failure("rapidsos/get-\(noun)", #"{"id": 1}"#)
    #expect(gone?.code == "rapidsos.not_found")
    #expect(gone?.detail == "Not found.")
  }

  @Test("are shown as they are given")
  func given() async throws {
    let world = try StepWorld(
      given: """
        {"users": [{"username": "dana.reyes", "profile": {"full_name": ["Dana"], "weight": [140]},
          "locations": [{"comment": ["a"]}, {"comment": ["b"]}], "devices": [{"model": ["m"]}]}]}
        """)
    try await world.signIn()
    let profile = try await world.run("rapidsos/fetch-profile", "{}")
    #expect(profile["full_name"]?["display_name"] == "Name")
    #expect(profile["weight"]?["units"] == "lbs")
    #expect(try await world.run("rapidsos/list-locations", "{}")["locations"]?.listValue?.map { $0["id"] } == [1, 2])
    #expect(try await world.run("rapidsos/list-devices", "{}")["devices"]?.listValue?.count == 1)
  }

  @Test("keep sections of the profile that are not sent")
  func profile() async throws {
    let world = try StepWorld(given: Self.dana)
    try await world.signIn()
    try await world.run("rapidsos/update-profile", #"{"full_name": ["Dana"], "address": [{"latitude": "42.650000"}]}"#)
    world.clock.advance(seconds: 1)
    let profile = try await world.run("rapidsos/update-profile", #"{"id": 1, "blood_type": ["A+"], "full_name": []}"#)
    #expect(profile["full_name"]?["value"] == ["Dana"])
    #expect(profile["address"]?["value"]?.listValue?.first?["latitude"] == 42.65)
    #expect(profile["full_name"]?["updated_time"] == 1_732_150_800_000)
    #expect(profile["blood_type"]?["updated_time"] == 1_732_150_801_000)
  }

  @Test("are answered `decode` where the answer is not as documented")
  func decode() async throws {
    await #expect(throws: StepFailure.self) { try await sent("rapidsos/list-devices", "{}", answer: "{}") }
    await #expect(throws: StepFailure.self) { try await sent("rapidsos/get-device", #"{"id": 1}"#, answer: "[]") }
    do {
      _ = try await sent("rapidsos/list-locations", "{}", answer: #"[{"location_name": {"value": ["x"]}}]"#)
      Issue.record("an answer without an id was taken")
    } catch let failure as StepFailure {
      #expect(failure.code == "decode")
      #expect(failure.detail == "`locations[0].id` is missing")
      #expect(failure.answer?.body == [["location_name": ["value": ["x"]]]])
    }
  }

  /// The record around the list is ours, and no word of it may stand in what is said of the answer.
  @Test func anAnswerThatIsNoListIsToldOfAsAWhole() async throws {
    let failure = await #expect(throws: StepFailure.self) {
      try await sent("rapidsos/list-devices", "{}", answer: #"{"devices": []}"#)
    }
    #expect(failure?.code == "decode")
    #expect(failure?.detail == "the answer must be a list, not map")
  }
}
