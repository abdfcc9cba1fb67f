import HTTPTypes
import SandboxKit
import Values

extension OstelcoSandbox {
  /// The identity check: scans, the vendor's callback, the customer's state.
  enum IdentityRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.get, "/customer/customerState", customerState),
      SandboxRoute(.get, "/customer/new-ekyc-scanId/{countryCode}", createScan),
      SandboxRoute(.get, "/customer/scanStatus/{scanId}", scanStatus),
      SandboxRoute(.post, "/ekyc/callback", callback),
    ]

    @Sendable private static func customerState(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let id = try state.customer(
        of: call.request, at: world.now, for: OperatorTask("FAILED_TO_FETCH_CUSTOMER_STATE", "Failed to fetch customer state"))
      guard let customer = state.customers.first(where: { $0.id == id }) else { return SandboxReply(status: 404) }
      return .json([
        "status": .string(customer.status), "modifiedTimestamp": .int(customer.modified.milliseconds),
        "scanId": customer.scanID.map { .string($0) } ?? .null, "id": .string(id),
      ])
    }

    /// A GET that makes a scan each time.
    @Sendable private static func createScan(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let task = OperatorTask("FAILED_TO_CREATE_SCANID", "Failed to create new scanId")
      let id = try state.customer(of: call.request, at: world.now, for: task)
      let country = call["countryCode"]
      // Assumed: what is no country in three letters is not found.
      guard country == "global" || country.utf8.count == 3 && country.allSatisfy({ $0.isASCII && $0.isLetter }) else {
        throw State.rules.refusal(task, .notFound, nested: OperatorRules.missing("Country", country))
      }
      let scan = ScanRecord(id: world.uuid(), customerID: id, countryCode: country)
      if state.scans.count == 10_000 { state.scans.removeFirst() }
      state.scans.append(scan)
      return .json(scan.value)
    }

    @Sendable private static func scanStatus(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let id = try state.customer(of: call.request, at: world.now, for: .scan)
      guard let scan = state.scans.first(where: { $0.id == call["scanId"] }) else {
        throw State.rules.refusal(.scan, .notFound, nested: OperatorRules.missing("ScanInformation", call["scanId"]))
      }
      guard scan.customerID == id else {
        throw State.rules.refusal(
          .scan, .validation,
          nested: ["type": "ScanInformation", "id": .string(scan.id), "error": .null, "message": "Not allowed"])
      }
      return .json(scan.value)
    }

    /// An approval makes the customer approved, whatever they were; a rejection changes somebody who is registered and no more.
    @Sendable private static func callback(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      let form = try ScanCallbackForm(call.request)
      guard let position = state.scans.firstIndex(where: { $0.id == form.scanID }) else {
        throw State.rules.refusal(.scan, .notFound, nested: OperatorRules.missing("ScanInformation", form.scanID))
      }
      state.scans[position].status = form.isApproved ? "APPROVED" : "REJECTED"
      state.scans[position].result = form.result
      let now = world.now
      state.change(state.scans[position].customerID) { customer in
        if form.isApproved {
          customer.status = "EKYC_APPROVED"
          customer.scanID = form.scanID
          customer.modified = now
        } else if customer.status == "REGISTERED" {
          customer.status = "EKYC_REJECTED"
          customer.modified = now
        }
      }
      return .json(state.scans[position].value)
    }
  }
}
