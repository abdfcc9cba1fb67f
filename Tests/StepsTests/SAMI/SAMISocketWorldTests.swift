import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// The steps over sockets of the sandbox, from the handshake to the close.
@Suite("SAMI's sockets, step and sandbox")
struct SAMISocketWorldTests {
  private static let devices = #""devices": [{"id": "d-31", "token": "dtk-31"}, {"id": "d-40", "dtid": "dt-9", "token": "dtk-40"}]"#

  private func world(_ given: String = "") async throws -> StepWorld {
    let world = try StepWorld("sami", given: "{\(Self.devices)\(given)}")
    try await world.run("sami/authorize", "{}")
    return world
  }

  private static func channel(_ messages: Int, token: String = "dtk-31") -> String {
    let list = Array(repeating: #"{"sdid": "d-31", "data": {"numberOfSteps": 7}}"#, count: messages).joined(separator: ", ")
    return #"{"devices": [{"id": "d-31", "token": "\#(token)"}], "messages": [\#(list)]}"#
  }

  // MARK: live

  @Test("live takes as many as it wants, or what came in its time", arguments: [(1, 1, "count", 5), (3, 2, "time", 20)])
  func live(count: Int64, came: Int64, ended: String, seconds: Int64) async throws {
    let coming = #", "messages": [{"sdid": "d-31", "in": 5}, {"sdid": "d-31", "in": "15s"}, {"sdid": "d-31", "in": 60}]"#
    let world = try await world(coming)
    let start = world.clock.elapsed()
    let outputs = try await world.run("sami/live", #"{"uid": "u-12", "count": \#(count)}"#)
    #expect(outputs["count"] == .int(came))
    #expect(outputs["ended"] == .string(ended))
    #expect(world.clock.elapsed() - start == .seconds(seconds))
    #expect(world.sandbox.openSockets == [])
  }

  @Test("signs of life keep a quiet socket open")
  func quiet() async throws {
    let world = try await world()
    let outputs = try await world.run("sami/live", #"{"uid": "u-12", "max_seconds": 600}"#)
    #expect(outputs["ended"] == "time")
  }

  @Test("a socket that SAMI closes has ended")
  func closed() async throws {
    let world = try await world(#", "socket_life": "10s", "messages": [{"sdid": "d-31", "in": 5}]"#)
    let outputs = try await world.run("sami/live", #"{"uid": "u-12", "count": 2}"#)
    #expect(outputs["count"] == 1)
    #expect(outputs["ended"] == "closed")
  }

  @Test("a wrong token of a device is refused at the upgrade, and one of another device is not enough")
  func refusedLive() async throws {
    let world = try await world()
    let wrong = await world.failure("sami/live", #"{"uid": "u-12", "token": "wrong"}"#)
    #expect(wrong?.code == "sami.token_refused")
    #expect(wrong?.detail == "Please provide a valid authorization header")
    #expect(await world.failure("sami/live", #"{"uid": "u-12", "sdids": ["d-31"], "token": "dtk-40"}"#)?.code == "sami.forbidden")
    #expect(await world.failure("sami/live", #"{"uid": "u-99"}"#)?.code == "sami.user_unknown")
  }

  @Test("a person's token that has ended is renewed for a socket as well")
  func renewed() async throws {
    let world = try await world(#", "messages": [{"sdid": "d-31", "in": "2h5s"}]"#)
    world.clock.advance(seconds: 7200)
    #expect(try await world.run("sami/live", #"{"uid": "u-12"}"#)["count"] == 1)
    #expect(world.received.suffix(2) == ["POST /token", "GET /v1.1/live"])
  }

  @Test("a person's token that ends early is renewed as well, wherever it stands", arguments: ["header", "query"])
  func endedEarly(place: String) async throws {
    let world = try await world(#", "messages": [{"sdid": "d-31", "in": 5}]"#)
    try world.sandbox.change("sami", "expire", "user")
    #expect(try await world.run("sami/live", #"{"uid": "u-12", "token_in": "\#(place)"}"#)["count"] == 1)
    #expect(world.received.suffix(3) == ["GET /v1.1/live", "POST /token", "GET /v1.1/live"])
  }

  @Test("where it cannot be renewed the session has ended", arguments: ["header", "query"])
  func endedForGood(place: String) async throws {
    let world = try await world()
    try world.sandbox.change("sami", "revoke", "user")
    #expect(await world.failure("sami/live", #"{"uid": "u-12", "token_in": "\#(place)"}"#)?.code == "auth.expired")
  }

  // MARK: the channel

  @Test("each message is acknowledged under its own number")
  func acks() async throws {
    let outputs = try await world().run("sami/device-channel", Self.channel(2))
    #expect(outputs["acks"] == [["mid": "m-1", "cid": "m1"], ["mid": "m-2", "cid": "m2"]])
    #expect(outputs["sent"] == 2)
  }

  @Test("a wrong token registers nothing", arguments: [("wrong", "sami.token_refused"), ("dtk-40", "sami.forbidden")])
  func refusedChannel(token: String, code: String) async throws {
    let world = try await world()
    let failure = await world.failure("sami/device-channel", Self.channel(1, token: token))
    #expect(failure?.code == code)
    #expect(failure?.sent == .yes)
    #expect(failure?.isRejected == true)
  }

  @Test("a thousand messages a minute are counted apart from other calls")
  func limit() async throws {
    let world = try await world(#", "minute_limit": 1, "socket_minute_limit": 2"#)
    let failure = await world.failure("sami/device-channel", Self.channel(3))
    #expect(failure?.code == "sami.rate_limited")
    #expect(failure?.detail == "429: DEVICE MINUTE rate limit exceeded (cid `m3`); 3 of 3 messages sent, 2 of them acknowledged")
    #expect(failure?.sent == .maybe)
    world.clock.advance(seconds: 60)
    #expect(try await world.run("sami/device-channel", Self.channel(2))["sent"] == 2)
  }

  @Test("what SAMI takes without a word is told, and not sent again")
  func silent() async throws {
    let world = try await world(#", "socket_acks": 2"#)
    let failure = await world.failure("sami/device-channel", Self.channel(3))
    #expect(failure?.code == "sami.unacknowledged")
    #expect(failure?.detail == "the time is over: 3 of 3 messages sent, 2 of them acknowledged")
    #expect(failure?.sent == .maybe)
    #expect(world.clock.elapsed() == .seconds(1_732_150_800 + 20))
    #expect(try await world.run("sami/get-last-messages", #"{"sdids": ["d-31"], "count": 9}"#)["size"] == 3)
  }

  @Test("whoever waits for an action until SAMI closes the socket has sent all the same")
  func closedChannel() async throws {
    let world = try await world(#", "socket_life": "10s""#)
    let outputs = try await world.run(
      "sami/device-channel",
      #"{"devices": [{"id": "d-40", "token": "dtk-40"}], "messages": [{"sdid": "d-40", "data": {"state": "on"}}], "actions": 1}"#)
    #expect(outputs["sent"] == 1)
    #expect(outputs["ended"] == "closed")
  }

  // MARK: messages to come

  @Test("a message to come is not there before its moment, for calls neither")
  func coming() async throws {
    let world = try await world(#", "messages": [{"sdid": "d-31", "in": "1m"}, {"sdid": "d-40", "in": "30s"}]"#)
    func size() async throws -> Value? {
      try await world.run("sami/get-last-messages", #"{"sdids": ["d-31", "d-40"], "count": 9}"#)["size"]
    }
    world.clock.advance(seconds: 29)
    #expect(try await size() == 0)
    world.clock.advance(seconds: 1)
    #expect(try await size() == 1)
    world.clock.advance(seconds: 30)
    #expect(try await size() == 2)
  }
}
