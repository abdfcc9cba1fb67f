import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// `/regions/{code}/kyc`: who somebody is.
  enum CheckRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/regions/{code}/kyc/jumio/scans", createScan),
      SandboxRoute(.get, "/regions/{code}/kyc/jumio/scans/{scanId}", readScan),
      SandboxRoute(.get, "/regions/sg/kyc/myInfo/v3/config", myInfoConfig),
      SandboxRoute(.get, "/regions/sg/kyc/myInfo/v3/personData/{authorisation}", myInfo),
      SandboxRoute(.get, "/regions/sg/kyc/dave/{nric}", checkNRIC),
      SandboxRoute(.put, "/regions/sg/kyc/profile") { call, state, world throws(SandboxReply) in try saveAddress("sg", call, &state, &world)
      },
      SandboxRoute(.put, "/regions/my/kyc/profile") { call, state, world throws(SandboxReply) in try saveAddress("my", call, &state, &world)
      },
    ]

    private static let scanCreation = OperatorTask("FAILED_TO_CREATE_SCANID", "Failed to create new scanId")
    private static let myInfoFetch = OperatorTask("FAILED_TO_FETCH_CUSTOMER_MYINFO_DATA", "Failed to fetch Customer Data from MyInfo")
    private static let nricCheck = OperatorTask("INVALID_NRIC_FIN_ID", "Invalid NRIC/FIN ID")
    private static let addressSaving = OperatorTask("FAILED_TO_SAVE_ADDRESS", "Failed to save address")

    @Sendable private static func createScan(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try state.asking(call, world, for: scanCreation)
      let region = try state.asked(call, for: scanCreation).code
      let scan = ScanRecord(id: world.uuid(), customerID: state.customers[position].id, countryCode: region)
      state.scans.append(scan)
      state.set(.jumio, .pending, in: region, of: position, at: world.now)
      return .json(scan.value, status: 201)
    }

    @Sendable private static func readScan(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let id = state.customers[try state.asking(call, world, for: .scan)].id
      let region = try state.asked(call, for: .scan).code
      guard let scan = state.scans.first(where: { $0.id == call["scanId"] && $0.countryCode == region }) else {
        throw State.rules.refusal(.scan, .notFound, nested: OperatorRules.missing("ScanInformation", call["scanId"]))
      }
      guard scan.customerID == id else {
        throw State.rules.refusal(
          .scan, .validation, nested: ["type": "ScanInformation", "id": .string(scan.id), "message": "Not allowed", "error": .null])
      }
      return .json(scan.value)
    }

    @Sendable private static func myInfoConfig(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      _ = try state.identity(of: call.request, at: world.now)
      return .json([
        "url": "https://myinfo.example.test/authorise?client_id=stg-1&redirect_uri=https://dl-dev.oya.world/links/myinfo"
      ])
    }

    /// Assumed: Somebody younger than 18 is rejected here as with their papers.
    @Sendable private static func myInfo(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try state.asking(call, world, for: myInfoFetch)
      let person = state.myInfo.map { $0[call["authorisation"]] } ?? standardPerson
      guard let person else {
        throw State.rules.refusal(
          myInfoFetch, .notStored,
          nested: ["type": "MyInfo", "id": "v3", "message": "Failed to fetch MyInfo data", "error": .null])
      }
      let born = person["dob"]?["value"]?.stringValue ?? ""
      let status: Check.Status = isOfAge(born: born, at: world.now) ?? true ? .approved : .rejected
      let expiry = person["passexpirydate"]?["value"]?.stringValue
      state.set(.myInfo, status, in: "sg", of: position, expiry: expiry, at: world.now)
      return .json(person)
    }

    private static let standardPerson: Value? = [
      "name": ["value": "TAN MEI"], "dob": ["value": "1998-06-06"], "uinfin": ["value": "S9315107J"],
      "passexpirydate": ["value": "2030-01-01"],
      "regadd": [
        "unit": ["value": "10"], "street": ["value": "MAIN ST"], "block": ["value": "5"], "postal": ["value": "460005"],
        "floor": ["value": "02"], "building": ["value": ""],
      ], "mailadd": [:],
    ]

    @Sendable private static func checkNRIC(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try state.asking(call, world, for: nricCheck)
      switch NRIC.check(call["nric"]) {
      case .valid: break
      case .invalid:
        throw State.rules.refusal(
          nricCheck, .validation,
          nested: ["type": "NRIC/FIN ID", "id": .string(call["nric"]), "message": "Invalid NRIC/FIN ID", "error": .null])
      case .unreadable: throw crashed(&world)
      }
      state.set(.nricFin, .approved, in: "sg", of: position, at: world.now)
      return .json([:])
    }

    // Assumed: the framework's own text.
    private static func crashed(_ world: inout SandboxWorld) -> SandboxReply {
      .json(
        [
          "code": 500,
          "message": .string("There was an error processing your request. It has been logged (ID \(world.uuid().prefix(8)))."),
        ], status: 500)
    }

    private static func saveAddress(
      _ region: String, _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let position = try state.asking(call, world, for: addressSaving)
      let address = try call.request.required("address")
      guard state.region(region) != nil else {
        throw State.rules.refusal(addressSaving, .notFound, nested: OperatorRules.missing("Region", region))
      }
      state.set(.address, .approved, in: region, of: position, at: world.now)
      if let place = state.customers[position].progress.firstIndex(where: { $0.region == region }) {
        state.customers[position].progress[place].address = address
      }
      return SandboxReply(status: 204)
    }
  }
}
