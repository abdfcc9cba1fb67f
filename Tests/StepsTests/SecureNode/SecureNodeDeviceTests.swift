import StepKit
import Steps
import Testing
import Values

@Suite("The devices of SecureNode")
struct SecureNodeDeviceTests {
  /// The requests of the documentation, and where they go.
  static let requests: [(step: String, path: String, body: String, answer: String)] = [
    (
      "register-device", "device/register",
      #"{"device_id":"5C1E..","platform":"ios","device_type":"iPhone (17.1)","os_version":"17.1","app_version":"1.0","sdk_version":"1.0"}"#,
      #"{"success":true,"device":{"device_id":"5C1E..","platform":"ios"}}"#
    ),
    (
      "update-device", "device/update",
      #"{"device_id":"5C1E..","platform":"ios","last_seen":"2024-11-21T09:00:00Z","capabilities":{"contacts_enabled":true,"call_directory_enabled":true,"background_refresh":true}}"#,
      #"{"success":true,"updated_at":"2024-11-21T09:00:00Z"}"#
    ),
    (
      "send-presence", "device/presence",
      #"{"device_id":"5C1E..","observed_at":"2024-11-21T09:05:00Z","platform":"ios","os_version":"17.1","last_synced_at":"2024-11-21T09:00:00Z"}"#,
      #"{"success":true}"#
    ),
    (
      "send-log", "device/log",
      #"{"device_id":"5C1E..","level":"warn","message":"sync failed","occurred_at":"2024-11-21T09:10:00Z","meta":{"latency_ms":900}}"#,
      #"{"success":true}"#
    ),
    (
      "upload-debug", "debug/upload", #"{"device_id":"5C1E..","nonce":"6a1f5c0e-9c1b-4c1e-8a9e-1c2d3e4f5a6b","logs":"(sync:ok)\n"}"#,
      #"{"success":true,"id":"du-1"}"#
    ),
    (
      "record-imprint", "branding/imprint",
      #"{"phone_number_e164":"+61412345678","displayed_at":"2024-11-21T09:05:00Z","device_id":"5C1E..","platform":"ios","os_version":"17.1","device_model":"9f86d081.."}"#,
      #"{"success":true}"#
    ),
  ]

  @Test("requests and answers are the documented ones", arguments: requests.indices)
  func documented(index: Int) async throws {
    let (step, path, body, answer) = Self.requests[index]
    let script = SecureNodeScript([.json(200, answer)])
    let outputs = try await script.run("securenode/\(step)", body)
    #expect(script.asked == ["POST https://edge.test/api/mobile/\(path)"])
    #expect(try script.body() == JSON.parse(body))
    #expect(Value.map(outputs) == (try JSON.parse(answer)))
  }

  @Test("an answer that nobody reads may be empty", arguments: ["send-presence", "record-imprint"])
  func unread(step: String) async throws {
    let with = step == "record-imprint" ? #"{"phone_number_e164": "+4712345", "device_id": "d"}"# : #"{"device_id": "d"}"#
    let script = SecureNodeScript([.text(204)])
    #expect(try await script.run("securenode/\(step)", with).isEmpty)
    #expect(try script.body()[step == "record-imprint" ? "displayed_at" : "observed_at"] == "2024-11-21T01:00:00Z")
  }

  @Test("any other answer has to be one of SecureNode's", arguments: ["register-device", "update-device", "send-log", "upload-debug"])
  func captive(step: String) async throws {
    let request = try #require(Self.requests.first { $0.step == step })
    let script = SecureNodeScript([.text(200, "<h1>Welcome to our network</h1>")])
    #expect(await script.failure("securenode/\(step)", request.body)?.code == "decode")
  }

  @Test(
    "times that have not been set yet are left out",
    arguments: [
      ("ack-sync", #"{"last_synced_at": "", "e164_numbers": []}"#, #"{"e164_numbers": []}"#),
      ("update-device", #"{"device_id": "d", "platform": "ios", "last_seen": ""}"#, #"{"device_id": "d", "platform": "ios"}"#),
    ])
  func empty(step: String, with: String, body: String) async throws {
    let script = SecureNodeScript([.json(200, "{}")])
    try await script.run("securenode/\(step)", with)
    #expect(try script.body() == JSON.parse(body))
  }

  @Test("a sync that has not happened yet is left out of a presence")
  func neverSynced() async throws {
    let script = SecureNodeScript([.text(204)])
    try await script.run("securenode/send-presence", #"{"device_id": "d", "last_synced_at": ""}"#)
    #expect(try script.body()["last_synced_at"] == nil)
  }

  @Test("a line of the log is cut to 1800 characters")
  func log() async throws {
    let script = SecureNodeScript([.json(200, #"{"success": true}"#)])
    let long = String(repeating: "👍🏽", count: 1801)
    try await script.run("securenode/send-log", #"{"device_id": "d", "level": "info", "message": "\#(long)"}"#)
    #expect(try script.body()["message"]?.stringValue?.count == 1800)
  }

  @Test("a device that is updated without being known registers and is updated again")
  func unknown() async throws {
    let world = try StepWorld("securenode")
    let update = #"{"device_id": "5C1E", "platform": "ios"}"#
    #expect(await world.failure("securenode/update-device", update)?.code == "securenode.device_not_registered")
    try await world.run("securenode/register-device", update)
    try await world.run("securenode/update-device", update)
    #expect(world.received.count == 3)
  }
}
