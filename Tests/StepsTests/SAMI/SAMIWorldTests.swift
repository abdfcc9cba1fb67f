import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("SAMI in the sandbox")
struct SAMIWorldTests {
  static let device = #""devices": [{"id": "d-31", "name": "Left pocket", "token": "dtk-77"}]"#

  func world(_ given: String = "{\(device)}") async throws -> StepWorld {
    let world = try StepWorld("sami", given: given)
    try await world.run("sami/authorize", "{}")
    return world
  }

  /// A request beside the steps.
  func send(
    _ world: StepWorld, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, authorization: String? = nil,
    type: String = "application/json"
  ) -> SandboxReply {
    var headers = HTTPFields()
    headers[.authorization] = authorization
    if body != nil { headers[.contentType] = type }
    return world.sandbox.answer(SandboxRequest(method, target: "/sami\(path)", headers: headers, body: Array((body ?? "").utf8))).reply
  }

  func token(_ world: StepWorld) async throws -> String {
    try #require(await (world.session as any SessionPort).held(.user)?.accessToken)
  }

  // MARK: limits

  @Test("tells what is left of a minute that slides")
  func slidingMinute() async throws {
    let world = try await world("{\"minute_limit\": 3, \(Self.device)}")
    for left in [2, 1, 0] {
      let outputs = try await world.run("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)
      #expect(outputs["rate_limit"]?["minute_remaining"] == .int(Int64(left)))
      #expect(outputs["rate_limit"]?["minute_reset"] == 1_732_150_860)
      #expect(outputs["rate_limit"]?["day_reset"] == 1_732_233_600)
      if left > 0 { world.clock.advance(seconds: 10) }
    }
    let failure = await world.failure("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)
    #expect(failure?.code == "sami.rate_limited")
    #expect(failure?.retryAt == Timestamp(seconds: 1_732_150_860))
    world.clock.advance(seconds: 39)
    #expect(await world.failure("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)?.code == "sami.rate_limited")
    world.clock.advance(seconds: 1)
    try await world.run("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)
  }

  @Test("counts a day by UTC, and messages apart from other calls")
  func day() async throws {
    let world = try await world("{\"day_limit\": 2, \"message_day_limit\": 1, \(Self.device)}")
    try await world.run("sami/get-self", "{}")
    try await world.run("sami/get-self", "{}")
    #expect(await world.failure("sami/get-self", "{}")?.detail.hasPrefix("USER DAILY rate limit exceeded") == true)
    try await world.run("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)
    #expect(await world.failure("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)?.code == "sami.rate_limited")
    // The device has a budget of its own.
    try await world.run("sami/get-device", #"{"id": "d-31", "token": "dtk-77"}"#)
    world.clock.advance(seconds: 1_732_233_600 - 1_732_150_800)
    try await world.run("sami/authorize", "{}")
    try await world.run("sami/get-self", "{}")
  }

  @Test("has 100 calls a minute for people and 500 for applications")
  func defaults() async throws {
    let world = try await world()
    let reply = send(world, .get, "/v1.1/users/self", authorization: "BEARER \(try await token(world))")
    #expect(reply.headers[try #require(HTTPField.Name("X-Rate-Limit-Limit"))] == "100/1000")
    try await world.run("sami/get-app-token", "{}")
    let app = try #require(await (world.session as any SessionPort).held(.client)?.accessToken)
    let types = send(world, .get, "/v1.1/devicetypes/dt-7", authorization: "bearer \(app)")
    #expect(types.headers[try #require(HTTPField.Name("X-Rate-Limit-Limit"))] == "500/5000")
  }

  // MARK: tokens

  @Test("a code is good for a minute, and once")
  func codes() async throws {
    let world = try StepWorld("sami")
    func exchange(after seconds: Int64) async throws -> String? {
      let code = try #require(try await world.run("sami/authorize-code", "{}")["code"]?.exposed.stringValue)
      world.clock.advance(seconds: seconds)
      return await world.failure("sami/exchange-code", #"{"code": "\#(code)"}"#)?.code
    }
    #expect(try await exchange(after: 59) == nil)
    #expect(try await exchange(after: 60) == "auth.invalid_grant")
    let code = try #require(try await world.run("sami/authorize-code", "{}")["code"]?.exposed.stringValue)
    try await world.run("sami/exchange-code", #"{"code": "\#(code)"}"#)
    #expect(await world.failure("sami/exchange-code", #"{"code": "\#(code)"}"#)?.code == "auth.invalid_grant")
  }

  @Test("a token may be renewed for fourteen days after its end", arguments: [(14 * 86_400 - 1, true), (14 * 86_400, false)])
  func grace(seconds: Int64, isRenewed: Bool) async throws {
    let world = try await world()
    world.clock.advance(seconds: 7200 + seconds)
    #expect((await world.failure("sami/get-self", "{}")?.code) == (isRenewed ? nil : "auth.expired"))
  }

  @Test("a token of the implicit grant is renewed with the old one alone")
  func implicitRefresh() async throws {
    let world = try await world()
    let held = try #require(await (world.session as any SessionPort).held(.user))
    let form = "grant_type=refresh_token&refresh_token=\(held.refreshToken ?? "")"
    let type = "application/x-www-form-urlencoded"
    #expect(send(world, .post, "/token", form + "&client_id=app-1&client_secret=s", type: type).status == 400)
    #expect(send(world, .post, "/token", form, authorization: "bearer other", type: type).status == 400)
    let reply = send(world, .post, "/token", form, authorization: "bearer \(held.accessToken)", type: type)
    #expect(reply.status == 200)
    #expect(reply.json?["scope"] == "read,write")
    // The refresh token is used up.
    #expect(send(world, .post, "/token", form, authorization: "bearer \(held.accessToken)", type: type).status == 400)
  }

  @Test(
    "the token endpoint has few words",
    arguments: [
      ("grant_type=password&client_id=a&client_secret=b", 302, "unsupported_grant_type"), ("client_id=a", 400, "invalid_request"),
      ("grant_type=client_credentials", 400, "invalid_request"),
      ("grant_type=client_credentials&client_id=a&client_secret=wrong", 400, "unauthorized_client"),
      ("grant_type=client_credentials&grant_type=client_credentials&client_id=app-1&client_secret=s3cr3t", 400, "invalid_request"),
    ])
  func tokenErrors(form: String, status: Int, error: String) throws {
    let world = try StepWorld(
      "sami", given: #"{"clients": [{"client_id": "app-1", "client_secret": "s3cr3t", "redirect_uris": ["ios-app://redirect"]}]}"#)
    let reply = send(world, .post, "/token", form, type: "application/x-www-form-urlencoded")
    #expect(reply.status == status)
    #expect(reply.json == ["error": .string(error)])
  }

  @Test(
    "the redirect of an error names it where its grant has its answers, and brings the state back",
    arguments: [
      ("client_id=app-1&response_type=id_token", "?error=invalid_request"), ("response_type=token", "#error=invalid_request"),
      ("response_type=code&state=xyz", "?error=invalid_request&state=xyz"),
      ("client_id=app-1&response_type=token&state=a%20b", "#error=invalid_request&state=a%20b"),
    ])
  func invalidRequest(query: String, rest: String) throws {
    let world = try StepWorld("sami")
    let reply = send(world, .get, "/authorize?redirect_uri=ios-app%3A%2F%2Fredirect&\(query)")
    #expect(reply.status == 302)
    #expect(reply.headers[.location] == "ios-app://redirect\(rest)")
  }

  // MARK: messages

  @Test(
    "normalises data by the manifest of the device",
    arguments: [
      (#"{"numberOfSteps": 12, "distance": 1}"#, #"{"numberOfSteps": 12, "distance": 1}"#), (#"{"numberOfSteps": 1.5, "other": 1}"#, "{}"),
      (#"{"numberOfSteps": "12"}"#, "{}"), (#""on""#, "{}"),
    ])
  func normalised(data: String, kept: String) async throws {
    let world = try await world()
    try await world.run("sami/post-message", #"{"sdid": "d-31", "data": \#(data)}"#)
    let outputs = try await world.run("sami/get-last-messages", #"{"sdids": ["d-31"]}"#)
    #expect(try outputs["messages"]?.listValue?.first?["data"] == JSON.parse(kept))
  }

  @Test(
    "takes times up to a little ahead",
    arguments: [
      (1_732_150_800_000 + 300_000, nil), (0, nil), (-1, "ts: Invalid ts value"),
      (1_732_150_800_000 + 300_001, "ts: Invalid ts value (in future)"),
    ] as [(Int, String?)])
  func times(ts: Int, refusal: String?) async throws {
    let world = try await world()
    let failure = await world.failure("sami/post-message", #"{"sdid": "d-31", "ts": \#(ts), "data": {}}"#)
    #expect(failure?.detail == refusal)
  }

  @Test("pages messages by an opaque text")
  func pages() async throws {
    let messages = (1...5).map { #"{"sdid": "d-31", "ts": \#(1_732_100_000_000 + $0), "data": {"numberOfSteps": \#($0)}}"# }
    let world = try await world("{\(Self.device), \"messages\": [\(messages.joined(separator: ","))]}")
    let period = #""sdid": "d-31", "start_date": 1732100000000, "end_date": 1732150900000, "count": 2"#
    var seen: [Value?] = []
    var offset = ""
    for _ in 0..<3 {
      let outputs = try await world.run("sami/get-messages", "{\(period)\(offset)}")
      seen += (outputs["messages"]?.listValue ?? []).map { $0["data"]?["numberOfSteps"] }
      offset = outputs["next"]?.stringValue.map { #", "offset": "\#($0)""# } ?? ""
    }
    #expect(seen == [1, 2, 3, 4, 5])
    #expect(offset.isEmpty)
    #expect(await world.failure("sami/get-messages", "{\(period), \"offset\": \"!\"}")?.code == "sami.validation_failed")
  }

  @Test("filters by fields", arguments: [("numberofsteps:2", 1), ("numberofsteps:>=2", 2), ("numberofsteps:<2,distance:1", 0), ("x:1", 0)])
  func filters(filter: String, count: Int) async throws {
    let messages = (1...3).map { #"{"sdid": "d-31", "ts": \#(1_732_100_000_000 + $0), "data": {"numberOfSteps": \#($0)}}"# }
    let world = try await world("{\(Self.device), \"messages\": [\(messages.joined(separator: ","))]}")
    let outputs = try await world.run(
      "sami/get-messages", #"{"sdid": "d-31", "start_date": 0, "end_date": 1732150900000, "filter": "\#(filter)"}"#)
    #expect(outputs["size"] == .int(Int64(count)))
  }

  @Test("sums up what is a minute old")
  func sums() async throws {
    let messages = [(1_732_140_000_000, 2), (1_732_140_060_000, 4), (1_732_150_780_000, 100)].map {
      #"{"sdid": "d-31", "ts": \#($0.0), "data": {"numberOfSteps": \#($0.1)}}"#
    }
    let world = try await world("{\(Self.device), \"messages\": [\(messages.joined(separator: ","))]}")
    let period = #""sdid": "d-31", "field": "numberOfSteps", "start_date": 1732140010000, "end_date": 1732150800000"#
    let outputs = try await world.run("sami/get-aggregates", "{\(period)}")
    #expect(outputs["data"] == [["count": 2, "min": 2.0, "max": 4.0, "mean": 3.0, "sum": 6.0, "variance": 1.0]])
    #expect(outputs["start_date"] == "1732140010000")
    let long = #"{"sdid": "d-31", "field": "f", "start_date": 0, "end_date": 2678400001}"#
    #expect(await world.failure("sami/get-aggregates", long)?.problems.first?.field == "end_date".replacing("_d", with: "D"))
  }

  @Test(
    "bounds the time of each interval",
    arguments: [
      ("minute", 3_600_000), ("hour", 86_400_000), ("day", 31 * 86_400_000), ("month", 366 * 86_400_000), ("year", 366 * 86_400_000),
    ])
  func intervals(interval: String, limit: Int) async throws {
    let world = try await world()
    func ask(_ end: Int) -> String {
      #"{"sdid": "d-31", "field": "numberOfSteps", "interval": "\#(interval)", "start_date": 0, "end_date": \#(end)}"#
    }
    try await world.run("sami/get-histogram", ask(limit))
    #expect(await world.failure("sami/get-histogram", ask(limit + 1))?.code == "sami.validation_failed")
  }
}
