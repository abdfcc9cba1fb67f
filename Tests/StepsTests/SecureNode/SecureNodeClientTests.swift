import HTTPTypes
import StepKit
import Steps
import Testing
import Values

@Suite("How SecureNode is reached")
struct SecureNodeClientTests {
  static let sync = #"{"success": true, "branding": [], "synced_at": "2024-11-21T09:00:00Z"}"#
  static let imprint = #"{"phone_number_e164": "+61412345678", "device_id": "5C1E"}"#
  static let update = #"{"device_id": "5C1E", "platform": "ios"}"#

  @Test(
    "a base is its root, with `/api` at its end or without",
    arguments: [
      "https://edge.test", "https://edge.test/", "https://edge.test/api", "https://edge.test/api/", "https://edge.test//api//",
    ])
  func base(url: String) async throws {
    let script = SecureNodeScript([.json(200, Self.sync)], base: url)
    try await script.run("securenode/sync", "{}")
    #expect(script.asked == ["GET https://edge.test/api/mobile/branding/sync"])
  }

  @Test("a path that only ends like `/api` stays")
  func otherBase() async throws {
    let script = SecureNodeScript([.json(200, Self.sync)], base: "https://edge.test/my-api")
    try await script.run("securenode/sync", "{}")
    #expect(script.asked == ["GET https://edge.test/my-api/api/mobile/branding/sync"])
  }

  @Test("a host may be called `api` itself", arguments: ["http://api", "http://api/", "http://api/api", "http://api/api/"])
  func hostOfThatName(url: String) async throws {
    let script = SecureNodeScript([.json(200, Self.sync)], base: url)
    try await script.run("securenode/sync", "{}")
    #expect(script.asked == ["GET http://api/api/mobile/branding/sync"])
  }

  @Test("the key and the type go with every request, those without a body too")
  func headers() async throws {
    let script = SecureNodeScript([.json(200, Self.sync)])
    try await script.run("securenode/sync", "{}")
    #expect(try script.key() == "sn-live-key")
    #expect(script.transport.asked.first?.headers[.contentType] == "application/json")
    #expect(script.transport.asked.first?.headers[.authorization] == nil)
  }

  @Test(
    "the key goes to no other host", arguments: ["https://assets.test/hc.png", "https://edge.test:8443/hc.png", "http://edge.test/hc.png"])
  func logoHost(url: String) async throws {
    let script = SecureNodeScript([.text(200, "png")])
    let outputs = try await script.run("securenode/get-logo", #"{"url": "\#(url)"}"#)
    #expect(outputs["found"] == true)
    #expect(script.asked == ["GET \(url)"])
    #expect(try script.key() == nil)
  }

  @Test("a connection needs a key")
  func noKey() throws {
    let system = try #require(StepCatalogue.standard.system("securenode"))
    #expect(system.settings().violations(in: ValueMap()).map(\.message) == ["`api_key` is missing"])
    #expect(system.settings().violations(in: ValueMap(members: ["api_key": ""])).count == 1)
  }

  // MARK: the second place

  @Test("is tried after 404 and 405, for every kind of request", arguments: [404, 405])
  func fallback(status: Int) async throws {
    let read = SecureNodeScript([.text(status), .json(200, Self.sync)])
    try await read.run("securenode/sync", #"{"since": "2024-11-21T09:00:00Z", "device_id": "5C1E"}"#)
    let query = "?since=2024-11-21T09%3A00%3A00Z&device_id=5C1E"
    #expect(
      read.asked == ["GET https://edge.test/api/mobile/branding/sync\(query)", "GET https://edge.test/mobile/branding/sync\(query)"])
    let unsafe = SecureNodeScript([.text(status), .text(204)])
    try await unsafe.run("securenode/record-imprint", Self.imprint)
    #expect(try unsafe.body(0) == unsafe.body(1))
  }

  @Test("is not tried after any other answer", arguments: [400, 401, 403, 409, 410, 429, 500, 503])
  func noFallback(status: Int) async throws {
    let script = SecureNodeScript([.text(status), .json(200, Self.sync)])
    let failure = await script.failure("securenode/sync", "{}")
    #expect(failure?.answer?.status == status)
    #expect(script.asked.count == 1)
  }

  @Test(
    "is tried after a broken connection, where the request may be sent again",
    arguments: [
      ("securenode/sync", "{}", Sent.no, 2), ("securenode/sync", "{}", .maybe, 2),
      ("securenode/record-imprint", imprint, .no, 2), ("securenode/record-imprint", imprint, .maybe, 1),
      ("securenode/update-device", update, .maybe, 2),
    ])
  func broken(step: String, with: String, sent: Sent, count: Int) async throws {
    let script = SecureNodeScript([.broken(sent == .no ? .connect : .reset, sent: sent), .broken(.reset, sent: sent)])
    let failure = await script.failure(step, with)
    #expect(failure?.code.hasPrefix("network.") == true)
    #expect(script.asked.count == count)
  }

  @Test("is not tried once the run is cancelled, nor after what is no matter of the connection")
  func cancelled() async throws {
    for reason in [TransportFailure.Reason.cancelled, .bodyTooLarge, .invalidRequest] {
      let script = SecureNodeScript([.broken(reason, sent: .no), .json(200, Self.sync)])
      _ = await script.failure("securenode/sync", "{}")
      #expect(script.asked.count == 1)
    }
  }

  @Test("has nothing either: the first break is told, and 404 twice is no such operation")
  func neither() async throws {
    let broken = SecureNodeScript([.broken(.timeout, sent: .maybe), .text(404)])
    #expect(await broken.failure("securenode/sync", "{}")?.code == "timeout.attempt")
    let absent = SecureNodeScript([.text(404, "<h1>Not Found</h1>"), .text(404)])
    let failure = await absent.failure("securenode/sync", "{}")
    #expect(failure?.code == "securenode.no_such_operation")
    #expect(failure?.detail == "<h1>Not Found</h1>")
  }

  // MARK: 404 of a device

  @Test("a 404 that names the device is an answer, and not asked again")
  func deviceNotRegistered() async throws {
    let script = SecureNodeScript([
      .json(404, #"{"success": false, "code": "device_not_registered", "error": "Device not registered"}"#), .text(200),
    ])
    let failure = await script.failure("securenode/update-device", Self.update)
    #expect(failure?.code == "securenode.device_not_registered")
    #expect(failure?.tags == ["http.404"])
    #expect(failure?.detail == "Device not registered")
    #expect(script.asked.count == 1)
  }

  @Test("an envelope without a code is asked at the other place, and then believed", arguments: ["null", #""not_found""#])
  func envelope(code: String) async throws {
    let refusal = #"{"success": false, "code": \#(code), "error": "Device not registered"}"#
    let below = SecureNodeScript([.json(404, refusal), .text(404)])
    #expect(await below.failure("securenode/update-device", Self.update)?.code == "securenode.device_not_registered")
    #expect(below.asked.count == 2)
    let atRoot = SecureNodeScript([.text(404), .json(404, refusal)])
    #expect(await atRoot.failure("securenode/update-device", Self.update)?.code == "securenode.device_not_registered")
  }

  @Test("a 404 without the envelope is about the path")
  func path() async throws {
    let script = SecureNodeScript([.text(404), .text(404)])
    #expect(await script.failure("securenode/update-device", Self.update)?.code == "securenode.no_such_operation")
  }

  // MARK: errors

  @Test(
    "each refusal has a code of its own, and keeps its status as a tag",
    arguments: [
      ("securenode/sync", "{}", 400, "securenode.invalid_request"), ("securenode/sync", "{}", 401, "securenode.bad_key"),
      ("securenode/sync", "{}", 403, "securenode.not_permitted"), ("securenode/sync", "{}", 429, "securenode.rate_limited"),
      ("securenode/upload-debug", upload, 403, "securenode.not_permitted"),
      ("securenode/upload-debug", upload, 409, "securenode.nonce_replayed"),
      ("securenode/upload-debug", upload, 413, "securenode.too_large"), ("securenode/upload-debug", upload, 401, "securenode.bad_key"),
      ("securenode/report-event", event, 400, "securenode.invalid_request"), ("securenode/sync", "{}", 500, "http.500"),
      ("securenode/sync", "{}", 409, "http.409"),
    ])
  func codes(step: String, with: String, status: Int, code: String) async throws {
    let script = SecureNodeScript([.json(status, #"{"success": false, "error": "No.", "code": null}"#)])
    let failure = await script.failure(step, with)
    #expect(failure?.code == code)
    #expect(failure?.detail == "No.")
    #expect(code.hasPrefix("http.") || failure?.tags == ["http.\(status)"])
  }

  static let upload = #"{"device_id": "5C1E", "nonce": "6a1f5c0e-9c1b-4c1e-8a9e-1c2d3e4f5a6b"}"#
  static let event = #"{"phone_number_e164": "+61412345678", "outcome": "displayed", "event_key": "k"}"#

  @Test("of an error page its first 120 characters are told")
  func page() async throws {
    let script = SecureNodeScript([.text(502, String(repeating: "x", count: 200))])
    #expect(await script.failure("securenode/sync", "{}")?.detail == String(repeating: "x", count: 120))
  }
}
