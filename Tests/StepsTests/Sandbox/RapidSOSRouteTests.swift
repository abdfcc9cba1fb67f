import HTTPTypes
import SandboxKit
import Steps
import Testing
import Values

@Suite struct RapidSOSRouteTests {
  private let home: Value = ["location_name": ["display_name": "Location Name", "type": "string", "value": ["Home"]]]

  @Test(arguments: ["locations", "devices"])
  func whatBelongsToSomebodyElseIsNotFound(plural: String) throws {
    let world = try RapidSOSWorld(given: ["users": [["username": "dana.reyes"], ["username": "ira.reyes"]]])
    let dana = world.userToken()
    let ira = world.logIn("ira.reyes").json?["access_token"]?.stringValue
    #expect(world.send(.post, "/v1/rain/\(plural)", [:], token: dana).text == #"201 {"id":1}"#)
    for method in [HTTPRequest.Method.get, .patch, .put, .delete] {
      let reply = world.send(method, "/v1/rain/\(plural)/1", method == .get || method == .delete ? nil : [:], token: ira)
      #expect(reply.text == #"404 {"detail":"Not found."}"#)
    }
    #expect(world.send(.get, "/v1/rain/\(plural)", token: ira).text == "200 []")
    #expect(world.send(.get, "/v1/rain/\(plural)/1", token: dana).text == #"200 {"id":1}"#)
  }

  @Test(arguments: ["+1", "01x", "1.0", "%2B1", "99999999999999999999", "0"])
  func anIDIsAPlainNumber(id: String) throws {
    let world = try RapidSOSWorld(given: ["users": [["username": "dana.reyes", "locations": [["comment": ["x"]]]]]])
    #expect(world.send(.get, "/v1/rain/locations/\(id)", token: world.userToken()).status == 404)
  }

  @Test func theServerAddsTheTime() throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    #expect(
      world.send(.post, "/v1/rain/locations", home, token: world.userToken()).text
        == #"201 {"id":1,"location_name":{"display_name":"Location Name","type":"string","updated_time":1732179601050,"value":["Home"]}}"#)
  }

  @Test(
    arguments: [
      (["locaton_name": ["value": []]], #"{"locaton_name":["Unknown field."]}"#),
      (["location_name": ["Home"]], #"{"location_name":["Invalid type."]}"#),
      (["location_name": ["type": "address", "value": ["Home"]]], #"{"location_name.type":["Must be equal to string."]}"#),
      (["location_name": [:]], #"{"location_name.value":["Missing data for required field."]}"#),
      (
        ["location_name": ["value": [1, "x", .null]]],
        #"{"location_name.value.0":["Not a valid string."],"location_name.value.2":["Field may not be null."]}"#
      ),
      (
        ["address": ["value": [["latitude": "north", "city": "x"]]]],
        #"{"address.value.0.latitude":["Not a valid number."],"address.value.0.city":["Unknown field."]}"#
      ),
    ] as [(Value, String)])
  func everyWrongSectionIsNamed(body: Value, detail: String) throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    #expect(world.send(.post, "/v1/rain/locations", body, token: world.userToken()).text == "400 {\"detail\":\(detail)}")
  }

  @Test(arguments: [
    ("GET", "/v1/rain/locations"), ("POST", "/v1/rain/devices"), ("PATCH", "/v1/rain/personal-info"), ("POST", "/v1/rain/password-reset"),
    ("POST", "/v1/apollo-config/register"), ("DELETE", "/v1/rain/devices/1"), ("PUT", "/v1/rain/locations/1"),
  ])
  func everyRouteWantsItsOwnToken(method: String, path: String) throws {
    let world = try RapidSOSWorld(given: RapidSOSWorld.user)
    let method = try #require(HTTPRequest.Method(method))
    #expect(world.send(method, path, [:]).text.hasPrefix("401 {\"fault\":{\"faultstring\":\"Invalid Access Token\""))
    let isClient = path.contains("password-reset") || path.contains("apollo")
    #expect(world.send(method, path, [:], token: isClient ? world.userToken() : world.clientToken()).status == 403)
    world.move(.seconds(3600))
    try world.sandbox.change("rapidsos", "set", ["wrong_token_status": 401])
    #expect(world.send(method, path, [:], token: isClient ? world.userToken() : world.clientToken()).status == 401)
  }

  @Test(
    arguments: [
      (["create_status": 200], "POST", "/v1/rain/locations", 200), (["pin_request_status": 201], "POST", "/v1/rain/caller-ids", 201),
      (["trigger_status": 200], "POST", "/v1/rem/trigger", 200), (["reveals_unknown_email": false], "POST", "/v1/rain/password-reset", 200),
    ] as [(Value, String, String, Int)])
  func whatIsAssumedIsASwitch(switches: Value, method: String, path: String, status: Int) throws {
    let world = try RapidSOSWorld(given: ["users": [["username": "dana.reyes"]], "call_flows": ["drill": []]])
    try world.sandbox.change("rapidsos", "set", switches)
    let bodies: [String: Value] = [
      "/v1/rain/locations": [:], "/v1/rain/caller-ids": ["caller_id": "12345678888"],
      "/v1/rem/trigger": ["callflow": "drill", "variables": [:]],
      "/v1/rain/password-reset": ["email": "nobody@example.test"],
    ]
    let isUser = path.contains("locations") || path.contains("caller")
    let token = isUser ? world.userToken() : world.clientToken()
    #expect(world.send(.post, path, bodies[path], token: token).status == status)
  }

  @Test func aPINMayBeReusableAndATokenShort() throws {
    let world = try RapidSOSWorld(given: ["users": [["username": "dana.reyes"]], "pin": "482913", "pin_reusable": true])
    let token = world.userToken()
    _ = world.send(.post, "/v1/rain/caller-ids", ["caller_id": "12345678888"], token: token)
    let proof: Value = ["caller_id": "12345678888", "validation_code": "482913"]
    for _ in 0..<2 { #expect(world.send(.patch, "/v1/rain/caller-ids", proof, token: token).status == 200) }
    try world.sandbox.change("rapidsos", "set", ["token_life": "1s", "login_attempts": 0])
    #expect(world.logIn().json?["expires_in"] == "1")
    #expect(throws: SandboxError.self) { try world.sandbox.change("rapidsos", "set", ["token_lif": 1]) }
    #expect(throws: SandboxError.self) { try world.sandbox.change("rapidsos", "set", ["create_status": 418]) }
  }

  // MARK: The description

  @Test func everyRouteIsDescribedAndNothingElse() throws {
    let system = RapidSOSSandbox()
    let operations = try #require(system.api).operations
    let routes = system.routes.map { "\($0.method.rawValue) \($0.path)" }
    #expect(operations.map { "\($0.method.rawValue) \($0.path)" }.sorted() == routes.sorted())
    #expect(Set(operations.map(\.id)).count == operations.count)
    for operation in operations where operation.security != nil {
      #expect(Set(operation.answers.map(\.status)).isSuperset(of: [401, 403]), "\(operation.id)")
    }
  }

  @Test func theDocumentIsServed() throws {
    let world = try RapidSOSWorld()
    let reply = world.sandbox.answer(SandboxRequest(.get, "/_sandbox/openapi/rapidsos.json")).reply
    #expect(reply.json?["openapi"] == "3.1.0")
    #expect(reply.json?["paths"]?["/v1/rain/locations/{id}"]?["put"]?["operationId"] == "replace-location")
    #expect(reply.json?["components"]?["schemas"]?["Profile"]?["additionalProperties"] == false)
    #expect(world.sandbox.answer(SandboxRequest(.get, "/_sandbox/openapi/afero.json")).reply.status == 404)
  }

  /// Every key of the schema is taken, so that none is described in vain.
  @Test func whatMayBeGivenIsDescribed() throws {
    let properties = try #require(RapidSOSSandbox().givenSchema["properties"]?.mapValue)
    for (key, schema) in properties {
      let value: Value =
        switch schema["type"] {
        case "array": []
        case "object": [:]
        case "boolean": true
        case "integer": 1
        case "string": "1"
        default: schema["enum"]?.listValue?.first ?? "1s"
        }
      #expect(throws: Never.self, "\(key.text)") {
        try RapidSOSWorld(given: .map([(key.text, value)].reduce(into: ValueMap()) { $0[$1.0] = $1.1 }))
      }
      #expect(schema["description"] != nil, "\(key.text)")
    }
    #expect(RapidSOSSandbox().changeSchema["properties"]?.mapValue?.map(\.key.text) == ["expire", "revoke", "set"])
  }

  // MARK: Photos

  private func upload(_ world: RapidSOSWorld, _ body: String, type: String = "multipart/form-data; boundary=b") -> SandboxReply {
    world.sandbox.answer(
      SandboxRequest(.post, "/rapidsos/kronos-images/", headers: [.contentType: type], body: Array(body.utf8))
    ).reply
  }

  @Test(arguments: [
    ("", "application/json", 412, "PreconditionFailed"), ("--b--", "multipart/form-data", 400, "MalformedPOSTRequest"),
    ("nothing", "multipart/form-data; boundary=b", 400, "MalformedPOSTRequest"),
    ("--b--\r\n", "multipart/form-data; boundary=b", 400, "InvalidArgument"),
    (
      "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=\"b\"", 400,
      "InvalidArgument"
    ),
    (
      "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nk\r\n--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b--\r\n",
      "multipart/form-data; boundary=b", 403, "AccessDenied"
    ),
    ("--b\r\nno head\r\n--b--\r\n", "multipart/form-data; boundary=b", 400, "MalformedPOSTRequest"),
  ])
  func aFormThatIsNotWholeIsRefused(body: String, type: String, status: Int, code: String) throws {
    let reply = upload(try RapidSOSWorld(), body, type: type)
    #expect(reply.status == status)
    #expect(reply.headers[.contentType] == "application/xml")
    #expect(String(decoding: reply.body, as: UTF8.self).contains("<Code>\(code)</Code>"))
  }

  @Test func aPhotoThatNobodyStoredIsNotThere() throws {
    let reply = try RapidSOSWorld().send(.get, "/kronos-images/a1B2c3D4e5F6g7H8.jpeg")
    #expect(reply.status == 404)
    #expect(String(decoding: reply.body, as: UTF8.self).contains("NoSuchKey"))
  }
}
