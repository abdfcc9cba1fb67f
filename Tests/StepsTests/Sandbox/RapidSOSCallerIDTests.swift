import HTTPTypes
import SandboxKit
import Testing
import Values

@Suite struct RapidSOSCallerIDTests {
  private func world(_ given: Value = RapidSOSWorld.user) throws -> (RapidSOSWorld, token: String) {
    let world = try RapidSOSWorld(given: given)
    return (world, world.userToken())
  }

  private let path = "/v1/rain/caller-ids"

  @Test(arguments: ["12345678888", "+12345678888"])
  func aNumberIsEchoedAsDigits(number: String) throws {
    let (world, token) = try world()
    #expect(world.send(.post, path, ["caller_id": .string(number)], token: token).text == #"200 {"caller_id":"12345678888","id":1}"#)
    let message = try #require(world.sandbox.sms(to: number).last)
    #expect(message.recipient == "12345678888")
    #expect(message.code?.count == 6)
    #expect(message.text == "Your RapidSOS verification code is \(message.code ?? "").")
  }

  @Test(arguments: ["", "+", "5678888", "(234) 567-8888", "234*567●8", "1234567890123456", "++12345678888"])
  func anythingElseIsNoNumber(number: String) throws {
    let (world, token) = try world()
    #expect(
      world.send(.post, path, ["caller_id": .string(number)], token: token).text
        == #"400 {"detail":{"caller_id":["Not a valid phone number."]}}"#)
    #expect(world.sandbox.sms().isEmpty)
  }

  @Test func aWrongPINMayBeTriedAgainAndARightOneIsGoodOnce() throws {
    let (world, token) = try world()
    _ = world.send(.post, path, ["caller_id": "12345678888"], token: token)
    func validate(_ pin: String) -> String {
      world.send(.patch, path, ["caller_id": "+12345678888", "validation_code": .string(pin)], token: token).text
    }
    let wrong = #"400 {"detail":"Validation code is invalid"}"#
    #expect(validate("000000") == wrong)
    #expect(validate("111111") == wrong)
    #expect(validate(world.pin()) == #"200 {"caller_id":"12345678888","id":1}"#)
    #expect(validate(world.pin()) == wrong)
    #expect(world.sandbox.overview["rapidsos"]?["caller_ids"]?.listValue?.first?["verified"] == true)
  }

  @Test func aNewPINReplacesTheOld() throws {
    let (world, token) = try world()
    _ = world.send(.post, path, ["caller_id": "12345678888"], token: token)
    let old = world.pin()
    #expect(world.send(.post, path, ["caller_id": "12345678888"], token: token).json?["id"] == 1)
    #expect(world.pin() != old)
    #expect(world.send(.patch, path, ["caller_id": "12345678888", "validation_code": .string(old)], token: token).status == 400)
    #expect(world.send(.patch, path, ["caller_id": "12345678888", "validation_code": .string(world.pin())], token: token).status == 200)
  }

  @Test func aNumberThatWasNeverRequestedIsNotFound() throws {
    let (world, token) = try world(["users": [["username": "dana.reyes"], ["username": "ira.reyes"]]])
    _ = world.send(.post, path, ["caller_id": "12345678888"], token: token)
    let body: Value = ["caller_id": "12345678889", "validation_code": "123456"]
    #expect(world.send(.patch, path, body, token: token).text == #"404 {"detail":"Not found."}"#)
    let other = world.logIn("ira.reyes").json?["access_token"]?.stringValue
    let theirs: Value = ["caller_id": "12345678888", "validation_code": .string(world.pin())]
    #expect(world.send(.patch, path, theirs, token: other).status == 404)
  }

  @Test func missingFieldsAreReported() throws {
    let (world, token) = try world()
    #expect(
      world.send(.patch, path, [:], token: token).text
        == #"400 {"detail":{"caller_id":["Missing data for required field."],"validation_code":["Missing data for required field."]}}"#)
  }

  @Test func aGivenPINIsEveryPIN() throws {
    let (world, token) = try world(["users": [["username": "dana.reyes"]], "pin": "482913"])
    for number in ["12345678888", "15555555555"] {
      _ = world.send(.post, path, ["caller_id": .string(number)], token: token)
      #expect(world.pin(to: number) == "482913")
    }
  }
}
