/// The fetches of a session that are under way, one for each class of token at most, and who waits for them.
struct Flights {
  typealias Waiter = CheckedContinuation<Result<Token, StepFailure>, Never>

  private struct Flight {
    let id: Int
    let task: Task<Void, Never>
    var waiting: [Int: Waiter] = [:]
    /// Whether it has sent what cannot be sent again.
    var isPastReturn = false
  }

  private var flights: [TokenClass: Flight] = [:]
  private var lastID = 0

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  func isUnderWay(_ tokenClass: TokenClass) -> Bool { flights[tokenClass] != nil }

  /// Whether a fetch is still the one that its class waits for.
  func isWaitedFor(_ id: Int, _ tokenClass: TokenClass) -> Bool { flights[tokenClass]?.id == id }

  func waitingCount(_ tokenClass: TokenClass) -> Int { flights[tokenClass]?.waiting.count ?? 0 }

  mutating func begin(_ id: Int, _ tokenClass: TokenClass, _ task: Task<Void, Never>) {
    flights[tokenClass] = Flight(id: id, task: task)
  }

  /// From here on it goes on, whoever leaves.
  mutating func passReturn(_ tokenClass: TokenClass) { flights[tokenClass]?.isPastReturn = true }

  mutating func board(_ waiter: Waiter, as id: Int, _ tokenClass: TokenClass) { flights[tokenClass]?.waiting[id] = waiter }

  /// - Returns: who has waited; nil where nobody waits for this fetch any more.
  mutating func land(_ id: Int, _ tokenClass: TokenClass) -> [Waiter]? {
    guard let flight = flights[tokenClass], flight.id == id else { return nil }
    flights[tokenClass] = nil
    return Array(flight.waiting.values)
  }

  /// One who waits leaves. A fetch that nobody waits for is given up, unless it has sent what cannot be sent again.
  /// - Returns: the one who leaves; nil where they have left, or it has landed.
  mutating func leave(_ id: Int, _ tokenClass: TokenClass) -> Waiter? {
    guard let waiter = flights[tokenClass]?.waiting.removeValue(forKey: id) else { return nil }
    if let flight = flights[tokenClass], flight.waiting.isEmpty, !flight.isPastReturn {
      flights[tokenClass] = nil
      flight.task.cancel()
    }
    return waiter
  }
}
