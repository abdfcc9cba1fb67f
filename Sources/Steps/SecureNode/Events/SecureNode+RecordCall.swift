package import StepKit
import Values

extension SecureNode {
  /// One kind of call that is reported.
  package protocol RecordedCall: Sendable {
    /// The end of the step's name.
    static var verb: String { get }
    static var summary: String { get }
    /// What it is reported as; `isBranded` says whether a brand was shown.
    static func outcome(isBranded: Bool) -> String
    /// Whether `branding_applied` is told where nobody stated it.
    static var tellsBranding: Bool { get }
  }

  /// A call that rings.
  package enum SeenCall: RecordedCall {
    package static let verb = "seen"
    package static let summary = "Reports a call that rings, with its brand or without."
    package static func outcome(isBranded: Bool) -> String { isBranded ? "displayed" : "no_match" }
    package static let tellsBranding = true
  }

  /// A call that nobody took.
  package enum MissedCall: RecordedCall {
    package static let verb = "missed"
    package static let summary = "Reports a call that nobody took."
    package static func outcome(isBranded: Bool) -> String { "missed" }
    package static let tellsBranding = false
  }

  /// A call that was returned.
  package enum ReturnedCall: RecordedCall {
    package static let verb = "returned"
    package static let summary = "Reports that somebody called back; a second return of the same call has the same key and is one with it."
    package static func outcome(isBranded: Bool) -> String { "returned" }
    package static let tellsBranding = false
  }

  /// `securenode/record-call-seen`, `securenode/record-call-missed`, `securenode/record-call-returned`
  package enum RecordCall<Call: RecordedCall>: StepHandler {
    package static var about: About { About("securenode/record-call-\(Call.verb)", Call.summary, effect: .keyed) }
    package static var errors: [StepError] { commonErrors }
    package static var example: Example {
      Example(
        with: """
          {"phone_number_e164": "+61412345678", "call_id": "call_event:1", "branding_applied": true, "device_id": "5C1E0001",
          "platform": "ios", "meta": {"call_outcome": "ANSWERED"}}
          """,
        outputs: """
          {"sent": true, "event_key": "call_event:1", "outcome": "\(Call.outcome(isBranded: true))", "event_id": "ev-1", "report": "*",
          "queue": []}
          """)
    }

    package typealias Input = CallInput
    package typealias Output = CallOutput

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let event = event(input, ports)
      var queue = EventQueue(input.queue)
      switch try await deliver(event, ports) {
      case .reported(let report):
        return Output(
          sent: true, eventKey: event.eventKey, outcome: event.outcome, eventID: report.eventID, report: report, failure: nil,
          queue: queue.events)
      case .kept(let failure):
        queue.append(event, at: now(ports))
        return Output(
          sent: false, eventKey: event.eventKey, outcome: event.outcome, eventID: nil, report: nil, failure: failure.code,
          queue: queue.events)
      }
    }

    /// The event of a call, completed as SecureNode's own clients complete it.
    private static func event(_ input: Input, _ ports: Ports) -> Event {
      let key = stated(input.callID) ?? stated(input.meta?.callEventID) ?? freshKey(ports.random)
      let branded = input.brandingApplied ?? input.meta?.brandingApplied ?? (Call.tellsBranding ? false : nil)
      var meta = input.meta?.encoded ?? ValueMap()
      meta["call_event_id"] = .string(key)
      if let branded {
        meta["branding_applied"] = .bool(branded)
        meta["branded"] = .bool(branded)
      }
      if let device = input.deviceID { meta["device_id"] = .string(device) }
      if let platform = input.platform { meta["platform"] = platform.value }
      let members = meta.filter { $0.value != "" }.map { (name: $0.key.text, value: $0.value) }
      return Event(
        phoneNumberE164: input.phoneNumberE164, outcome: Call.outcome(isBranded: branded ?? false), surface: stated(input.surface),
        displayedAt: stated(input.displayedAt) ?? now(ports), deviceID: stated(input.deviceID), eventKey: key, brandingRequestID: nil,
        meta: NamedMembers(members))
    }
  }
}
