import HTTPTypes
import SandboxKit
import StepKit
import Steps
import Testing
import Values

@Suite("Afero's sandbox, as any client sees it")
struct AferoSandboxTests: AferoAnyClient {
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

  @Test("tells of each request of a batch that says too little, and does the others")
  func batches() throws {
    let sandbox = try sandbox(["users": [["username": "ann@example.test", "password": "hunter22", "devices": [["device_id": "dev-3"]]]]])
    let reply = ask(
      sandbox, .post, "/v1/accounts/acc-1/devices/dev-3/requests",
      [
        ["type": "attribute_write", "attrId": 1], ["type": "attribute_write", "value": "1"], ["type": "attribute_read"],
        ["type": "attribute_write", "attrId": 2, "value": "3"], ["type": "notify_viewing", "seconds": 5],
      ], headers: try bearer(sandbox))
    #expect(reply.status == 200)
    #expect(reply.json?.listValue?.map { $0["status"] } == ["FAILURE", "FAILURE", "FAILURE", "SUCCESS", "SUCCESS"])
    #expect(reply.json?.listValue?.first?["statusCode"] == 400)
    #expect(sandbox.overview["afero"]?["devices"]?.listValue?.first?["attributes"] == ["2": "03"])
  }

  @Test("puts a rule into the group of its path")
  func groupRules() throws {
    let sandbox = try sandbox([
      "users": [["username": "ann@example.test", "password": "hunter22", "groups": [["device_group_id": "grp-7", "label": "x"]]]]
    ])
    let headers = try bearer(sandbox)
    let path = "/v1/accounts/acc-1/deviceGroups/grp-7/rules"
    let made = ask(sandbox, .post, path, ["accountId": "acc-1"], headers: headers)
    #expect(made.json?["deviceGroupId"] == "grp-7")
    #expect(ask(sandbox, .put, "\(path)/rul-1", ["accountId": "acc-1"], headers: headers).json?["deviceGroupId"] == "grp-7")
    #expect(ask(sandbox, .get, path, headers: headers).json?.listValue?.count == 1)
    #expect(ask(sandbox, .post, "/v1/accounts/acc-1/deviceGroups/grp-8/rules", ["accountId": "acc-1"], headers: headers).status == 404)
  }

  @Test("gives nothing new the id of what is there")
  func ids() throws {
    let sandbox = try sandbox([
      "users": [
        [
          "username": "ann@example.test", "password": "hunter22", "account_id": "acc-1",
          "devices": [["device_id": "dev-2"], ["friendly_name": "b"]], "groups": [["device_group_id": "grp-1", "label": "x"]],
        ], ["username": "bo@example.test"],
      ]
    ])
    let overview = sandbox.overview["afero"]
    #expect(overview?["accounts"]?.listValue?.map { $0["account_id"] } == ["acc-1", "acc-2"])
    #expect(overview?["devices"]?.listValue?.prefix(2).map { $0["device_id"] } == ["dev-2", "dev-3"])
    let group = ask(
      sandbox, .post, "/v1/accounts/acc-1/deviceGroups", ["accountId": "acc-1", "label": "y"], headers: try bearer(sandbox))
    #expect(group.json?["deviceGroupId"] == "grp-2")
    let account = ask(
      sandbox, .post, "/v1/accounts",
      ["user": ["firstName": "A", "lastName": "B"], "credential": ["credentialId": "cy@example.test", "password": "hunter22"]])
    #expect(account.json?["accountId"] == "acc-3")
  }

  @Test("knows an installation in either spelling of its id")
  func installations() throws {
    let id = "7e5b1c64-0b6b-4b7e-8e2c-5b9c2e0f1a77"
    let sandbox = try sandbox([
      "users": [["username": "ann@example.test", "password": "hunter22", "mobile_devices": [["mobile_device_id": .string(id)]]]]
    ])
    let body: Value = ["platform": "IOS", "mobileDeviceId": .string(id.uppercased())]
    #expect(ask(sandbox, .post, "/v1/users/usr-1/mobileDevices", body, headers: try bearer(sandbox)).status == 201)
    #expect(sandbox.overview["afero"]?["users"]?.listValue?.first?["mobile_devices"]?.listValue?.count == 1)
  }

  @Test(
    "describes the queries that Afero's clients send",
    arguments: [
      ("get-rule", ["expansions"]), ("get-device", ["expansions"]), ("list-activity", ["endTimestamp", "limit", "filter"]),
      ("associate-device", ["expansions", "verified", "locale", "imageSize"]), ("list-profiles", ["locale", "imageSize"]),
      ("get-profile", ["locale", "imageSize"]), ("get-device-profile", ["locale", "imageSize"]),
      ("get-profile-version", ["locale", "imageSize"]),
    ])
  func queries(id: String, names: [String]) throws {
    let operation = try #require(AferoSandbox().api?.operations.first { $0.id == id })
    #expect(operation.parameters.filter { $0.place == .query }.map(\.name) == names)
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
