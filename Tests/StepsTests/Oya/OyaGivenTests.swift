import JSONSchema
import SandboxKit
import Steps
import Testing
import Values

@Suite("OYA: what a scenario gives and changes") struct OyaGivenTests {
  @Test(arguments: [
    (#"{"peple": []}"#, "unknown key `peple`"), (#"{"people": [{"custmer": {}}]}"#, "unknown key `custmer`"),
    (#"{"people": [{"customer": {"nick": "x"}}]}"#, "unknown key `nick`"),
    (#"{"people": [{"email": "a@b.test"}, {"email": "a@b.test"}]}"#, "`a@b.test` is given twice"),
    (
      #"{"people": [{"email": "a", "customer": {"id": "x"}}, {"email": "b", "customer": {"id": "x"}}]}"#, "the id is given twice"
    ),
    (#"{"people": [{"customer": {"regions": [{"code": "vu"}]}}]}"#, "there is no region `vu`"),
    (#"{"people": [{"customer": {"regions": [{"code": "no", "address": "APPROVED"}]}}]}"#, "unknown key `address`"),
    (#"{"people": [{"customer": {"regions": [{"code": "no", "jumio": "YES"}]}}]}"#, "`YES` is none of `PENDING`, `REJECTED`, `APPROVED`"),
    (#"{"people": [{"customer": {"purchases": [{"sku": "none"}]}}]}"#, "there is no product `none`"),
    (
      #"{"people": [{"customer": {"referral_id": "r-1", "referred_by": "r-1"}}]}"#,
      "there is no customer with the `referral_id` `r-1` above"
    ), (#"{"unauthorized": "html"}"#, "`html` is none of `gateway`, `text`, `empty`"), (#"{"my_info": [{}]}"#, "`code` is missing"),
    (#"{"token_life": "long"}"#, "expected a duration"),
  ])
  func whatIsWrongIsToldWithItsPlace(given: String, message: String) {
    let error = #expect(throws: SandboxError.self) { try OyaWorld(given: given) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    #expect(error?.path.hasPrefix("given.oya") == true)
  }

  @Test(
    arguments: [
      ("expire", "client", "`client` is no class of tokens"), ("revoke", "admin", "`admin` is no class of tokens"),
      ("forget", "user", "unknown change `forget`"), ("sim", ["status": "LOST"], "`LOST` is none of"),
      ("set", ["pin": "1"], "unknown key `pin`"),
    ] as [(String, Value, String)])
  func aChangeThatIsWrongIsRefused(verb: String, what: Value, message: String) throws {
    let world = try OyaWorld(customer: "")
    let error = #expect(throws: SandboxError.self) { try world.steps.sandbox.change("oya", verb, what) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func theSchemaTakesWhatTheSandboxTakes() throws {
    let schema = try Schema.compile(OyaSandbox().givenSchema)
    let given = """
      {"token_life": "1h", "unauthorized": "text", "dead_push_tokens": ["x"], "admin_token": "a", "webhook_key": "k",
       "regions": [{"code": "sg", "name": "Singapore"}], "products": [{"sku": "P", "amount": 5}], "my_info": [{"code": "c", "dob": "2000-01-01"}],
       "people": [{"email": "a@b.test", "auth_code": "c", "id_token": "t", "customer": {
         "id": "c-1", "nickname": "A", "contact_email": "a@b.test", "referral_id": "r", "balance": 5, "sources": ["tok_visa"],
         "purchases": [{"sku": "P"}], "push_tokens": ["p"], "scans": [{"id": "s", "region": "sg"}],
         "regions": [{"code": "sg", "jumio": "APPROVED", "sim_profiles": [{"icc_id": "1", "alias": "x", "status": "ENABLED"}]}]}}]}
      """
    #expect(schema.validate(try JSON.parse(given)).map(\.message) == [])
    #expect(throws: Never.self) { try OyaWorld(given: given) }
    #expect(!schema.validate(["people": [["customer": ["nick": "x"]]]]).isEmpty)
  }
}
