import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox {
  /// Counts calls: in a minute that slides, and in a day (UTC).
  struct CallLimits: Sendable {
    /// Messages have a budget of their own for the day, and those of sockets for the minute as well.
    enum Budget: String, Sendable { case messages, sockets, others }

    private struct Count: Sendable {
      /// When each call of the last minute came, in milliseconds, oldest first.
      var minute: [Int64] = []
      var day: Int64 = 0
      var inDay = 0
    }

    private var counts: [String: Count] = [:]

    /// Counts a call; the refusal where it is one too many, which is then not counted.
    mutating func count(_ principal: Principal, _ budget: Budget, at now: Timestamp, _ switches: Switches) -> SandboxReply? {
      var count = current(principal, budget, at: now)
      let limits = switches.limits(principal.kind, budget)
      defer { counts[Self.key(principal, budget)] = count }
      if count.inDay >= limits.day { return refusal(principal, "DAILY") }
      if count.minute.count >= limits.minute { return refusal(principal, "MINUTE") }
      count.minute.append(now.milliseconds)
      count.inDay += 1
      return nil
    }

    /// Adds the three headers.
    func describe(_ principal: Principal, _ budget: Budget, at now: Timestamp, _ switches: Switches, in headers: inout HTTPFields) {
      let count = current(principal, budget, at: now)
      let limits = switches.limits(principal.kind, budget)
      // When the oldest call no longer counts; in whole seconds, so that nobody comes too early.
      let minute = ((count.minute.first ?? now.milliseconds) + 60_000 + 999) / 1000
      set("Limit", "\(limits.minute)/\(limits.day)", &headers)
      set("Remaining", "\(max(limits.minute - count.minute.count, 0))/\(max(limits.day - count.inDay, 0))", &headers)
      set("Reset", "\(minute)/\((count.day + 1) * 86_400)", &headers)
    }

    private func set(_ name: String, _ value: String, _ headers: inout HTTPFields) {
      if let field = HTTPField.Name("X-Rate-Limit-\(name)") { headers[field] = value }
    }

    private func current(_ principal: Principal, _ budget: Budget, at now: Timestamp) -> Count {
      var count = counts[Self.key(principal, budget)] ?? Count()
      let day = now.seconds / 86_400
      if count.day != day { (count.day, count.inDay) = (day, 0) }
      count.minute.removeAll { $0 + 60_000 <= now.milliseconds }
      return count
    }

    private func refusal(_ principal: Principal, _ window: String) -> SandboxReply {
      let who =
        switch principal.kind {
        case .user: "USER"
        case .app: "APPLICATION"
        case .device: "DEVICE"
        }
      return Refusal.error(429, "\(who) \(window) rate limit exceeded")
    }

    /// A user is counted for each application.
    private static func key(_ principal: Principal, _ budget: Budget) -> String {
      switch principal {
      case .user(let uid, let aid): "\(budget) user \(uid) \(aid)"
      case .app(let aid): "\(budget) app \(aid)"
      case .device(let did, _): "\(budget) device \(did)"
      }
    }
  }
}
