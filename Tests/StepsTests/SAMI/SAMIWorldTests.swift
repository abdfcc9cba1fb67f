import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("SAMI in the sandbox")
struct SAMIWorldTests {
  private static let device = #""devices": [{"id": "d-31", "name": "Left pocket", "token": "dtk-77"}]"#

  private func world(_ given: String = "{\(device)}") async throws -> StepWorld {
    let world = try StepWorld("sami", given: given)
    try await world.run("sami/authorize", "{}")
    return world
  }

  /// A request beside the steps.
  private func send(
    _ world: StepWorld, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, authorization: String? = nil,
    type: String = "application/json"
  ) -> SandboxReply {
    var headers = HTTPFields()
    headers[.authorization] = authorization
    if body != nil { headers[.contentType] = type }
    return world.sandbox.answer(SandboxRequest(method, target: "/sami\(path)", headers: headers, body: Array((body ?? "").utf8))).reply
  }

  private func token(_ world: StepWorld) async throws -> String {
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
    "the redirect of an error names it, and brings the state back",
    arguments: [
      ("client_id=app-1&response_type=id_token", "#"), ("response_type=token", "#"),
      ("client_id=app-1&response_type=token&state=a%20b", "#"),
    ])
  func invalidRequest(query: String, mark: String) throws {
    let world = try StepWorld("sami")
    let reply = send(world, .get, "/authorize?redirect_uri=ios-app%3A%2F%2Fredirect&\(query)")
    #expect(reply.status == 302)
    #expect(reply.headers[.location]?.contains("error=invalid_request") == true)
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

  // MARK: rights

  @Test("somebody else's things are forbidden, and what is not there is not found")
  func rights() async throws {
    let world = try await world(
      #"{"users": [{"id": "u-12", "name": "a"}, {"id": "u-13", "name": "b"}], "devices": [{"id": "d-1", "uid": "u-13"}]}"#)
    #expect(await world.failure("sami/get-device", #"{"id": "d-1"}"#)?.code == "sami.forbidden")
    #expect(await world.failure("sami/get-device", #"{"id": "d-9"}"#)?.code == "sami.not_found")
    #expect(await world.failure("sami/list-user-devices", #"{"uid": "u-13"}"#)?.code == "sami.forbidden")
    #expect(await world.failure("sami/list-user-devices", #"{"uid": "u-99"}"#)?.code == "sami.user_unknown")
    #expect(
      await world.failure("sami/create-device", #"{"uid": "u-12", "dtid": "dt-0", "name": "abcde"}"#)?.code == "sami.device_type_unknown")
    #expect(await world.failure("sami/get-user-properties", #"{"uid": "u-12", "aid": "app-2"}"#)?.code == "sami.forbidden")
    #expect(await world.failure("sami/get-manifest", #"{"id": "dt-7", "version": 3}"#)?.code == "sami.not_found")
  }

  @Test("a token of the wrong type is forbidden")
  func kinds() async throws {
    let world = try await world()
    #expect(send(world, .get, "/v1.1/users/self", authorization: "bearer dtk-77").status == 403)
    #expect(send(world, .get, "/v1.1/subscriptions", authorization: "bearer \(try await token(world))").status == 403)
    #expect(send(world, .get, "/v1.1/users/self").status == 401)
    #expect(send(world, .get, "/v1.1/nothing").status == 404)
    #expect(send(world, .patch, "/v1.1/users/self").status == 405)
  }

  // MARK: subscriptions, rules, exports

  @Test(
    "a subscription is confirmed with what the webhook got, within a day",
    arguments: [(86_399, nil), (86_400, "sami.not_found")] as [(Int64, String?)])
  func subscription(seconds: Int64, refusal: String?) async throws {
    let world = try await world()
    let url = "https://hooks.example.test/sami?u=12"
    let made = try await world.run("sami/create-subscription", #"{"message_type": "message", "uid": "u-12", "callback_url": "\#(url)"}"#)
    let posted = try #require(world.sandbox.messages(.webhook, to: url).last?.body)
    #expect(posted["subscriptionId"] == made["id"])
    #expect(posted["aid"] == "app-1")
    try await world.run("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)
    #expect(world.sandbox.messages(.webhook).count == 1)
    world.clock.advance(seconds: seconds)
    let with = #"{"id": "s-1", "aid": "app-1", "nonce": "\#(posted["nonce"]?.stringValue ?? "")"}"#
    #expect(await world.failure("sami/validate-subscription", with)?.code == refusal)
    guard refusal == nil else { return }
    try await world.run("sami/authorize", "{}")
    try await world.run("sami/post-message", #"{"sdid": "d-31", "data": {}}"#)
    let told = try #require(world.sandbox.messages(.webhook).last?.body)
    #expect(told["type"] == "message")
    #expect(told["subscriptionQuery"] == ["uid": "u-12"])
    let read = try await world.run("sami/get-notification-messages", #"{"id": "\#(told["id"]?.stringValue ?? "")"}"#)
    #expect(read["total"] == 1)
  }

  @Test("an invalid rule is refused, its list in a list")
  func invalidRule() async throws {
    let world = try await world()
    let failure = await world.failure("sami/create-rule", #"{"name": "steps", "rule": {"if": {}}}"#)
    #expect(failure?.problems == [.init(field: "rule", message: "Invalid rule")])
    let reply = send(
      world, .put, "/v1.1/rules/r-9", #"{"name": "x", "rule": {}}"#, authorization: "bearer \(try await token(world))")
    #expect(reply.status == 404)
  }

  @Test("an export is a gzip of a tar, with a checksum and the number of its messages")
  func archive() async throws {
    let world = try await world(
      #"{"devices": [{"id": "d-31"}], "messages": [{"sdid": "d-31", "ts": 1732147800000, "data": {"numberOfSteps": 7}}]}"#)
    try await world.run("sami/create-export", #"{"uids": ["u-12"], "start_date": 1731900000000, "end_date": 1732150800000}"#)
    let status = try await world.run("sami/get-export-status", #"{"export_id": "e-1"}"#)
    let reply = send(world, .get, "/v1.1/messages/export/e-1/result", authorization: "bearer \(try await token(world))")
    #expect(status["md5"] == .string(HashDigest.md5(reply.body)))
    #expect(Array(reply.body.prefix(3)) == [0x1f, 0x8b, 8])
    // One stored block: its length, then the tar, whose first header names the file.
    let length = Int(reply.body[11]) | Int(reply.body[12]) << 8
    let tar = Array(reply.body[15..<15 + length])
    #expect(length % 512 == 0)
    #expect(String(decoding: tar.prefix { $0 != 0 }, as: UTF8.self) == "u-12-1732147800000.json")
    #expect(String(decoding: tar[257..<262], as: UTF8.self) == "ustar")
    let size = try #require(Int(String(decoding: tar[124..<135], as: UTF8.self), radix: 8))
    let json = try JSON.parse(Array(tar[512..<512 + size]))
    #expect(json["size"] == 1)
    #expect(json["data"]?.listValue?.first?["data"] == ["numberOfSteps": 7])
    #expect(try await world.run("sami/get-export-status", #"{"export_id": "e-1"}"#)["status"] == "Served")
    #expect(world.sandbox.messages(.mail, to: "tstep@example.test").count == 1)
    world.clock.advance(seconds: 86_400)
    #expect(try await world.run("sami/get-export-status", #"{"export_id": "e-1"}"#)["status"] == "Expired")
  }

  @Test("a number is one that every reader of JSON has exactly", arguments: [(9_007_199_254_740_991, 200), (9_007_199_254_740_992, 400)])
  func largestNumber(offset: Int, status: Int) async throws {
    let world = try await world()
    let reply = send(world, .get, "/v1.1/devicetypes?name=x&offset=\(offset)", authorization: "bearer \(try await token(world))")
    #expect(reply.status == status)
  }

  // MARK: the description

  @Test("is described, each operation once, with an answer for every status")
  func description() throws {
    let api = try #require(SAMISandbox().api)
    #expect(api.operations.count == 46)
    #expect(Set(api.operations.map(\.id)).count == api.operations.count)
    let routes = Set(SAMISandbox().routes.map { "\($0.method) \($0.path)" })
    #expect(Set(api.operations.map { "\($0.method) \($0.path)" }) == routes)
    for operation in api.operations { #expect(Set(operation.answers.map(\.status)).count == operation.answers.count, "\(operation.id)") }
    let device = try #require(api.schemas.first { $0.0 == "Device" }?.1)
    // A list of devices tells it of none of them.
    #expect(device["required"]?.listValue?.contains("uid") == false)
    for (_, schema) in api.schemas { #expect(throws: Never.self) { try SchemaShape(schema.withoutReferences) } }
  }
}

extension Value {
  /// The schema with each reference open, so that it can be compiled alone.
  fileprivate var withoutReferences: Value {
    switch self {
    case .map(let map): map["$ref"] != nil ? [:] : .map(map.mapValues(\.withoutReferences))
    case .list(let items): .list(items.map(\.withoutReferences))
    default: self
    }
  }
}
