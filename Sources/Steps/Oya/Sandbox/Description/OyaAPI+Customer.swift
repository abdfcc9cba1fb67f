import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox.API {
  static let region = path("code", "The region's code.", "sg")
  static let icc = path("iccId", "The number of the SIM.", "8947000000000000001")

  /// What needs no token.
  static var entry: [APIOperation] {
    [
      APIOperation(
        "ping", .get, "/ping", "Says what time it is.", answers: [ok("The time.", "Pong", ["timestamp": 1_732_150_800_000])]),
      APIOperation("uuid", .get, "/uuid", "Gives a UUID.", answers: [ok("A new one.", "UUID")]),
      APIOperation(
        "authorize-apple", .post, "/appleId/authorize", "Trades Apple's code for a custom token of Firebase.",
        body: APIBody(schema: open([("authCode", filled)]), example: ["authCode": "c0ffee.0.mei"]),
        answers: [
          ok("The token.", "Token"),
          APIAnswer(
            400, "Apple does not take the code, or the body cannot be read.",
            schema: ["anyOf": [.named("AppleRefusal"), .named("Unreadable")]],
            example: ["status": 400, "error": ["error": "invalid_grant"]]),
          otherMediaType,
        ]),
    ]
  }

  static var customers: [APIOperation] {
    let name = query("nickname", "What they want to be called.", "Mei")
    let email = query("contactEmail", "Where mails to them go.", "mei@example.test")
    let referrer = query("referredBy", "The `referralId` of a friend.", schema: text, isRequired: false)
    let changes = ["nickname", "contactEmail"].map { query($0, "Stays as it is unless given.", schema: text, isRequired: false) }
    return [
      APIOperation(
        "get-context", .get, "/context", "Reads the customer and all regions.", security: user,
        answers: [ok("Both.", "Context"), unauthorized, noCustomer]),
      APIOperation(
        "get-customer", .get, "/customer", "Reads the customer.", security: user,
        answers: [ok("The customer.", "Customer"), unauthorized, noCustomer]),
      APIOperation(
        "create-customer", .post, "/customer", "Signs the person up.", security: user, parameters: [name, email, referrer],
        answers: [
          ok(201, "Signed up.", "Customer"), invalid, unauthorized, refusal(403, "They have signed up before, or refer themselves."),
          refusal(500, "The referrer is unknown."),
        ]),
      APIOperation(
        "update-customer", .put, "/customer", "Changes what is given.", security: user, parameters: changes,
        answers: [ok("The whole customer.", "Customer"), unauthorized, noCustomer]),
      APIOperation(
        "delete-customer", .delete, "/customer", "Deletes the customer.", security: user,
        answers: [empty("They are gone."), unauthorized, noCustomer]),
    ]
  }

  static var regions: [APIOperation] {
    [
      APIOperation(
        "list-regions", .get, "/regions", "Lists all regions.", security: user,
        answers: [list("All of them.", "RegionDetails"), unauthorized, noCustomer]),
      APIOperation(
        "get-region", .get, "/regions/{code}", "Reads one region.", security: user, parameters: [region],
        answers: [ok("The region.", "RegionDetails"), unauthorized, noCustomer]),
    ]
  }

  static var checks: [APIOperation] {
    let scans = "/regions/{code}/kyc/jumio/scans"
    var created = ok(
      201, "The scan has begun.", "Scan", ["scanId": "326aceb6", "countryCode": "sg", "status": "PENDING", "scanResult": .null])
    created.links = [
      (name: "get-scan", operation: "get-scan", parameters: ["code": "$response.body#/countryCode", "scanId": "$response.body#/scanId"])
    ]
    let address = [query("address", "The parts of the address, joined by `;;;`.", "02;;;10;;;5;;;;;;MAIN ST;;;460005")]
    return [
      APIOperation(
        "create-scan", .post, scans, "Begins a check of papers.", security: user, parameters: [region],
        answers: [created, unauthorized, noCustomer]),
      APIOperation(
        "get-scan", .get, "\(scans)/{scanId}", "Reads a check of papers.", security: user,
        parameters: [region, path("scanId", "The scan.", "326aceb6")],
        answers: [ok("The scan.", "Scan"), unauthorized, refusal(403, "It belongs to somebody else."), noCustomer]),
      APIOperation(
        "get-myinfo-config", .get, "/regions/sg/kyc/myInfo/v3/config", "Says where MyInfo asks the person.", security: user,
        answers: [ok("Where.", "MyInfoConfig"), unauthorized]),
      APIOperation(
        "get-myinfo", .get, "/regions/sg/kyc/myInfo/v3/personData/{authorisation}", "Fetches the person from MyInfo.", security: user,
        parameters: [path("authorisation", "The code of MyInfo.", "authcode-1")],
        answers: [ok("The person.", "MyInfoPerson"), unauthorized, noCustomer, refusal(500, "MyInfo gives nobody.")]),
      APIOperation(
        "check-nric", .get, "/regions/sg/kyc/dave/{nric}", "Checks the number of an identity card.", security: user,
        parameters: [path("nric", "The number.", "S9315107J")],
        answers: [
          ok("It is right.", "Nothing", [:]), unauthorized, refusal(403, "It is wrong."), noCustomer,
          APIAnswer(500, "One of its digits is none.", schema: .named("Unreadable")),
        ]),
    ]
      + ["sg", "my"].map {
        APIOperation(
          "save-address-\($0)", .put, "/regions/\($0)/kyc/profile", "Saves the address.", security: user, parameters: address,
          answers: [empty("It is saved."), invalid, unauthorized, noCustomer])
      }
  }

  static var sims: [APIOperation] {
    let all = "/regions/{code}/simProfiles"
    let one = "\(all)/{iccId}"
    let sim = ok("The eSIM.", "SimProfile")
    return [
      APIOperation(
        "list-sim-profiles", .get, all, "Lists the eSIMs.", security: user, parameters: [region],
        answers: [list("All of them.", "SimProfile"), unauthorized, noCustomer]),
      APIOperation(
        "create-sim-profile", .post, all, "Orders an eSIM.", security: user,
        parameters: [region, query("profileType", "How it is installed.", "iphone", schema: text, isRequired: false)],
        answers: [sim, unauthorized, noCustomer]),
      APIOperation(
        "rename-sim-profile", .put, one, "Renames an eSIM.", security: user,
        parameters: [region, icc, query("alias", "The new name.", "Work")], answers: [sim, invalid, unauthorized, noCustomer]),
      APIOperation(
        "mark-sim-installed", .put, "\(one)/installed", "Reports that it is installed.", security: user, parameters: [region, icc],
        answers: [sim, unauthorized, noCustomer]),
      APIOperation(
        "resend-sim-email", .get, "\(one)/resendEmail", "Sends its QR code again.", security: user, parameters: [region, icc],
        answers: [sim, unauthorized, noCustomer]),
      APIOperation(
        "list-subscriptions", .get, "/regions/{code}/subscriptions", "Lists the phone numbers.", security: user, parameters: [region],
        answers: [list("All of them.", "Subscription"), unauthorized, noCustomer]),
    ]
  }
}
