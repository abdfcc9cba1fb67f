import HTTPTypes
import SandboxKit
import Values

extension OyaSandbox {
  /// What others report to OYA; in the real world on a host of its own.
  enum WebhookRoutes {
    static let all: [SandboxRoute<State>] = [
      SandboxRoute(.post, "/ekyc/callback", scanCallback), SandboxRoute(.post, "/stripe/event", stripeEvent),
    ]

    /// - Throws: the gateway's 401.
    private static func checkKey(_ call: SandboxCall, _ state: State) throws(SandboxReply) {
      let key = call.request.query("key") ?? ""
      guard !key.isEmpty, state.switches.webhookKey ?? key == key else {
        // Assumed: the words, and that a wrong key is answered as none.
        throw .json(
          [
            "code": 16, "message": "Method doesn't allow unregistered callers (callers without established identity).", "details": [],
          ], status: 401)
      }
    }

    @Sendable private static func scanCallback(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkKey(call, state)
      let form = try ScanCallbackForm(call.request)
      guard let place = state.scans.firstIndex(where: { $0.id == form.scanID }) else {
        throw State.rules.refusal(
          OperatorTask("FAILED_TO_UPDATE_SCAN_RESULTS", "Failed to update scan information"), .notFound,
          nested: OperatorRules.missing("ScanInformation", form.scanID))
      }
      let isChild = form.result["dob"]?.stringValue.flatMap { isOfAge(born: $0, at: world.now) } == false
      let status: Check.Status = form.isApproved && !isChild ? .approved : .rejected
      state.scans[place].status = status.rawValue
      state.scans[place].result = form.result
      let scan = state.scans[place]
      if let position = state.position(of: scan.customerID) {
        let expiry = call.request.form?.first { $0.name == "idExpiry" }?.value
        state.set(.jumio, status, in: scan.countryCode, of: position, expiry: expiry, at: world.now)
      }
      if form.result["verificationStatus"] != "NO_ID_UPLOADED" { tell(scan, isApproved: status == .approved, &state, &world) }
      return .json(scan.value)
    }

    /// The push that has the app read the region again.
    private static func tell(_ scan: ScanRecord, isApproved: Bool, _ state: inout State, _ world: inout SandboxWorld) {
      let information: Value = ["scanId": .string(scan.id), "countryCode": .string(scan.countryCode), "status": .string(scan.status)]
      // Assumed: the words of a rejection.
      state.push(
        to: scan.customerID, title: "eKYC Status",
        text: isApproved ? "Successfully verified the identity" : "Failed to verify the identity",
        data: ["SCAN_INFORMATION": .string(information.json())], world: &world)
    }

    /// Assumed: An event is noted, and changes nothing that a customer sees.
    @Sendable private static func stripeEvent(
      _ call: SandboxCall, _ state: inout State, _ world: inout SandboxWorld
    ) throws(SandboxReply) -> SandboxReply {
      try checkKey(call, state)
      let event = try call.request.jsonMembers()
      guard case .string(let id)? = event["id"], case .string(let type)? = event["type"], case .map? = event["data"] else {
        throw OperatorRules.unreadable
      }
      state.stripeEvents = state.stripeEvents.suffix(99) + [["id": .string(id), "type": .string(type)]]
      return SandboxReply(status: 200)
    }
  }
}
