import FlowEvents

/// What waits for the next transaction of a journal, in the order of the calls.
struct CommitQueue: Sendable {
  enum Change: Sendable {
    case begin(RunOpening)
    case entries([JournalEntry], runID: String)
  }

  struct Item: Sendable {
    let change: Change
    let durability: Durability
    /// Nil where nobody waits.
    let caller: CheckedContinuation<JournalError?, Never>?
  }

  /// How many may wait before nobody may go on without waiting: the disk can be slower than what is to be stored.
  private static let capacity = 4096

  private var items: [Item] = []
  /// Of a change that nobody waited for: told to the next who waits.
  var unheardFailure: JournalError?

  var isFull: Bool { items.count >= Self.capacity }

  /// True where it is the first, and somebody must see to the commit.
  mutating func add(_ item: Item) -> Bool {
    items.append(item)
    return items.count == 1
  }

  /// All that waits, and what its first that waits must hear.
  mutating func take() -> (group: [Item], unheard: JournalError?) {
    if items.isEmpty { return ([], nil) }
    defer { (items, unheardFailure) = ([], nil) }
    return (items, unheardFailure)
  }
}

/// What becomes of each change of a group.
struct GroupOutcome {
  private(set) var failures: [JournalError?]
  /// What nobody has heard yet.
  private(set) var unheard: JournalError?

  init(count: Int, unheard: JournalError?) {
    failures = .init(repeating: nil, count: count)
    self.unheard = unheard
  }

  /// False for the one that hears of an earlier failure instead: it asked to be stored behind what is not there.
  mutating func mayStore(_ index: Int, isHeard: Bool) -> Bool {
    guard isHeard, let failure = unheard else { return true }
    (failures[index], unheard) = (failure, nil)
    return false
  }

  mutating func note(_ failure: JournalError, _ index: Int, isHeard: Bool) {
    if isHeard { failures[index] = failure } else { unheard = unheard ?? failure }
  }

  /// The transaction failed, and with it every change.
  mutating func failAll(_ failure: JournalError, isLastHeard: Bool) {
    failures = .init(repeating: failure, count: failures.count)
    unheard = isLastHeard ? nil : failure
  }
}
