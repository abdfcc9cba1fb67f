import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("Afero's sandbox, as any client sees it")
struct AferoSandboxTests {
  private func sandbox(_ given: Value = ["users": [["username": "ann@example.test", "password": "hunter22"]]]) throws -> Sandbox {
    try Sandbox(
      systems: [AferoSandbox()], given: ["afero": given],
      clock: SandboxClock(now: { Timestamp(seconds: 1_732_150_900) }, sleep: { _ in }))
  }

  private func ask(
    _ sandbox: Sandbox, _ method: HTTPRequest.Method, _ target: String, _ body: Value? = nil, headers: HTTPFields = [:]
  ) -> SandboxReply {
    guard let body else { return sandbox.answer(SandboxRequest(method, target: "/afero\(target)", headers: headers)).reply }
    return sandbox.answer(.json(method, "/afero\(target)", body, headers: headers)).reply
  }

  private func token(_ sandbox: Sandbox, _ form: String, pair: String = "Y2lkOnMzY3IzdA==", at target: String = "/oauth/token")
    -> SandboxReply
  {
    let headers: HTTPFields = [.authorization: "Basic \(pair)", .contentType: "application/x-www-form-urlencoded"]
    return sandbox.answer(SandboxRequest(.post, "/afero\(target)", headers: headers, body: Array(form.utf8))).reply
  }

  private func bearer(_ sandbox: Sandbox) throws -> HTTPFields {
    let reply = token(sandbox, "grant_type=password&username=ann%40example.test&password=hunter22")
    return [.authorization: "Bearer \(try #require(reply.json?["access_token"]?.stringValue))"]
  }

  @Test("answers the probe's own form to whoever has no token")
  func unauthorized() throws {
    let reply = ask(try sandbox(), .get, "/v1/users/me")
    #expect(reply.status == 401)
    #expect(
      reply.json == [
        "timestamp": 1_732_150_900_000, "status": 401, "error": "unauthorized",
        "error_description": "Full authentication is required to access this resource", "service_name": "ClientApi",
        "region": "us-west-2",
      ])
  }

  @Test(
    "asks for a token before anything else",
    arguments: [
      "/v1/accounts/acc-9/devices", "/v1/accounts/acc-1/deviceGroups", "/v1/accounts/acc-1/rules", "/v1/accounts/acc-1/activity",
      "/v1/accounts/acc-1/accountUserSummary", "/v1/accounts/acc-1/deviceProfiles", "/v1/devices/x/deviceProfiles/versions/1",
    ])
  func guarded(target: String) throws {
    #expect(ask(try sandbox(), .get, target).status == 401)
    #expect(ask(try sandbox(), .get, target, headers: [.authorization: "Bearer x"]).status == 401)
  }

  @Test("knows no other paths, and no other methods")
  func routes() throws {
    let sandbox = try sandbox()
    #expect(ask(sandbox, .get, "/v1/nothing").status == 404)
    let refused = ask(sandbox, .patch, "/v1/accounts")
    #expect(refused.status == 405)
    #expect(refused.headers[.allow] == "POST")
  }

  @Test(
    "refuses what its token endpoint does not give",
    arguments: [
      ("", "invalid_request", 400), ("grant_type=client_credentials", "unsupported_grant_type", 400),
      ("grant_type=password&username=ann%40example.test&password=hunter22&scope=all", "invalid_scope", 400),
      ("grant_type=password&username=ann%40example.test", "invalid_grant", 400),
      ("grant_type=refresh_token&refresh_token=x", "invalid_grant", 400), ("grant_type=refresh_token", "invalid_grant", 400),
    ])
  func grants(form: String, error: String, status: Int) throws {
    let reply = token(try sandbox(), form)
    #expect(reply.status == status)
    #expect(reply.json?["error"] == .string(error))
  }

  @Test("renews at the second endpoint, and gives nothing for passwords there")
  func renewalOnly() throws {
    let reply = token(try sandbox(), "grant_type=password&username=ann%40example.test&password=hunter22", at: "/token")
    #expect(reply.json?["error"] == "unsupported_grant_type")
  }

  @Test("gives an app nothing for the refresh token of another one")
  func clients() throws {
    let sandbox = try sandbox()
    let first = token(sandbox, "grant_type=password&username=ann%40example.test&password=hunter22")
    let refresh = try #require(first.json?["refresh_token"]?.stringValue)
    let form = "grant_type=refresh_token&refresh_token=\(refresh)"
    // base64("other:s3cr3t")
    #expect(token(sandbox, form, pair: "b3RoZXI6czNjcjN0").json?["error"] == "invalid_grant")
    #expect(token(sandbox, form).status == 200)
  }

  @Test(
    "refuses bodies that are not as described, by their fields",
    arguments: [
      (["user": ["firstName": "A", "lastName": "B"]], ["credential"]),
      (
        [
          "user": ["firstName": 7, "lastName": .null],
          "credential": ["credentialId": "nobody", "password": "hunter22", "verified": "yes"],
        ], ["user.firstname", "user.lastname", "credential.credentialId", "credential.verified"]
      ),
    ] as [(Value, [String])])
  func bodies(body: Value, fields: [String]) throws {
    let reply = ask(try sandbox(), .post, "/v1/accounts", body)
    #expect(reply.status == 400)
    #expect(reply.json?["error"] == "validationFailure")
    #expect(reply.json?["fieldErrors"]?.listValue?.compactMap { $0["field"]?.stringValue } == fields)
  }

  @Test("lets through what nobody reads, and null for what may be left out")
  func tolerant() throws {
    let body: Value = [
      "account": .null, "user": ["firstName": "A", "lastName": "B"], "extra": 1,
      "credential": ["credentialId": "bo@example.test", "password": "hunter22", "type": .null],
    ]
    #expect(ask(try sandbox(), .post, "/v1/accounts", body).status == 201)
  }

  @Test("refuses pages that are none", arguments: ["limit=0", "limit=x", "endTimestamp=-1", "endTimestamp=now"])
  func pages(query: String) throws {
    let sandbox = try sandbox()
    let headers = try bearer(sandbox)
    #expect(ask(sandbox, .get, "/v1/accounts/acc-1/activity?\(query)", headers: headers).status == 400)
    #expect(ask(sandbox, .get, "/v1/accounts/acc-1/activity?limit=1", headers: headers).status == 200)
  }

  @Test("refuses groups that name another account than their path")
  func otherAccount() throws {
    let sandbox = try sandbox()
    let reply = ask(
      sandbox, .post, "/v1/accounts/acc-1/deviceGroups", ["accountId": "acc-2", "label": "x"], headers: try bearer(sandbox))
    #expect(reply.json?["fieldErrors"]?.listValue?.map { $0["field"] } == ["accountId"])
  }

  // MARK: what scenarios give and change

  @Test(
    "says what it cannot be given, and where",
    arguments: [
      (["nonsense": 1], "given.afero"), (["create_status": 204], "given.afero.create_status"),
      (["users": [["username": "a@b.c"], ["username": "A@B.C"]]], "given.afero.users[1].username"),
      (["users": [["username": "a@b.c", "access": [["account_id": "acc-7"]]]]], "given.afero.users[0].access[0].account_id"),
      (["users": [["username": "a@b.c", "groups": [["label": ""]]]]], "given.afero.users[0].groups[0]"),
      (["devices": [["device_id": "d"], ["device_id": "d"]]], "given.afero.devices[1].device_id"),
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

  @Test("describes an operation for each of its routes, and no other")
  func described() throws {
    let system = AferoSandbox()
    let operations = try #require(system.api).operations
    let named = operations.map { "\($0.method.rawValue) \($0.path)" }
    #expect(Set(named) == Set(system.routes.map { "\($0.method.rawValue) \($0.path)" }))
    #expect(named.count == Set(named).count)
    #expect(Set(operations.map(\.id)).count == operations.count)
  }
}
