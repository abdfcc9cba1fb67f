import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// Who may see what, and what is made: subscriptions, rules, exports.
extension SAMIWorldTests {
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

  @Test("rules and subscriptions are listed without a name, as everything else is not")
  func lists() async throws {
    let world = try await world(#"{"rules": [{"id": "r-1", "rule": {"if": {"and": []}, "then": [{"ddid": "d", "action": "a"}]}}]}"#)
    let reply = send(world, .get, "/v1.1/rules", authorization: "bearer \(try await token(world))")
    #expect(reply.json?["data"]?.listValue?.map { $0["id"] } == ["r-1"])
    #expect(reply.json?["total"] == 1)
    try await world.run("sami/create-subscription", #"{"message_type": "message", "uid": "u-12", "callback_url": "https://h.test"}"#)
    #expect(try await world.run("sami/list-subscriptions", "{}")["subscriptions"]?.listValue?.count == 1)
  }

  @Test("what is made has an id of its own, whatever was given")
  func ids() async throws {
    let rule = #"{"if": {"and": []}, "then": [{"ddid": "d-1", "action": "setOn"}]}"#
    let world = try await world(
      """
      {"devices": [{"id": "d-1"}, {"id": "d-2"}], "subscriptions": [{"id": "s-1"}], "exports": [{"id": "e-1"}],
        "rules": [{"id": "r-1", "rule": \(rule)}]}
      """)
    func made(_ step: String, _ with: String, _ name: String = "id") async throws -> Value? {
      try await world.run("sami/\(step)", with)[name]
    }
    #expect(try await made("create-device", #"{"uid": "u-12", "dtid": "dt-7", "name": "Left pocket"}"#) == "d-3")
    let callback = #"{"message_type": "message", "uid": "u-12", "callback_url": "https://h.test"}"#
    #expect(try await made("create-subscription", callback) == "s-2")
    #expect(try await made("create-export", #"{"uids": ["u-12"], "start_date": 1, "end_date": 2}"#, "export_id") == "e-2")
    #expect(try await made("create-rule", #"{"name": "steps", "rule": \#(rule)}"#) == "r-2")
  }

  @Test("any number of devices may be asked for at once, and those of an export are 30 at most")
  func manyDevices() async throws {
    let ids = (1...40).map { "d-other-\($0)" }
    let world = try await world(#"{"other_devices": 40}"#)
    let list = ids.map { #""\#($0)""# }.joined(separator: ", ")
    #expect(try await world.run("sami/get-last-messages", #"{"sdids": [\#(list)]}"#)["size"] == 0)
    let failure = await world.failure("sami/create-export", #"{"sdids": [\#(list)], "start_date": 1, "end_date": 2}"#)
    #expect(failure?.problems == [.init(field: "sdids", message: "Maximum value 30")])
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
}
