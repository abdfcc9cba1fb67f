import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("What scenarios give Afero's sandbox, and change")
struct AferoGivenTests: AferoAnyClient {
  @Test(
    "has one device on its shelf, unless it is told what lies there",
    arguments: [
      ([:], ["dev-0"]), (["devices": []], []), (["devices": [["device_id": "d"]]], ["d"]),
      (["users": [["username": "a@b.c", "devices": [["device_id": "d"]]]]], ["d", "dev-0"]),
      (["users": [["username": "a@b.c", "devices": [["device_id": "d", "association_id": "0123456789abcdef"]]]]], ["d"]),
      (["users": [["username": "a@b.c", "devices": [["device_id": "dev-0"]]]]], ["dev-0"]),
    ] as [(Value, [Value])])
  func shelf(given: Value, devices: [Value]) throws {
    #expect(try sandbox(given).overview["afero"]?["devices"]?.listValue?.map { $0["device_id"] } == devices)
  }

  @Test("shows what is given of an activity, pictures included")
  func activity() throws {
    let given: Value = [
      "history_type": "STATE", "message": "m", "created_timestamp": 1, "icon": "i", "device_icon": "d", "control_icon": "c",
    ]
    let sandbox = try sandbox(["users": [["username": "ann@example.test", "password": "hunter22", "activities": [given]]]])
    let entry = ask(sandbox, .get, "/v1/accounts/acc-1/activity", headers: try bearer(sandbox)).json?.listValue?.first
    #expect(entry?["icon"] == "i")
    #expect(entry?["deviceIcon"] == "d")
    #expect(entry?["controlIcon"] == "c")
  }

  @Test(
    "says what it cannot be given, and where",
    arguments: [
      (["nonsense": 1], "given.afero"), (["create_status": 204], "given.afero.create_status"),
      (["users": [["username": "a@b.c"], ["username": "A@B.C"]]], "given.afero.users[1].username"),
      (["users": [["username": "a@b.c", "access": [["account_id": "acc-7"]]]]], "given.afero.users[0].access[0].account_id"),
      (["users": [["username": "a@b.c", "groups": [["label": ""]]]]], "given.afero.users[0].groups[0]"),
      (["devices": [["device_id": "d"], ["device_id": "d"]]], "given.afero.devices[1].device_id"),
      (
        ["users": [["username": "a@b.c", "groups": [["device_group_id": "g", "label": "x"], ["device_group_id": "g", "label": "y"]]]]],
        "given.afero.users[0].groups[1].device_group_id"
      ),
      (["devices": [["association_id": "a"], ["association_id": "a"]]], "given.afero.devices[1].association_id"),
      (["devices": [["attributes": ["x": "01"]]]], "given.afero.devices[0].attributes.x"),
      (["profiles": [["name": "p"]]], "given.afero.profiles[0]"),
    ] as [(Value, String)])
  func givens(given: Value, path: String) throws {
    let error = #expect(throws: SandboxError.self) { _ = try sandbox(given) }
    #expect(error?.path == path)
  }

  @Test("says what it cannot be changed to", arguments: [("stop", "user"), ("expire", "client"), ("device", "x")])
  func changes(verb: String, what: String) throws {
    let sandbox = try sandbox()
    #expect(throws: SandboxError.self) { try sandbox.change("afero", verb, .string(what)) }
    #expect(throws: SandboxError.self) { try sandbox.change("afero", "device", ["device_id": "none"]) }
  }

  @Test("describes what it takes in schemas, and shows no password and no code")
  func schemas() throws {
    let given: Value = [
      "token_life": "1s", "reset_code": "482913",
      "users": [
        [
          "username": "a@b.c", "password": "a-password", "reset_code": "111111", "devices": [["online": false, "attributes": ["1": "01"]]],
          "groups": [["device_group_id": "grp-9", "label": "x"]],
        ]
      ],
    ]
    let schema = try SchemaShape(AferoSandbox().givenSchema)
    let shape = RecordShape([.init("given", "", .any, isRequired: true, constraint: .conforms(schema))])
    #expect(shape.violations(in: ValueMap(members: ["given": given])).map(\.message) == [])
    #expect(!shape.violations(in: ValueMap(members: ["given": ["nonsense": 1]])).isEmpty)
    let overview = try sandbox(given).overview.json()
    #expect(!overview.contains("a-password") && !overview.contains("111111"))
    #expect(overview.contains("grp-9"))
  }
}
