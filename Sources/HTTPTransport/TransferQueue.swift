import StepKit

/// Transfers that wait for a handle, first come, first served.
struct TransferQueue {
  private var waiting: [Transfer] = []
  private var head = 0
  /// At or before the first deadline among those that wait.
  private var firstDeadline: ContinuousClock.Instant?

  var isEmpty: Bool { head == waiting.count }

  mutating func append(_ transfer: Transfer) {
    waiting.append(transfer)
    firstDeadline = min(firstDeadline ?? transfer.deadline, transfer.deadline)
  }

  /// The next one that still waits; those cancelled meanwhile are dropped here.
  mutating func popFirst() -> Transfer? {
    while head < waiting.count {
      let next = waiting[head]
      head += 1
      if head == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        head = 0
        firstDeadline = nil
      } else if head > 1024, head > waiting.count / 2 {
        waiting.removeFirst(head)
        head = 0
      }
      if !next.isOver { return next }
    }
    return nil
  }

  /// Takes out those whose time is over.
  mutating func removeExpired(at now: ContinuousClock.Instant) -> [Transfer] {
    guard let first = firstDeadline, first <= now else { return [] }
    let rest = waiting[head...].filter { !$0.isOver }
    waiting = rest.filter { $0.deadline > now }
    head = 0
    firstDeadline = waiting.map(\.deadline).min()
    return rest.filter { $0.deadline <= now }
  }

  /// How long a loop may sleep; a long time where nothing waits.
  func millisecondsToDeadline(from now: ContinuousClock.Instant) -> Int32 {
    guard let firstDeadline else { return 3_600_000 }
    return Int32(clamping: max(0, (firstDeadline - now).wholeMilliseconds))
  }
}

extension Duration {
  /// Rounded up, so that a positive duration is never zero.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
    return isTooLong ? (seconds < 0 ? .min : .max) : Int(whole) + Int(part)
  }
}
