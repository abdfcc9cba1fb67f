import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("The steps of RapidSOS against its sandbox")
struct RapidSOSStepTests {
  static let dana = #"{"users": [{"username": "dana.reyes", "password": "correct-horse"}]}"#

  @Test("take a new caller all the way")
  func newCaller() async throws {
    let world = try StepWorld()
    let user = try await world.run(
      "rapidsos/register", #"{"username": "dana.reyes", "password": "correct-horse", "email": "dana@example.test"}"#)
    try await world.signIn()
    try await world.run("rapidsos/request-pin", #"{"phone": "(234) 567-8888"}"#)
    let pin = try #require(world.sandbox.sms(to: "12345678888").last?.code)
    try await world.run("rapidsos/validate-pin", #"{"phone": "+1 234 567 8888", "pin": "\#(pin)", "notation": "plus"}"#)
    let profile = try await world.run("rapidsos/fetch-profile", "{}")
    #expect(profile["id"] == user["id"])
    let alert = try await world.run("rapidsos/trigger-call-flow", Self.trigger(phone: "(234) 567-8888"))
    #expect(alert["status"] == "accepted")
    #expect(
      world.received == [
        "POST /oauth/token", "POST /v1/rain/user", "POST /oauth/token", "POST /v1/rain/caller-ids", "PATCH /v1/rain/caller-ids",
        "GET /v1/rain/personal-info", "POST /v1/rem/trigger",
      ])
  }

  @Test("say what is taken, wrong or too often tried")
  func refusals() async throws {
    let world = try StepWorld(given: Self.dana)
    let again = #"{"username": "dana.reyes", "password": "correct-horse", "email": "dana@example.test"}"#
    #expect(await world.failure("rapidsos/register", again)?.code == "rapidsos.username_taken")
    let short = await world.failure("rapidsos/register", #"{"username": "dana", "password": "short", "email": "nowhere"}"#)
    #expect(short?.code == "rapidsos.validation_failed")
    #expect(short?.problems.map(\.field) == ["username", "password", "email"])
    let wrong = #"{"grant": "password", "username": "dana.reyes", "password": "nope"}"#
    #expect(await world.failure("rapidsos/authenticate", wrong)?.code == "auth.invalid_grant")
    #expect(await world.failure("rapidsos/authenticate", wrong)?.code == "auth.invalid_grant")
    #expect(await world.failure("rapidsos/authenticate", wrong)?.code == "http.429")
    #expect(await world.failure("rapidsos/fetch-profile", "{}")?.code == "auth.expired")
  }

  @Test("tell a wrong PIN from a number that was never asked for")
  func pins() async throws {
    let world = try StepWorld(given: #"{"users": [{"username": "dana.reyes"}], "pin": "482913"}"#)
    try await world.signIn()
    let pin = #"{"phone": "2345678888", "pin": "000000"}"#
    #expect(await world.failure("rapidsos/validate-pin", pin)?.code == "rapidsos.not_found")
    try await world.run("rapidsos/request-pin", #"{"phone": "2345678888"}"#)
    #expect(await world.failure("rapidsos/validate-pin", pin)?.code == "rapidsos.wrong_pin")
    #expect(await world.failure("rapidsos/request-pin", #"{"phone": "123"}"#)?.code == "rapidsos.bad_number")
  }

  @Test("take the right PIN after wrong ones, and take it once")
  func pinRetry() async throws {
    let world = try StepWorld(given: #"{"users": [{"username": "dana.reyes"}], "pin": "482913"}"#)
    try await world.signIn()
    try await world.run("rapidsos/request-pin", #"{"phone": "2345678888"}"#)
    func validate(_ pin: String) async -> String? {
      await world.failure("rapidsos/validate-pin", #"{"phone": "2345678888", "pin": "\#(pin)"}"#)?.code
    }
    #expect(await validate("000000") == "rapidsos.wrong_pin")
    #expect(await validate("111111") == "rapidsos.wrong_pin")
    #expect(await validate("482913") == nil)
    #expect(await validate("482913") == "rapidsos.wrong_pin")
  }

  @Test(
    "are told which of the fields of a sign-up are wrong, and no others",
    arguments: [(6, 7), (7, 8), (7, 7), (150, 150), (151, 150), (150, 151), (151, 151)])
  func lengths(username: Int, password: Int) async throws {
    let with =
      #"{"username": "\#(String(repeating: "u", count: username))", "password": "\#(String(repeating: "p", count: password))", "email": "d@example.test"}"#
    let failure = await (try StepWorld()).failure("rapidsos/register", with)
    let wrong = ((7...150).contains(username) ? [] : ["username"]) + ((8...150).contains(password) ? [] : ["password"])
    #expect(failure?.problems.map(\.field) ?? [] == wrong)
    #expect(failure?.code == (wrong.isEmpty ? nil : "rapidsos.validation_failed"))
  }

  @Test("find a phone without a digit before anything is sent")
  func noDigits() async throws {
    let world = try StepWorld(given: Self.dana)
    let failure = await world.failure("rapidsos/request-pin", #"{"phone": "none"}"#)
    #expect(failure?.code == "rapidsos.bad_number")
    #expect(failure?.sent == .no)
    #expect(world.received.isEmpty)
  }

  @Test(
    "refuse to trigger for a caller who could not be called back, and send nothing",
    arguments: [
      ("567-8888", "Invalid phone number: 567-8888"), ("+44 20 7946 0958", "Invalid phone number: +44 20 7946 0958"),
      ("234*567●8", "Invalid phone number: 234*567●8"), ("", "No valid phone number."),
    ])
  func badNumber(phone: String, detail: String) async throws {
    let world = try StepWorld()
    let failure = await world.failure("rapidsos/trigger-call-flow", Self.trigger(phone: phone))
    #expect(failure?.code == "rapidsos.bad_number")
    #expect(failure?.detail == detail)
    #expect(failure?.sent == .no)
    #expect(world.received.isEmpty)
  }

  @Test("send every phone of a trigger with `+`, and the rest as it came")
  func phones() async throws {
    let world = try StepWorld()
    try await world.run("rapidsos/trigger-call-flow", Self.trigger(phone: "1 (234) 567-8888"))
    let variables = world.sandbox.overview["rapidsos"]?["alerts"]?.listValue?.first?["variables"]
    #expect(variables?["user"]?["phone_number"] == "+12345678888")
    #expect(variables?["contacts"]?.listValue?.map { $0["phone_number"] } == ["+12345670000", "+442079460958"])
    #expect(variables?["location"]?["latitude"] == "42.652600")
    #expect(variables?["location"]?["longitude"] == -73.7562)
  }

  // MARK: tokens

  @Test("fetch one client token for many, and a new one when it has expired")
  func oneToken() async throws {
    let world = try StepWorld(given: #"{"token_life": "60s"}"#)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          _ = try await world.run(
            "rapidsos/register", #"{"username": "person-\#(number)", "password": "correct-horse", "email": "p\#(number)@example.test"}"#)
        }
      }
      try await group.waitForAll()
    }
    #expect(world.received.count { $0 == "POST /oauth/token" } == 1)
    world.clock.advance(seconds: 60)
    try await world.run("rapidsos/trigger-call-flow", Self.trigger(phone: "2345678888"))
    #expect(world.received.suffix(2) == ["POST /oauth/token", "POST /v1/rem/trigger"])
  }

  @Test("renew a revoked user token once and go on")
  func revoked() async throws {
    let world = try StepWorld(given: Self.dana)
    try await world.signIn()
    try world.sandbox.change("rapidsos", "revoke", "user")
    try await world.run("rapidsos/fetch-profile", "{}")
    #expect(
      world.received == ["POST /oauth/token", "GET /v1/rain/personal-info", "POST /oauth/token", "GET /v1/rain/personal-info"])
  }

  @Test("never repeat a trigger that was answered 401")
  func revokedTrigger() async throws {
    let world = try StepWorld()
    try await world.run("rapidsos/authenticate", #"{"grant": "client_credentials"}"#)
    try world.sandbox.change("rapidsos", "revoke", "client")
    let failure = await world.failure("rapidsos/trigger-call-flow", Self.trigger(phone: "2345678888"))
    #expect(failure?.code == "http.401")
    #expect(failure?.isRejected == true)
    #expect(world.received == ["POST /oauth/token", "POST /v1/rem/trigger"])
  }

  @Test("leave a lost answer of a trigger in doubt", arguments: ["before_response", "mid_body", "reset"])
  func lost(drop: String) async throws {
    let world = try StepWorld()
    world.sandbox.add(try Fault(["route": "POST /v1/rem/trigger", "drop": .string(drop)]))
    let failure = await world.failure("rapidsos/trigger-call-flow", Self.trigger(phone: "2345678888"))
    #expect(failure?.code == "network.reset")
    #expect(failure?.sent == .maybe)
    #expect(failure?.isRejected == false)
  }

  @Test(
    "are refused by the server with a token of the other class",
    arguments: [
      ("GET", "/v1/rain/personal-info", "client"), ("POST", "/v1/rem/trigger", "user"), ("POST", "/v1/rain/user", "user"),
    ])
  func wrongClass(method: String, path: String, token: String) async throws {
    let world = try StepWorld(given: Self.dana)
    try await world.signIn()
    let with = #"{"method": "\#(method)", "url": "\#(path)", "token": "\#(token)"}"#
    #expect(await world.failure("http", with)?.code == "http.403")
  }

  @Test("fetch no token for an emergency that may not leave this machine")
  func emergencyHost() async throws {
    let world = try StepWorld(settings: #"{"base_url": "https://api.rapidsos.com"}"#)
    let failure = await world.failure("rapidsos/trigger-call-flow", Self.trigger(phone: "2345678888"))
    #expect(failure?.code == "config.emergency_host")
    #expect(world.received.isEmpty)
  }

  // MARK: shapes

  @Test(
    "type the variables of a call flow by its name",
    arguments: [
      (
        #"{"call_flow": "kronos_contacts", "variables": {"location": {"latitude": "north"}, "user": {"full_name": ""}}}"#,
        [
          "`variables.location.latitude` must read as a number", "`variables.location.longitude` is missing",
        ]
      ),
      (#"{"call_flow": "kronos_contact", "variables": {}}"#, ["`call_flow` must be one of `kronos_contacts`, `fire_drill`"]),
      (#"{"call_flow": "fire_drill", "variables": {}}"#, ["`variables`: `floor` is missing"]),
    ])
  func variables(with: String, messages: [String]) async throws {
    let world = try StepWorld(settings: Self.fireDrill)
    await #expect(throws: InvalidInput(messages: messages)) { try await world.run("rapidsos/trigger-call-flow", with) }
  }

  @Test("leave the variables of a described call flow as they are")
  func described() async throws {
    let world = try StepWorld(given: #"{"call_flows": {"fire_drill": ["floor"]}}"#, settings: Self.fireDrill)
    try await world.run("rapidsos/trigger-call-flow", #"{"call_flow": "fire_drill", "variables": {"floor": 4}}"#)
    #expect(world.sandbox.overview["rapidsos"]?["alerts"]?.listValue?.first?["variables"] == ["floor": 4])
  }

  @Test("are sure that a described call flow is described by a schema")
  func notASchema() throws {
    let shape = try #require(StepCatalogue.standard.system("rapidsos")).settings()
    let settings = try #require(
      try JSON.parse(#"{"client_id": "c", "client_secret": "s", "call_flows": {"a": {"type": "objet"}, "b": {"type": "object"}}}"#).mapValue
    )
    let messages = shape.violations(in: settings).map(\.message)
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("`call_flows.a` is not a JSON Schema: ") == true)
  }

  @Test(
    "ask a log-in for both credentials, and the app's own token for none",
    arguments: [
      (#"{"grant": "password"}"#, ["`username` is missing", "`password` is missing"]),
      (#"{"grant": "client_credentials", "username": "dana"}"#, ["unknown key `username`"]),
      (#"{}"#, ["`grant` is missing"]),
    ])
  func grants(with: String, messages: [String]) async throws {
    let world = try StepWorld()
    await #expect(throws: InvalidInput(messages: messages)) { try await world.run("rapidsos/authenticate", with) }
  }

  @Test("know whether a log-in signs somebody in")
  func signsIn() throws {
    let step = try #require(StepCatalogue.standard.step("rapidsos/authenticate"))
    #expect(step.signsIn(try #require(Value(["grant": "password"]).mapValue)) == true)
    #expect(step.signsIn(try #require(Value(["grant": "client_credentials"]).mapValue)) == false)
    #expect(step.signsIn(ValueMap()) == nil)
  }

  @Test("keep tokens and names secret in their outputs")
  func secrecy() async throws {
    let world = try StepWorld(given: Self.dana)
    let token = try await world.run("rapidsos/authenticate", #"{"grant": "client_credentials"}"#)
    #expect(token["access_token"]?.containsSecret == true)
    #expect(token["expires_in"] == 3599)
    let response = try #require(world.events.lastReply)
    #expect(response.value["body"]?["access_token"]?.containsSecret == true)
    #expect(response.value["text"]?.containsSecret == true)
    #expect(response.value["body"]?["token_type"] == "BearerToken")
    #expect(token["expires_at"] == "2024-11-21T01:59:59Z")
  }

  // MARK: profile

  @Test("read a profile with its sections, known or new")
  func profile() throws {
    let body = """
      {"id": 41, "full_name": {"display_name": "Name", "type": "string", "updated_time": 1732150900123, "value": ["Dana Reyes"]},
       "birthday": {"type": "timestamp", "units": "millisecond", "value": [631152000000.5]},
       "address": {"display_name": "Known Addresses", "type": "address", "value":
         [{"label": "Home", "street_address": "12 Elm St", "locality": "Albany", "region": "NY", "postal_code": "12207",
           "country_code": "US", "latitude": "42.65", "longitude": -73.75, "note": "", "floor": 3}]},
       "email": {"value": [{"email_address": "d@example.test", "label": "home", "note": ""}]},
       "phone_number": {"value": [{"number": "+12345678888", "label": "cell", "note": ""}]},
       "emergency_contact": {"value": [{"full_name": "Ira", "phone": "+1", "email": "", "label": "brother", "note": ""}]},
       "language": {"value": [{"language_code": "en", "preference": 1}]},
       "photo": {"value": [{"url": "https://example.test/p", "label": "kronos_profile_pic", "note": ""}]},
       "hair": {"type": "string", "value": ["grey"]}}
      """
    let map = try #require(try JSON.parse(body).mapValue)
    let step = try #require(StepCatalogue.standard.step("rapidsos/fetch-profile"))
    #expect(step.output().violations(in: map, unknown: .ignored).isEmpty)
    #expect(RapidSOS.Profile(valid: map).encoded == map)
  }

  // MARK: helpers

  static let fireDrill = #"{"call_flows": {"fire_drill": {"type": "object", "required": ["floor"]}}}"#

  static func trigger(phone: String) -> String {
    """
    {"call_flow": "kronos_contacts", "variables": {
      "location": {"latitude": "42.652600", "longitude": -73.7562},
      "user": {"full_name": "Dana Reyes", "phone_number": "\(phone)"},
      "contacts": [{"full_name": "Ira", "phone_number": "234-567-0000"}, {"full_name": "Jo", "phone_number": "+44 20 7946 0958"}]}}
    """
  }
}

extension Value {
  fileprivate init(_ literal: Value) { self = literal }
}
