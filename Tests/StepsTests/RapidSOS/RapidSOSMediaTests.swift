import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("Photos and push messages at RapidSOS")
struct RapidSOSMediaTests {
  private func run(_ world: StepWorld, _ name: String, _ with: Value) async throws -> ValueMap {
    let step = try #require(StepCatalogue.standard.step("rapidsos/\(name)"))
    let input = try #require(with.mapValue)
    #expect(step.input().violations(in: input).map(\.message) == [])
    return try await step.run(input, try MediaWorld.ports(world, step.about))
  }

  private func failure(_ world: StepWorld, _ name: String, _ with: Value) async throws -> StepFailure {
    do {
      _ = try await run(world, name, with)
      return StepFailure("none", title: "")
    } catch let failure as StepFailure { return failure }
  }

  @Test("a photo is stored byte by byte where the signed form says")
  func upload() async throws {
    let world = try StepWorld()
    let signed = try await run(world, "get-upload-url", [:])
    #expect(signed["fields"]?["key"] == "AAAAAAAAAAAAAAAA.jpeg")
    let outputs = try await run(
      world, "upload-photo", ["url": signed["url"] ?? "", "fields": signed["fields"] ?? "", "file": "photos/dana.jpeg"])
    #expect(outputs["photo_url"] == .string("\(SandboxTransport.origin)/rapidsos/kronos-images/AAAAAAAAAAAAAAAA.jpeg"))
    let stored = world.sandbox.answer(SandboxRequest(.get, "/rapidsos/kronos-images/AAAAAAAAAAAAAAAA.jpeg")).reply
    #expect(stored.body == MediaWorld.photo)
    #expect(stored.headers[.contentType] == "image/jpeg")
    #expect(world.received == ["GET /v1/kronos/upload-url", "POST /kronos-images/", "GET /kronos-images/AAAAAAAAAAAAAAAA.jpeg"])
  }

  @Test("what proves an upload stays secret")
  func secrets() async throws {
    let world = try StepWorld()
    let fields = try await run(world, "get-upload-url", [:])["fields"]
    for name in ["policy", "signature", "x_amz_security_token"] { #expect(fields?[name]?.containsSecret == true, "\(name)") }
    #expect(fields?["aws_access_key_id"]?.containsSecret == false)
  }

  @Test(
    "a form that was changed is refused, and says why",
    arguments: [
      ("signature", "SignatureDoesNotMatch: The request signature we calculated"), ("policy", "SignatureDoesNotMatch"),
      ("aws_access_key_id", "InvalidAccessKeyId"), ("x_amz_security_token", "InvalidToken"), ("key", "InvalidAccessKeyId"),
    ])
  func refused(field: String, detail: String) async throws {
    let world = try StepWorld()
    let signed = try await run(world, "get-upload-url", [:])
    var fields = try #require(signed["fields"]?.mapValue)
    fields[field] = "forged"
    let failure = try await failure(
      world, "upload-photo", ["url": signed["url"] ?? "", "fields": .map(fields), "file": "photos/dana.jpeg"])
    #expect(failure.code == "rapidsos.upload_refused")
    #expect(failure.detail.hasPrefix(detail), "\(failure.detail)")
    #expect(failure.tags == ["http.403"])
    #expect(world.sandbox.overview["rapidsos"]?["photos"] == [])
  }

  @Test("a signature ends")
  func expired() async throws {
    let world = try StepWorld()
    let signed = try await run(world, "get-upload-url", [:])
    world.clock.advance(seconds: 3600)
    let failure = try await failure(
      world, "upload-photo", ["url": signed["url"] ?? "", "fields": signed["fields"] ?? "", "file": "photos/dana.jpeg"])
    #expect(failure.detail == "AccessDenied: Invalid according to Policy: Policy expired.")
  }

  @Test("a picture that is not there is found before anything is sent")
  func noFile() async throws {
    let world = try StepWorld()
    let signed = try await run(world, "get-upload-url", [:])
    let failure = try await failure(
      world, "upload-photo", ["url": signed["url"] ?? "", "fields": signed["fields"] ?? "", "file": "x.jpeg"])
    #expect(failure.code == "config.file")
    #expect(world.received.count == 1)
  }

  @Test("a key of another form is refused")
  func badKey() async throws {
    let failure = try await failure(try StepWorld(), "get-upload-url", ["key": "me.png"])
    #expect(failure.code == "rapidsos.bad_key")
  }

  @Test(
    "a connection without `media_url` says so",
    arguments: [
      ("get-upload-url", [:]), ("register-push", ["phone": "2345678888", "push_token": "9f"]),
    ] as [(String, Value)])
  func noMediaURL(step: String, with: Value) async throws {
    let world = try StepWorld(settings: #"{"media_url": ""}"#)
    #expect(try await failure(world, step, with).detail == "the connection has no `media_url`, which this step needs")
    #expect(world.received.isEmpty)
  }

  @Test("a push registration carries the app's token, a new one after a 401, and digits")
  func push() async throws {
    let world = try StepWorld()
    let outputs = try await run(world, "register-push", ["phone": "(234) 567-8888", "push_token": "9f31c0de"])
    #expect(outputs["phone"] == "12345678888")
    try world.sandbox.change("rapidsos", "revoke", "client")
    _ = try await run(world, "register-push", ["phone": "12345678888", "push_token": "00"])
    #expect(
      world.sandbox.requests.map { "\($0.path) \($0.status)" } == [
        "/oauth/token 200", "/v1/apollo-config/register 200", "/v1/apollo-config/register 401", "/oauth/token 200",
        "/v1/apollo-config/register 200",
      ])
    #expect(world.sandbox.overview["rapidsos"]?["push_numbers"] == ["12345678888"])
    #expect(try await failure(world, "register-push", ["phone": "123", "push_token": "9f"]).code == "rapidsos.bad_number")
    #expect(try await failure(world, "register-push", ["phone": "2345678888", "push_token": "xyz"]).code == "rapidsos.validation_failed")
  }
}
