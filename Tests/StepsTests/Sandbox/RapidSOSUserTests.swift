import HTTPTypes
import SandboxKit
import Testing
import Values

@Suite struct RapidSOSUserTests {
  @Test func aNewUserIsEchoedWithoutThePassword() throws {
    let world = try RapidSOSWorld()
    #expect(
      world.register().text
        == #"201 {"id":1,"username":"dana.reyes","email":"dana@example.test","created":"2024-11-21T09:00:01.050989+00:00","modified":null}"#
    )
    #expect(world.send(.get, "/v1/rain/personal-info", token: world.userToken()).text == #"200 {"id":1}"#)
  }

  @Test func aWholeSecondHasNoDecimals() throws {
    let world = try RapidSOSWorld()
    world.move(.microseconds(949_011))
    #expect(world.register().json?["created"] == "2024-11-21T09:00:02+00:00")
  }

  @Test func aUserNameIsTakenOnce() throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    #expect(world.register().text == #"400 {"detail":"User with username `dana.reyes` already exists."}"#)
    #expect(world.register(["username": "dana.other"]).json?["id"] == 2)
  }

  @Test func everyWrongFieldIsReported() throws {
    let reply = try RapidSOSWorld().register(["username": "dana", "password": "horse", "email": "dana"])
    #expect(
      reply.text
        == #"400 {"detail":{"username":["Length must be between 7 and 150."],"password":["Length must be between 8 and 150."],"email":["Not a valid email address."]}}"#
    )
  }

  @Test(arguments: [
    ("username", 6, false), ("username", 7, true), ("username", 150, true), ("username", 151, false), ("password", 7, false),
    ("password", 8, true), ("password", 150, true), ("password", 151, false),
  ])
  func lengthsAreInCodePoints(field: String, length: Int, isAccepted: Bool) throws {
    let reply = try RapidSOSWorld().register([field: .string(String(repeating: "é", count: length))])
    #expect(reply.status == (isAccepted ? 201 : 400))
    if !isAccepted { #expect(reply.json?["detail"]?.mapValue?.map(\.key.text) == [field]) }
  }

  @Test(arguments: [
    ("dana@example.test", true), ("d.r+x@a-b.example.test", true), ("dana", false), ("dana@", false), ("@example.test", false),
    ("dana@example", false), ("dana@example..test", false), ("dana@-a.test", false), ("da na@example.test", false), ("a@b@c.test", false),
    ("", false),
  ])
  func anEmailIsChecked(email: String, isAccepted: Bool) throws {
    let reply = try RapidSOSWorld().register(["email": .string(email)])
    #expect(isAccepted ? reply.status == 201 : reply.text == #"400 {"detail":{"email":["Not a valid email address."]}}"#)
  }

  @Test(
    arguments: [
      (["username": .null], #"{"detail":{"username":["Field may not be null."]}}"#),
      (["username": 1_234_567], #"{"detail":{"username":["Not a valid string."]}}"#),
    ] as [(Value, String)])
  func aFieldOfAnotherTypeIsRefused(changes: Value, body: String) throws {
    #expect(try RapidSOSWorld().register(changes).text == "400 \(body)")
  }

  @Test func aMissingFieldAndAMissingBodyAreRefused() throws {
    let world = try RapidSOSWorld()
    let body: Value = ["username": "dana.reyes", "password": "correct-horse"]
    #expect(
      world.send(.post, "/v1/rain/user", body, token: world.clientToken()).text
        == #"400 {"detail":{"email":["Missing data for required field."]}}"#)
    #expect(world.send(.post, "/v1/rain/user", token: world.clientToken()).text == #"400 {"detail":"Invalid input."}"#)
    #expect(world.send(.post, "/v1/rain/user", [], token: world.clientToken()).text == #"400 {"detail":"Invalid input."}"#)
  }

  @Test(arguments: [
    (HTTPRequest.Method.post, "/v1/rain/personal-info", "405 {\"detail\":\"Method not allowed.\"}"),
    (.get, "/oauth/token", "405 {\"detail\":\"Method not allowed.\"}"), (.get, "/v1/rain/nothing", "404 {\"detail\":\"Not found.\"}"),
  ])
  func otherMethodsAndPathsAreRefused(method: HTTPRequest.Method, path: String, text: String) throws {
    #expect(try RapidSOSWorld().send(method, path).text == text)
  }

  @Test(
    arguments: [
      (["usres": []], "unknown key `usres`"), (["users": [["username": "a", "paswort": "b"]]], "users[0]`: unknown key `paswort`"),
      (["users": [["password": "b"]]], "`username` is missing"), (["users": [["username": "a"], ["username": "a"]]], "`a` is given twice"),
      (["clients": [["client_id": "a"]]], "`client_secret` is missing"), (["token_life": "long"], "expected a duration"),
      (["requires_verified_number": "yes"], "expected a bool"), (["pin": 123_456], "expected a string"),
    ] as [(Value, String)])
  func whatIsGivenWrongIsRefused(given: Value, message: String) {
    let error = #expect(throws: SandboxError.self) { try RapidSOSWorld(given: given) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
