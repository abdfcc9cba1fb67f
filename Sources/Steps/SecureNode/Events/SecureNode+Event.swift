import HTTPTypes
package import StepKit
import Values

extension SecureNode {
  /// One report of what a phone showed or did, as it goes over the wire.
  package struct Event: Sendable {
    let phoneNumberE164: String
    let outcome: String
    let surface: String?
    let displayedAt: String?
    let deviceID: String?
    let eventKey: String
    let brandingRequestID: String?
    let meta: NamedMembers<Value>?

    /// The event with the time at which it happened, where it has none: servers may demand one, and a retry must send the same.
    func dated(_ now: String) -> Event {
      Event(
        phoneNumberE164: phoneNumberE164, outcome: outcome, surface: surface, displayedAt: displayedAt ?? now, deviceID: deviceID,
        eventKey: eventKey, brandingRequestID: brandingRequestID, meta: meta)
    }
  }

  /// What SecureNode answers to an event. A status of 202 says that it was accepted, and only partly dealt with so far.
  package struct EventReport: Sendable {
    let success: Bool?
    let eventID: String?
    let displayedAt: String?
    let outcome: String?
    let counted: Bool?
    let reason: String?
    let imprintID: String?
    let accepted: Bool?
    let partial: Bool?
    let warningCode: String?
    let config: Config?
    let limits: Value?
  }

  /// What became of an event.
  enum Delivery {
    case reported(EventReport)
    /// Not reported for now; it is to be queued.
    case kept(StepFailure)
  }

  /// Reports an event. The server knows it again by its key, so that it may be sent again.
  static func report(_ event: Event, _ ports: Ports) async throws(StepFailure) -> EventReport {
    let event = event.dated(now(ports))
    // What is no answer of the API, such as the log-in page of a network, has not reported anything.
    return try EventReport.decode(
      try await Client(ports).sendExpecting(.post, "/mobile/branding/event", body: event.value, effect: .keyed))
  }

  /// Reports an event, or says why it has to wait.
  /// - Throws: what waiting does not mend: a refusal of the event itself, settings, a spent budget, and `cancelled`.
  static func deliver(_ event: Event, _ ports: Ports) async throws(StepFailure) -> Delivery {
    do throws(StepFailure) {
      return .reported(try await report(event, ports))
    } catch {
      guard error.isCatchable, error.code != invalidRequest.code else { throw error }
      return .kept(error)
    }
  }

  /// A key of its own for an event of no known call.
  static func freshKey(_ random: any RandomPort) -> String {
    var bytes = random.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let hex = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
    let groups = [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]]
    return "call_event:" + groups.map { $0.joined() }.joined(separator: "-")
  }

  /// `securenode/report-event`
  package enum ReportEvent: StepHandler {
    package static let about = About(
      "securenode/report-event", "Reports one event as it is given; the same key is counted once.", effect: .keyed)
    package static let errors = commonErrors
    package static let example = Example(
      with: """
        {"phone_number_e164": "+61412345678", "outcome": "displayed", "surface": "display", "displayed_at": "2024-11-21T09:05:00Z",
        "device_id": "5C1E0001", "event_key": "call_event:0B7D0001", "meta": {"branding_applied": true, "branded": true}}
        """,
      outputs: """
        {"success": true, "event_id": "ev-1", "outcome": "displayed", "counted": true, "imprint_id": "im-1",
        "displayed_at": "2024-11-21T09:05:00Z"}
        """)

    package typealias Input = Event
    package typealias Output = EventReport

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output { try await report(input, ports) }
  }
}

extension SecureNode.Event: DescribedRecord {
  package init(_ field: inout Fields) {
    phoneNumberE164 = field("phone_number_e164", "The number that called.", constraint: .written(.phoneNumber))
    outcome = field("outcome", "Such as `displayed`, `no_match`, `disabled`, `error`, `missed`, `returned` or `assisted`.", minLength: 1)
    surface = field("surface", "Where it was shown, such as `display`, `callkit` or `lookup`.")
    displayedAt = field("displayed_at", "When, in ISO 8601; now unless given.", constraint: .written(.time))
    deviceID = field("device_id", "The device.")
    eventKey = field(
      "event_key", "What makes it the same event, however often it is sent, such as `call_event:${{ uuid() }}`.", minLength: 1,
      maxLength: 200)
    brandingRequestID = field("branding_request_id", "The request that the brand came from, a UUID.")
    meta = field("meta", "What else is known of the call, as it is sent.")
  }
}

extension SecureNode.EventReport: DescribedRecord {
  package init(_ field: inout Fields) {
    success = field("success", "What the server says of itself.")
    eventID = field("event_id", "The event's id; a call that is returned later is reported under it.")
    displayedAt = field("displayed_at", "When it happened, in ISO 8601.")
    outcome = field("outcome", "What it was taken for.")
    counted = field("counted", "Whether it counts.")
    reason = field("reason", "Why it does not, such as `no_match`, `disabled` or `cap_reached`.")
    imprintID = field("imprint_id", "The imprint that it made.")
    accepted = field("accepted", "Whether it was accepted, of an answer that is partial.")
    partial = field("partial", "Whether it has only partly been dealt with.")
    warningCode = field("warning_code", "What is still to be done, such as `pending_enrichment`.")
    config = field("config", "What the portal says of the account, where the answer has it.")
    limits = field("limits", "What the server says of limits.")
  }
}
