package import StepKit
import Values

extension SecureNode {
  /// `securenode/plan-reload`
  package enum PlanReload: StepHandler {
    package static let about = About(
      "securenode/plan-reload", "Says whether a call directory may be loaded again now; sends nothing and loads nothing.", effect: .read)
    package static let example = Example(
      with: #"{"last_attempt": "2024-11-21T00:59:00Z", "last_success": "2024-11-21T00:59:00Z"}"#,
      outputs: """
        {"attempted": false, "throttled": true, "next_allowed_at": "2024-11-21T01:04:00Z", "last_attempt": "2024-11-21T00:59:00Z",
        "wait_seconds": 240}
        """)
    /// Seconds between one load that worked and the next.
    private static let rest: Int64 = 300
    /// Seconds after a load that failed: doubled each time, up to the most.
    private static let (firstPause, longestPause): (Int64, Int64) = (30, 1800)

    package struct Input: Sendable {
      let lastAttempt: String?
      let lastSuccess: String?
      let failures: Int
      let lastError: String?
    }

    package struct Output: Sendable {
      let attempted: Bool
      let throttled: Bool
      let nextAllowedAt: String
      let lastAttempt: String
      let waitSeconds: Int
      let error: String?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let now = ports.clock.now()
      let allowed = max(
        time(input.lastSuccess).map { $0.advanced(by: rest) } ?? now,
        input.failures > 0 ? time(input.lastAttempt)?.advanced(by: pause(after: input.failures)) ?? now : now)
      let isFree = allowed <= now
      // What is allowed next stands behind the attempt that is made now.
      let next = isFree ? now.advanced(by: rest) : allowed
      return Output(
        attempted: isFree, throttled: !isFree, nextAllowedAt: next.text, lastAttempt: isFree ? now.text : stated(input.lastAttempt) ?? "",
        waitSeconds: isFree ? 0 : wholeSeconds(from: now, to: allowed), error: stated(input.lastError))
    }

    /// Rounded up: after so many seconds it is allowed.
    private static func wholeSeconds(from now: Timestamp, to allowed: Timestamp) -> Int {
      Int(allowed.seconds - now.seconds) + (allowed.nanoseconds > now.nanoseconds ? 1 : 0)
    }

    private static func time(_ text: String?) -> Timestamp? { stated(text).flatMap { Timestamp(rfc3339: $0) } }

    private static func pause(after failures: Int) -> Int64 {
      failures > 6 ? longestPause : min(firstPause << Int64(failures - 1), longestPause)
    }
  }
}

extension Timestamp {
  fileprivate func advanced(by seconds: Int64) -> Timestamp { Timestamp(seconds: self.seconds + seconds, nanoseconds: nanoseconds) }
}

extension SecureNode.PlanReload.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    lastAttempt = field("last_attempt", "When it was tried last, in ISO 8601; empty for never.", constraint: .written(.timeOrEmpty))
    lastSuccess = field("last_success", "When that worked last, in ISO 8601; empty for never.", constraint: .written(.timeOrEmpty))
    failures = field("failures", "How often it has failed since then.", default: 0, minimum: 0)
    lastError = field("last_error", "What went wrong then.")
  }
}

extension SecureNode.PlanReload.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    attempted = field("attempted", "Whether it may be loaded now.")
    throttled = field("throttled", "Whether it has to wait: five minutes after a load, and after failures 30 seconds to 30 minutes.")
    nextAllowedAt = field("next_allowed_at", "When it may be loaded next: of one that is allowed now, if it works.")
    lastAttempt = field("last_attempt", "The `last_attempt` of the next time; empty for never.")
    waitSeconds = field("wait_seconds", "How long that is; 0 where it is allowed.")
    error = field("error", "What went wrong the last time.")
  }
}
