import FlowEvents
import Values

@testable import FlowEngine

/// The disk of a simulated run: notes are written in their order, those that come meanwhile together, and each crash
/// leaves a prefix.
struct SimulatedDisk {
  enum Crash { case kill, powerCut }

  private var random: SeededGenerator
  /// What was handed over and not begun.
  private var waiting: [(note: RunNote, durability: Durability, waiter: ActivationID?)] = []
  private var writing: [(note: RunNote, durability: Durability, waiter: ActivationID?)] = []
  private(set) var isBusy = false
  private(set) var notes: [RunNote] = []
  /// How many survive the end of the process, and a power cut.
  private var written = 0
  private var synced = 0
  /// How many notes it takes before it is full; nil for ever.
  private var room: Int?
  private var isFull = false
  /// A planted defect: what was synced is not.
  private let liesAboutSyncs: Bool

  init(seed: UInt64, room: Int?, liesAboutSyncs: Bool) {
    random = SeededGenerator(seed &+ 0xD15C)
    self.room = room
    self.liesAboutSyncs = liesAboutSyncs
  }

  /// - Returns: how long the disk is at it, where it begins.
  mutating func add(_ note: RunNote, _ durability: Durability, _ waiter: ActivationID?) -> Duration? {
    waiting.append((note, durability, waiter))
    return isBusy ? nil : begin()
  }

  private mutating func begin() -> Duration? {
    isBusy = !waiting.isEmpty
    guard isBusy else { return nil }
    writing = waiting
    waiting = []
    return .microseconds(Int.random(in: 50...20_000, using: &random))
  }

  /// What was begun is done.
  /// - Returns: who waited, whether it failed, and how long the next is.
  mutating func end() -> (waiters: [ActivationID], hasFailed: Bool, next: Duration?) {
    let batch = writing
    writing = []
    if let room, notes.count + batch.count > room { isFull = true }
    if isFull {
      // What was asked may be stored or not; nothing more is.
      let kept = notes.count > (room ?? 0) ? 0 : Int.random(in: 0...batch.count, using: &random)
      notes += batch.prefix(kept).map(\.note)
      room = 0
    } else {
      notes += batch.map(\.note)
      let durability = batch.map(\.durability).max() ?? .soon
      if durability >= .written { written = notes.count }
      if durability >= .synced, !liesAboutSyncs { synced = notes.count }
    }
    return (batch.compactMap(\.waiter), isFull, begin())
  }

  /// Whether a power cut would leave the start of an execution.
  func hasSynced(startOf execution: Execution) -> Bool {
    notes.prefix(synced).contains {
      $0.kind == .started && $0.path == execution.path && $0.kept["seed"]?.exposed == .uint(execution.seed)
    }
  }

  /// The process ends: what was under way is lost or kept, as a prefix.
  mutating func crash(_ how: Crash) {
    let safe = how == .kill ? max(written, synced) : synced
    let all = notes + (isFull ? [] : writing.map(\.note))
    notes = Array(all.prefix(Int.random(in: safe...max(safe, all.count), using: &random)))
    restart()
  }

  /// The process has ended by itself.
  mutating func close() {
    while isBusy { _ = end() }
    restart()
  }

  private mutating func restart() {
    (waiting, writing, isBusy, isFull, room) = ([], [], false, false, nil)
    (written, synced) = (notes.count, notes.count)
  }

  /// Somebody else writes.
  mutating func append(_ note: RunNote) {
    notes.append(note)
    (written, synced) = (notes.count, notes.count)
  }
}
