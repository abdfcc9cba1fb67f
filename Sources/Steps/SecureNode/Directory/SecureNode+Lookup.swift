import HTTPTypes
package import StepKit
import Values

extension SecureNode {
  /// `securenode/lookup`
  package enum Lookup: StepHandler {
    package static let about = About(
      "securenode/lookup", "Finds the brand of a number, in the stored directory first and then at the API, and reports the look-up.",
      effect: .keyed)
    package static let errors = commonErrors
    package static let example = Example(
      with: #"{"e164": "+61412345678", "event_key": "call_event:1"}"#,
      outputs: """
        {"matched": true, "source": "live", "is_stale": false, "e164": "+61412345678", "brand_name": "Harbour Clinic",
        "brand_id": "b-1", "updated_at": "*", "success": true, "outcome": "displayed", "event_key": "call_event:1", "event_id": "ev-1", "queue": []}
        """,
      given: #"{"brands": [{"phone_number_e164": "+61412345678", "brand_name": "Harbour Clinic", "brand_id": "b-1"}]}"#)

    /// The shape of answer that is asked for; either is understood.
    package enum Format: String, Choice { case `public` }

    package struct Input: Sendable {
      let e164: String
      let directory: [Item]
      let syncedAt: String?
      let brandingEnabled: Bool
      let format: Format?
      let deviceID: String?
      let report: Bool
      let eventKey: String?
      let queue: [QueuedEvent]
    }

    package struct Output: Sendable {
      let matched: Bool
      let source: String
      let isStale: Bool
      let e164: String
      let brandName: String?
      let brandID: String?
      let logoURL: String?
      let callReason: String?
      let updatedAt: String?
      let success: Bool?
      let displayed: Bool?
      let display: Value?
      let config: Config?
      let limits: Value?
      let outcome: String
      let eventKey: String?
      let eventID: String?
      let failure: String?
      let queue: [QueuedEvent]
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let found = try await found(input, ports)
      let outcome = !input.brandingEnabled ? "disabled" : found.brandName == nil ? "no_match" : "displayed"
      let report = try await reported(input, outcome, ports)
      return Output(
        matched: found.brandName != nil, source: found.source, isStale: found.isStale, e164: input.e164, brandName: found.brandName,
        brandID: found.brandID, logoURL: found.logoURL, callReason: found.callReason, updatedAt: found.updatedAt,
        success: found.answer?.success, displayed: found.answer?.displayed, display: found.answer?.display,
        config: found.answer?.config ?? report.config, limits: found.answer?.limits, outcome: outcome, eventKey: report.key,
        eventID: report.id, failure: report.failure, queue: report.queue)
    }

    /// The store, then the API. Without leave to show brands nobody is asked for one.
    private static func found(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Brand {
      guard input.brandingEnabled else { return Brand(source: "none") }
      if let item = Directory(input.directory)[input.e164], !item.brandName.isEmpty {
        return Brand(item, isStale: isStale(input.syncedAt, ports.clock.now()))
      }
      var query = [(name: "e164", value: input.e164)]
      if let device = stated(input.deviceID) { query.append(("device_id", device)) }
      if let format = input.format { query.append(("format", format.rawValue)) }
      let reply = try await Client(ports).send(.get, "/mobile/branding/lookup", query: query, effect: .read)
      // A number that nobody has branded is 404 for some servers, and an empty body for others.
      if reply.status == 404 { return Brand(source: "none") }
      guard reply.isSuccess else { throw failure(reply) }
      return reply.body == .null ? Brand(source: "none") : Brand(try Answer.decode(reply))
    }

    /// Whether what was stored then is older than a day.
    private static func isStale(_ syncedAt: String?, _ now: Timestamp) -> Bool {
      stated(syncedAt).flatMap { Timestamp(rfc3339: $0) }.map { now.seconds - $0.seconds > 86_400 } ?? false
    }

    private static func reported(
      _ input: Input, _ outcome: String, _ ports: Ports
    ) async throws(StepFailure) -> (key: String?, id: String?, config: Config?, failure: String?, queue: [QueuedEvent]) {
      var queue = EventQueue(input.queue)
      guard input.report else { return (nil, nil, nil, nil, queue.events) }
      let key = stated(input.eventKey) ?? freshKey(ports.random)
      let event = Event(
        phoneNumberE164: input.e164, outcome: outcome, surface: "lookup", displayedAt: now(ports), deviceID: stated(input.deviceID),
        eventKey: key, brandingRequestID: nil, meta: nil)
      switch try await deliver(event, ports) {
      case .reported(let report): return (key, report.eventID, report.config, nil, queue.events)
      case .kept(let failure):
        queue.append(event, at: now(ports))
        return (key, nil, nil, failure.code, queue.events)
      }
    }
  }
}
