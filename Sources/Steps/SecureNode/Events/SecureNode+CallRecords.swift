package import StepKit
import Values

extension SecureNode {
  /// What a call's report is made of.
  package struct CallInput: Sendable {
    let phoneNumberE164: String
    let callID: String?
    let brandingApplied: Bool?
    let surface: String
    let displayedAt: String?
    let deviceID: String?
    let platform: Platform?
    let meta: CallMeta?
    let queue: [QueuedEvent]
  }

  /// What became of a call's report.
  package struct CallOutput: Sendable {
    let sent: Bool
    let eventKey: String
    let outcome: String
    let eventID: String?
    let report: EventReport?
    let failure: String?
    let queue: [QueuedEvent]
  }

  /// What else is known of a call; texts that are empty are left out.
  package struct CallMeta: Sendable {
    let callEventID: String?
    let callerNumberE164: String?
    let destinationNumberE164: String?
    let observedAtUTC: String?
    let brandingApplied: Bool?
    let brandingProfileID: String?
    let identityType: String?
    let ringDurationSeconds: Double?
    let callDurationSeconds: Double?
    let callOutcome: String?
    let returnCallDetected: Bool?
    let returnCallLatencySeconds: Double?
    let further: FurtherMembers
  }

  /// The two kinds of phones that SecureNode knows.
  package enum Platform: String, Choice { case ios, android }
}

extension SecureNode.CallInput: DescribedRecord {
  package init(_ field: inout Fields) {
    phoneNumberE164 = field("phone_number_e164", "The number that called.", constraint: .written(.phoneNumber))
    callID = field(
      "call_id",
      "The call's id, or the `event_id` of an earlier report of it: the key of the event. Without it, and without `meta.call_event_id`, a fresh one.",
      maxLength: 200)
    brandingApplied = field("branding_applied", "Whether a brand was shown.")
    surface = field("surface", "Where it was shown.", default: "callkit")
    displayedAt = field("displayed_at", "When, in ISO 8601; now unless given.", constraint: .written(.time))
    deviceID = field("device_id", "The device.")
    platform = field("platform", "What kind of device it is.")
    meta = field("meta", "What else is known of the call.")
    queue = field("queue", "The queue as it was stored: what cannot be reported now goes to its end.", default: [])
  }
}

extension SecureNode.CallOutput: DescribedRecord {
  package init(_ field: inout Fields) {
    sent = field("sent", "Whether it has been reported; else it stands in `queue`.")
    eventKey = field("event_key", "The key of the event.")
    outcome = field("outcome", "What it was reported as.")
    eventID = field("event_id", "The event's id, which a report of the returned call is given as `call_id`.")
    report = field("report", "The whole answer.")
    failure = field("failure", "The code of the error for which it waits, such as `network.connect`.")
    queue = field("queue", "The queue from now on, to be stored.")
  }
}

extension SecureNode.CallMeta: DescribedRecord {
  package init(_ field: inout Fields) {
    callEventID = field("call_event_id", "The call's id; the key of the event where `call_id` is not given.", maxLength: 200)
    callerNumberE164 = field("caller_number_e164", "The number that called.", constraint: .written(.phoneNumber))
    destinationNumberE164 = field("destination_number_e164", "The number that was called.", constraint: .written(.phoneNumber))
    observedAtUTC = field("observed_at_utc", "When the call was observed, in ISO 8601.", constraint: .written(.time))
    brandingApplied = field("branding_applied", "Whether a brand was shown.")
    brandingProfileID = field("branding_profile_id", "Which brand.")
    identityType = field("identity_type", "How the caller was known.")
    ringDurationSeconds = field("ring_duration_seconds", "How long it rang.")
    callDurationSeconds = field("call_duration_seconds", "How long the call was.")
    callOutcome = field("call_outcome", "Such as `ANSWERED`, `MISSED` or `REJECTED`.")
    returnCallDetected = field("return_call_detected", "Whether somebody called back.")
    returnCallLatencySeconds = field("return_call_latency_seconds", "After how long.")
    further = field.further()
  }
}
