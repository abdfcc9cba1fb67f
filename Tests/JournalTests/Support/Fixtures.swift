import FlowEvents
import FoundationEssentials
import Glibc
import Journal
import Synchronization
import Values

/// A folder of the test's own, removed with it.
final class Room: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: "journal-" + UUID().uuidString).path()
    _ = unsafe mkdir(path, 0o700)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The state directory in it, which its first user makes.
  var state: String { path + "/state" }

  func file(_ name: String) -> String { state + "/" + name }
}

/// Clocks that stand still until they are moved.
final class HandClock: Sendable {
  private let now = Mutex((boot: "first", nanoseconds: Int64(1_000_000_000)))

  func advance(by duration: Duration) { now.withLock { $0.nanoseconds += Int64(duration / .nanoseconds(1)) } }

  func restart() { now.withLock { $0 = (boot: $0.boot + " again", nanoseconds: 1) } }

  var clock: LedgerClock {
    LedgerClock(
      sinceBoot: { self.now.withLock { $0 } },
      now: { Timestamp(seconds: 1_700_000_000 + self.now.withLock { $0.nanoseconds } / 1_000_000_000) })
  }
}

extension TriggerKey {
  static func test(_ key: String, environment: String = "live", system: String = "probe") -> TriggerKey {
    TriggerKey(environment: environment, system: system, key: key)
  }
}

extension TriggerRequest {
  static func test(_ digest: String = "body", runID: String = "R1", validFor: Duration = .seconds(300)) -> TriggerRequest {
    TriggerRequest(
      digest: digest, idempotencyKey: "idem-1", validFor: validFor, flow: "alarm.flow.yaml", flowDigest: "f1", operator: "ada",
      runID: runID)
  }
}

extension TriggerReservation {
  var attempt: TriggerAttempt? { if case .reserved(let attempt) = self { attempt } else { nil } }
  var spent: TriggerRecord? { if case .spent(let record) = self { record } else { nil } }
  var conflict: TriggerRecord? { if case .conflict(let record) = self { record } else { nil } }
  var expired: TriggerRecord? { if case .expired(let record) = self { record } else { nil } }
  var isBusy: Bool { if case .busy = self { true } else { false } }
}

extension RunOpening {
  static func test(_ id: String, flow: String = "a.flow.yaml", at seconds: Int64 = 100, inputs: String = "{}") -> RunOpening {
    RunOpening(
      id: id, flow: flow, flowDigest: "f1", environment: "test", startedAt: Timestamp(seconds: seconds, nanoseconds: 5), operator: "ada",
      isSandbox: true, inputs: inputs)
  }
}

extension JournalEntry {
  static func test(_ kind: Kind, _ path: String = "", status: String? = nil, outputs: String? = nil, details: String? = nil) -> JournalEntry
  {
    JournalEntry(kind, path: path, at: Timestamp(seconds: 200), status: status, outputs: outputs, details: details)
  }
}

extension RunRecord {
  /// The paths of the entries of `journal-probe runs` that it waited for; nil where the entries are not in their order.
  var synced: [String]? {
    let kinds: [JournalEntry.Kind] = [.ended, .checkpoint]
    let isInOrder = entries.enumerated().allSatisfy { $1.path == "\($0 / 2 + 1)" && $1.kind == kinds[$0 % 2] }
    return isInOrder ? entries.filter { $0.kind == .ended }.map(\.path) : nil
  }
}
