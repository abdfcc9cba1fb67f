import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Synchronization
import Testing
import Values

@Suite("What RapidSOS's steps refuse by themselves, and who is signed in")
struct RapidSOSGuardTests {
  static func trigger(_ user: String, fallback: String? = nil) -> String {
    """
    {"call_flow": "kronos_contacts", \(fallback.map { #""fallback_phone": "\#($0)","# } ?? "")
     "variables": {"location": {"latitude": 1, "longitude": 2}, "user": \(user)}}
    """
  }

  @Test(
    "the verified number stands in for a phone that is absent, null or empty",
    arguments: [#"{"full_name": "Dana"}"#, #"{"full_name": "Dana", "phone_number": null}"#, #"{"full_name": "Dana", "phone_number": ""}"#])
  func fallback(user: String) async throws {
    let world = try StepWorld()
    try await world.run("rapidsos/trigger-call-flow", Self.trigger(user, fallback: "(234) 567-8888"))
    let alert = world.sandbox.overview["rapidsos"]?["alerts"]?.listValue?.first
    #expect(alert?["variables"]?["user"]?["phone_number"] == "+12345678888")
    let bare = try StepWorld()
    let failure = await bare.failure("rapidsos/trigger-call-flow", Self.trigger(user))
    #expect(failure?.code == "rapidsos.bad_number")
    #expect(failure?.detail == "No valid phone number.")
    #expect(bare.received.isEmpty)
  }

  @Test("a phone that is there counts, even where it is wrong")
  func ownPhone() async throws {
    let world = try StepWorld()
    let user = #"{"full_name": "Dana", "phone_number": "567-8888"}"#
    let failure = await world.failure("rapidsos/trigger-call-flow", Self.trigger(user, fallback: "(234) 567-8888"))
    #expect(failure?.detail == "Invalid phone number: 567-8888")
    #expect(world.received.isEmpty)
  }

  @Test("a caller without a name is refused before their phone is looked at")
  func noName() async throws {
    let world = try StepWorld()
    let failure = await world.failure("rapidsos/trigger-call-flow", Self.trigger(#"{"full_name": "", "phone_number": "1"}"#))
    #expect(failure?.code == "rapidsos.profile_incomplete")
    #expect(failure?.detail == "You must fill out your user profile before triggering a call flow.")
    #expect(failure?.sent == .no)
    #expect(world.received.isEmpty)
  }

  @Test("one trigger at a time on one connection; a refusal leaves the way free")
  func oneAtATime() async throws {
    let step = try #require(StepCatalogue.standard.step("rapidsos/trigger-call-flow"))
    let with = try #require(try JSON.parse(Self.trigger(#"{"full_name": "Dana", "phone_number": "2345678888"}"#)).mapValue)
    let world = try StepWorld()
    let gate = GatedPort()
    var ports = try world.ports(for: step.about)
    ports.http = gate
    let first = Task { [ports] in try await step.run(with, ports) }
    while !gate.isWaiting { await Task.yield() }
    let failure = await world.failure("rapidsos/trigger-call-flow", Self.trigger(#"{"full_name": "Dana", "phone_number": "2345678888"}"#))
    #expect(failure?.code == "rapidsos.already_starting")
    #expect(failure?.detail == "There is already an active call flow.")
    #expect(world.received.isEmpty)
    // Another connection is free.
    try await StepWorld().run("rapidsos/trigger-call-flow", Self.trigger(#"{"full_name": "Dana", "phone_number": "2345678888"}"#))
    gate.open()
    _ = try await first.value
    _ = await world.failure("rapidsos/trigger-call-flow", Self.trigger(#"{"full_name": "Dana", "phone_number": ""}"#))
    try await world.run("rapidsos/trigger-call-flow", Self.trigger(#"{"full_name": "Dana", "phone_number": "2345678888"}"#))
  }

  @Test(
    "a connection with a name and a password signs that person in",
    arguments: [
      (#"{"username": "dana", "password": "pw"}"#, true, true), (#"{"username": "dana", "password": ""}"#, true, false),
      (#"{}"#, false, false),
      (#"{"username": "dana"}"#, false, false),
    ])
  func credentials(settings: String, isNamed: Bool, isUsable: Bool) throws {
    let map = try #require(try JSON.parse(settings).mapValue)
    #expect(RapidSOS.Settings.signsIn(map) == isNamed)
    #expect(RapidSOS.Settings.credentials(map) == (isUsable ? Credentials(username: "dana", password: "pw") : nil))
  }

  @Test("a person of the connection needs no log-in step")
  func stored() async throws {
    let world = try StepWorld(
      given: #"{"users": [{"username": "dana.reyes", "password": "correct-horse"}]}"#,
      settings: #"{"username": "dana.reyes", "password": "correct-horse"}"#)
    let step = try #require(StepCatalogue.standard.step("rapidsos/fetch-profile"))
    let endpoint = try ConnectionEndpoint(settings: world.settings)
    let session = ConnectionSession(
      issuer: RapidSOSTokenIssuer(), settings: world.settings,
      http: ConnectedHTTP(endpoint: endpoint, session: NoSession(), transport: world.transport, clock: world.clock), clock: world.clock,
      credentials: RapidSOS.Settings.credentials(world.settings))
    var ports = try world.ports(for: step.about)
    ports.http = ConnectedHTTP(endpoint: endpoint, session: session, transport: world.transport, clock: world.clock, token: .user)
    #expect(try await step.run(ValueMap(), ports)["id"] == 1)
    #expect(world.received == ["POST /oauth/token", "GET /v1/rain/personal-info"])
  }

  @Test("half a pair of credentials is refused", arguments: ["username", "password"])
  func half(name: String) throws {
    let system = try #require(StepCatalogue.standard.system("rapidsos"))
    let settings = try #require(try JSON.parse(#"{"base_url": "http://127.0.0.1:1", "\#(name)": "x"}"#).mapValue)
    let failure = #expect(throws: StepFailure.self) { try system.endpoint(settings) }
    #expect(failure?.code == "config.credentials")
  }

  @Test("a password reset tells an unknown address")
  func reset() async throws {
    let world = try StepWorld(given: #"{"users": [{"username": "dana.reyes", "email": "dana@example.test"}]}"#)
    #expect(try await world.run("rapidsos/reset-password", #"{"email": "dana@example.test"}"#).isEmpty)
    #expect(await world.failure("rapidsos/reset-password", #"{"email": "ira@example.test"}"#)?.code == "rapidsos.not_found")
    #expect(await world.failure("rapidsos/reset-password", #"{"email": "ira"}"#)?.code == "rapidsos.validation_failed")
  }
}

/// Holds the first call until it is opened, and answers it.
private final class GatedPort: HTTPPort {
  private let gate = AsyncStream<Void>.makeStream()
  private let waiting = Mutex(false)

  var isWaiting: Bool { waiting.withLock { $0 } }
  func open() { gate.continuation.finish() }

  func send(_ call: HTTPCall) async throws(StepFailure) -> HTTPReply {
    waiting.withLock { $0 = true }
    for await _ in gate.stream {}
    return HTTPReply(status: 202, headers: [:], bytes: [], body: [:], url: "", duration: .zero)
  }
}
