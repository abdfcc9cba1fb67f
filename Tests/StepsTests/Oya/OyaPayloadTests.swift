import SandboxKit
import StepKit
import Steps
import Testing
import Values

/// The document's own payloads are read as they stand.
@Suite("OYA: the documented payloads") struct OyaPayloadTests {
  static let answers: [(step: String, with: String, status: Int, body: String)] = [
    (
      "create-customer", #"{"nickname": "Mei", "contact_email": "mei@example.test"}"#, 201,
      #"{"id":"5112d0bf","nickname":"Mei","contactEmail":"mei@example.test","createdOn":"2024-11-21T09:00:00Z","analyticsId":"42b7","referralId":"b186"}"#
    ),
    (
      "get-myinfo-config", "{}", 200,
      #"{"url":"https://myinfo.example.test/authorise?client_id=stg-1&redirect_uri=https://dl-dev.oya.world/links/myinfo"}"#
    ),
    (
      "get-myinfo", #"{"code": "a"}"#, 200,
      #"{"name":{"value":"TAN MEI"},"dob":{"value":"1998-06-06"},"uinfin":{"value":"S9315107J"},"passexpirydate":{"value":"2030-01-01"},"regadd":{"unit":{"value":"10"},"street":{"value":"MAIN ST"},"block":{"value":"5"},"postal":{"value":"460005"},"floor":{"value":"02"},"building":{"value":""}},"mailadd":{}}"#
    ),
    (
      "get-context", "{}", 200,
      #"{"customer":{"id":"5112d0bf","nickname":"Mei","contactEmail":"mei@example.test","analyticsId":"42b7","referralId":"b186"},"regions":[{"region":{"id":"sg","name":"Singapore"},"status":"PENDING","kycStatusMap":{"JUMIO":"PENDING","MY_INFO":"PENDING","NRIC_FIN":"PENDING","ADDRESS":"PENDING"},"kycExpiryDateMap":{},"simProfiles":[]}]}"#
    ),
    (
      "create-sim-profile", #"{"region": "sg"}"#, 200,
      #"{"iccId":"8947000000000001598","eSimActivationCode":"LPA:1$rsp.example$AAAAA-BBBBB","status":"AVAILABLE_FOR_DOWNLOAD","alias":"","requestedOn":"2024-11-21T09:00:00Z","downloadedOn":null,"installedOn":null,"installedReportedByAppOn":null,"deletedOn":null}"#
    ),
    ("create-scan", #"{"region": "sg"}"#, 201, #"{"scanId":"326aceb6","countryCode":"sg","status":"PENDING","scanResult":null}"#),
    ("get-bundles", "{}", 200, #"[{"id":"5f1c","balance":1100000000,"lastConsumedOn":"2024-11-21T09:00:00Z"}]"#),
    (
      "list-purchases", "{}", 200,
      #"[{"id":"ch_1Dq","timestamp":1732150900000,"product":{"sku":"1GB_15SGD","price":{"amount":1500,"currency":"SGD"},"properties":{"noOfBytes":"1_000_000_000"},"presentation":{"productLabel":"+1GB","priceLabel":"$15"},"payment":{}},"refund":null,"properties":{}}]"#
    ),
  ]

  @Test(arguments: answers.indices)
  func isRead(position: Int) async throws {
    let answer = Self.answers[position]
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    let about = try #require(StepCatalogue.standard.step("oya/\(answer.step)"))
    let scripted = ScriptedTransport([.json(answer.status, answer.body)])
    let http = ConnectedHTTP(
      endpoint: world.steps.endpoint, session: world.steps.session, transport: scripted, clock: world.steps.clock,
      effect: about.about.effect,
      token: about.about.token)
    var ports = try world.steps.ports(for: about.about)
    ports.http = http
    let with = try #require(try JSON.parse(answer.with).mapValue)
    let outputs = try await about.run(with, ports)
    #expect(about.refineOutput(with).violations(in: outputs).map(\.message) == [])
    // Nothing that the answer holds is lost, but for what is null.
    #expect(Self.leaves(try JSON.parse(answer.body)).subtracting(Self.leaves(.map(outputs).fullyExposed)) == [])
  }

  @Test func theSandboxDescribesACustomerWithoutTheDayOfTheSignUp() throws {
    let schema = try #require(OyaSandbox().api?.schemas.first { $0.name == "Customer" }).schema
    let described = FieldConstraint.conforms(try SchemaShape(schema))
    for answer in Self.answers where ["create-customer", "get-context"].contains(answer.step) {
      let body = try JSON.parse(answer.body)
      #expect(described.violations(in: body["customer"] ?? body, at: []).map(\.message) == [], "\(answer.step)")
    }
  }

  @Test func theChecksHaveTheNamesOfFlows() async throws {
    let world = try OyaWorld(customer: "")
    try await world.signIn()
    let region = try await world.run("get-region", #"{"region": "sg"}"#)
    #expect(region["kyc_status_map"]?.mapValue?.map(\.key.text) == ["jumio", "my_info", "nric_fin", "address"])
  }

  /// The texts and numbers inside.
  private static func leaves(_ value: Value) -> Set<String> {
    switch value {
    case .list(let items): Set(items.flatMap { leaves($0) })
    case .map(let map): Set(map.flatMap { leaves($0.value) })
    case .null: []
    default: [value.json()]
    }
  }
}
