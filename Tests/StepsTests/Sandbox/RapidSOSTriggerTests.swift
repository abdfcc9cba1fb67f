import HTTPTypes
import SandboxKit
import Testing
import Values

@Suite struct RapidSOSTriggerTests {
  private let location: Value = ["latitude": 42.6526, "longitude": -73.7562, "uncertainty": 12.5]
  private let user: Value = ["full_name": "Dana Reyes", "phone_number": "+12345678888"]

  private func trigger(_ world: RapidSOSWorld, _ callFlow: Value = "kronos_contacts", _ variables: Value) -> SandboxReply {
    world.send(.post, "/v1/rem/trigger", ["callflow": callFlow, "variables": variables], token: world.clientToken())
  }

  @Test func aCallIsAcceptedAndKept() throws {
    let world = try RapidSOSWorld()
    let variables: Value = ["location": location, "user": user, "company": "Kronos"]
    #expect(trigger(world, "kronos_contacts", variables).text == #"202 {"alert_id":"al_0001","status":"accepted"}"#)
    #expect(trigger(world, "kronos_contacts", variables).json?["alert_id"] == "al_0002")
    let alerts = world.sandbox.answer(SandboxRequest(.get, "/_sandbox/state")).reply.json?["rapidsos"]?["alerts"]?.listValue ?? []
    #expect(alerts.count == 2)
    #expect(alerts.first?["variables"] == variables)
    #expect(alerts.first?["callflow"] == "kronos_contacts")
  }

  @Test(
    arguments: [
      ("42.652600", true), (42, true), (-73.7562, true), ("north", false), ("", false), (true, false), ("nan", false), (.null, false),
    ] as [(Value, Bool)])
  func aPlaceIsNumbersOrTextsOfNumbers(latitude: Value, isAccepted: Bool) throws {
    let reply = trigger(try RapidSOSWorld(), "kronos_contacts", ["location": ["latitude": latitude, "longitude": "1"], "user": user])
    #expect(reply.status == (isAccepted ? 202 : 400))
    if !isAccepted { #expect(reply.json?["detail"]?.mapValue?.map(\.key.text) == ["location.latitude"]) }
  }

  @Test func everyMissingVariableIsNamed() throws {
    #expect(
      trigger(try RapidSOSWorld(), "kronos_contacts", ["location": ["latitude": 1.5], "user": ["full_mame": "Dana"]]).text
        == #"400 {"detail":{"location.longitude":["Missing data for required field."],"user.full_name":["Missing data for required field."],"user.phone_number":["Missing data for required field."]}}"#
    )
    #expect(trigger(try RapidSOSWorld(), "kronos_contacts", .null).json?["detail"]?.mapValue?.count == 4)
  }

  @Test func anUnknownCallFlowIsNotFound() throws {
    let world = try RapidSOSWorld(given: ["call_flows": ["drill": ["location.latitude"]]])
    #expect(trigger(world, "kronos_contact", [:]).text == #"404 {"detail":"Call flow `kronos_contact` not found."}"#)
    #expect(trigger(world, "drill", ["location": ["latitude": 1]]).status == 202)
    #expect(trigger(world, .null, [:]).text == #"400 {"detail":{"callflow":["Field may not be null."]}}"#)
    #expect(world.sandbox.overview["rapidsos"]?["alerts"]?.listValue?.count == 1)
  }

  @Test func aVerifiedNumberIsDemandedWhereThatIsGiven() throws {
    let world = try RapidSOSWorld(given: [
      "requires_verified_number": true,
      "users": [["username": "dana.reyes", "verified_phones": ["+1 234-567-8888"]]],
    ])
    #expect(trigger(world, "kronos_contacts", ["location": location, "user": user]).status == 202)
    let other: Value = ["full_name": "Dana Reyes", "phone_number": "+15555555555"]
    #expect(
      trigger(world, "kronos_contacts", ["location": location, "user": other]).text
        == #"400 {"detail":{"user.phone_number":["Not a verified phone number."]}}"#)
  }

  /// However both are written: ten digits, or eleven from 1.
  @Test(arguments: ["(234) 567-8888", "+1 234-567-8888", "12345678888"], ["234-567-8888", "+12345678888"])
  func aVerifiedNumberIsTheSameInEveryNotation(given: String, sent: String) throws {
    let world = try RapidSOSWorld(given: [
      "requires_verified_number": true, "users": [["username": "dana.reyes", "verified_phones": [.string(given)]]],
    ])
    let caller: Value = ["full_name": "Dana Reyes", "phone_number": .string(sent)]
    #expect(trigger(world, "kronos_contacts", ["location": location, "user": caller]).status == 202)
  }

  @Test func theWholePathOfANewCaller() throws {
    let world = try RapidSOSWorld(given: ["requires_verified_number": true])
    #expect(world.register().status == 201)
    let token = world.userToken()
    #expect(world.send(.post, "/v1/rain/caller-ids", ["caller_id": "+12345678888"], token: token).status == 200)
    let proof: Value = ["caller_id": "+12345678888", "validation_code": .string(world.pin())]
    #expect(world.send(.patch, "/v1/rain/caller-ids", proof, token: token).status == 200)
    #expect(world.send(.get, "/v1/rain/personal-info", token: token).text == #"200 {"id":1}"#)
    #expect(trigger(world, "kronos_contacts", ["location": location, "user": user]).status == 202)
    #expect(try world.sandbox.requests(matching: "POST /oauth/token").count == 3)
    #expect(try world.sandbox.requests(matching: "rapidsos POST /v1/rem/trigger").map(\.status) == [202])
  }
}
