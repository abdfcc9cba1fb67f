import FlowEvents
import FlowPlan
import HTTPTypes
import StepKit
import Values

@testable import FlowEngine

/// One run of the machine alone, over all processes that it takes, in a world that comes from a seed: the scheduler, the
/// clock, the network, the disk, signals, crashes, and whoever settles a doubt.
struct Simulation {
  /// What is wrong with a world, to see that the laws notice.
  enum Defect: CaseIterable {
    /// The machine is told that a note is written before it is.
    case forgetsToWait
    /// What may have been sent is told as not sent.
    case callsDoubtUnsent
    /// A power cut takes what was synced.
    case liesAboutSyncs
  }

  /// Who settles what a crash leaves open.
  enum Settler {
    /// Asks the servers.
    case honest
    /// Has it sent again, whatever became of it.
    case bold
    case nobody
  }

  /// What is to happen beside the flow.
  struct Fate {
    /// How many decisions of the scheduler each process lives; the one behind the last lives to its end.
    var crashes: [Int] = []
    var settler = Settler.honest
    var keepsNotes = true
    var isCalm = false
    /// How many notes the disk of the first process takes; nil for ever.
    var room: Int?
    var isSignalled = false
    /// Whether a run that ends without passing is gone on with.
    var isReopened = false
    var defect: Defect?

    static let calm = Fate(isCalm: true)

    /// As a seed has it.
    init(seed: UInt64) {
      var random = SeededGenerator(seed &+ 0xFA7E)
      keepsNotes = random.below(8) > 0
      if keepsNotes, random.below(3) > 0 { crashes = (0...random.below(3)).map { _ in 1 + random.below(40) } }
      settler = [.honest, .honest, .honest, .bold, .nobody][random.below(5)]
      if keepsNotes, random.below(10) == 0 { room = random.below(12) }
      isSignalled = random.below(3) == 0
      isReopened = keepsNotes && random.below(2) == 0
    }

    init(isCalm: Bool, crashes: [Int] = []) {
      self.isCalm = isCalm
      self.crashes = crashes
    }
  }

  enum Event {
    case input(MachineInput)
    case attemptEnd(ActivationID, SimulatedServer.Exchange)
    case diskEnd
  }

  /// What was not as it must be; empty for a sound run.
  private(set) var violations: [String] = []
  /// How the last process ended.
  private(set) var report: RunReport?
  /// What lasts between runs, as it was last committed.
  private(set) var state: ValueMap?
  /// How many decisions the scheduler took.
  private(set) var decisions = 0
  /// Whether a look-up found that something had not arrived, so that an error stands where a run without a crash has none.
  private(set) var hasFoundNothing = false
  private(set) var processes = 0
  /// What happened, for people; kept where it is asked for.
  private(set) var story: [String] = []
  let tells: Bool
  let prepared: PreparedRun
  let plan: Plan
  let fate: Fate
  let seed: UInt64
  var random: SeededGenerator
  var elapsed = Duration.zero
  var server: SimulatedServer
  var disk: SimulatedDisk
  var sends: SendLaws
  /// Whether the flow has bodies that run beside each other.
  let isConcurrent: Bool

  // Of the process that runs.
  var machine: Machine
  var startedAt = Duration.zero
  var pending: [(at: Duration, event: Event)] = []
  var open: [ActivationID: AttemptOrder] = [:]
  var exchanges: [ActivationID: Int] = [:]
  var laws = StepLaws()
  var executions: [Int: Execution] = [:]
  var scopes: Set<ScopeID> = [.run]
  var hasFinallyStep = false
  /// The verdict when the steps were over.
  var settled: Verdict?
  var isGraceOver = false

  /// - Parameter watched: the flow that the laws know, where it is not the one that runs.
  init(_ prepared: PreparedRun, watched: PreparedRun? = nil, seed: UInt64, fate: Fate, tells: Bool = false) {
    self.tells = tells
    self.prepared = prepared
    self.fate = fate
    self.seed = seed
    plan = (watched ?? prepared).plan
    let steps = (plan.steps + plan.finally).flatMap(\.withCalled)
    isConcurrent = (plan.steps + plan.finally).contains(where: \.isConcurrent)
    random = SeededGenerator(seed &* 0x9E37_79B9 &+ 1)
    server = SimulatedServer(seed: seed, isCalm: fate.isCalm)
    disk = SimulatedDisk(seed: seed, room: fate.room, liesAboutSyncs: fate.defect == .liesAboutSyncs)
    sends = SendLaws(steps)
    machine = Machine(prepared, runID: "sim", environment: "", seed: seed)
  }

  mutating func violate(_ what: String) { violate([what]) }

  mutating func violate(_ what: [String]) {
    violations += what
    if tells { for text in what { tell("!! \(text)") } }
  }

  mutating func tell(_ line: String) { story.append("\(elapsed.text): \(line)") }

  var moment: Moment {
    Moment(elapsed: elapsed - startedAt, wall: Timestamp(seconds: 1_732_150_800 + elapsed.components.seconds))
  }

  // MARK: - processes

  /// Runs to the end, through all crashes.
  mutating func run() {
    var history: RunHistory?
    var isReopened = false
    while violations.isEmpty {
      startProcess(history)
      guard runProcess(for: processes <= fate.crashes.count ? fate.crashes[processes - 1] : nil) else { return }
      if let report {
        checkEnd(report)
        guard fate.isReopened, !isReopened, report.verdict != .passed, let next = reopened(report) else { return }
        isReopened = true
        history = next
      } else {
        history = crashed()
      }
    }
  }

  private mutating func startProcess(_ history: RunHistory?) {
    processes += 1
    if tells { tell("process \(processes)") }
    report = nil
    startedAt = elapsed
    let number = UInt64(processes)
    machine = Machine(
      prepared, runID: "sim", environment: "", seed: seed &+ number &* 7919, stepsAtOnce: (seed + number) % 2 == 0 ? 1 : 1000,
      keepsNotes: fate.keepsNotes, history: history)
    (pending, open, exchanges, executions, scopes) = ([], [:], [:], [:], [.run])
    (hasFinallyStep, settled, isGraceOver) = (false, nil, false)
    laws = StepLaws(isResumed: history != nil)
    for step in (plan.steps + plan.finally).flatMap(\.withCalled) { laws.know(step) }
    if fate.isSignalled, Bool.random(using: &random) {
      for _ in 0...random.below(2) { schedule(.input(.cancel(exitCode: 130)), after: .milliseconds(random.below(20_000))) }
    }
    feed(.start)
  }

  /// - Parameter life: after how many decisions the process dies; nil lets it live.
  /// - Returns: whether it ended or died as it may.
  private mutating func runProcess(for life: Int?) -> Bool {
    var steps = 0
    while report == nil {
      if let life, steps >= life { return true }
      steps += 1
      decisions += 1
      guard steps < 10_000, step() else {
        violate(steps < 10_000 ? "the run is stuck" : "the run does not end")
        return false
      }
    }
    return true
  }

  /// Does what comes next; false where there is nothing.
  private mutating func step() -> Bool {
    let next = pending.map(\.at).min()
    if let arrival = server.nextArrival, next.map({ arrival <= $0 }) ?? false {
      elapsed = max(elapsed, arrival)
      server.arriveNext()
      return true
    }
    guard let next else { return false }
    // Of what is due at the same moment, any may come first.
    let due = pending.indices.filter { pending[$0].at == next }
    let event = pending.remove(at: due[random.below(due.count)]).event
    elapsed = max(elapsed, next)
    switch event {
    case .input(let input): feed(input)
    case .attemptEnd(let id, let exchange): endAttempt(id, exchange)
    case .diskEnd: endWriting()
    }
    return true
  }

  mutating func schedule(_ event: Event, after delay: Duration) { pending.append((elapsed + delay, event)) }

  mutating func finish(_ final: RunReport) { report = final }
  mutating func commit(_ new: ValueMap) { state = new }
  mutating func noteFoundNothing() { hasFoundNothing = true }

  // MARK: - between processes

  /// The process is gone: what is left of it, and what somebody says of it.
  private mutating func crashed() -> RunHistory {
    server.cutOff()
    wait(.milliseconds(random.below(5000)))
    disk.crash(Bool.random(using: &random) ? .kill : .powerCut)
    if tells { tell("crashed; left: " + disk.notes.map { "\($0.kind) \($0.path)" }.joined(separator: ", ")) }
    sends.cutOff(disk.notes)
    return goingOn()
  }

  /// Nil where there is nothing to go on with.
  private mutating func reopened(_ report: RunReport) -> RunHistory? {
    wait(.seconds(20))
    disk.close()
    disk.append(RunNote(.finished, path: "", at: moment.wall, details: ValueMap(members: ["verdict": .string(report.verdict.rawValue)])))
    let history = RunHistory(disk.notes + [RunNote(.resumed, path: "", at: moment.wall)])
    guard !history.isUndone, fate.settler != .nobody || history.doubts.isEmpty else { return nil }
    sends.reopen(disk.notes)
    return goingOn()
  }

  private mutating func goingOn() -> RunHistory {
    let resumed = RunNote(.resumed, path: "", at: moment.wall)
    let doubts = RunHistory(disk.notes + [resumed]).doubts
    let listed = Set(doubts.map(\.path))
    for path in sends.doubts where !listed.contains(path) && !sends.isLeftToRun(path) { violate("the doubt of `\(path)` is not listed") }
    for note in doubts { settle(note) }
    server.forget { [sends] in !sends.knows($0) }
    disk.append(resumed)
    return RunHistory(disk.notes)
  }

  private mutating func settle(_ doubt: RunNote) {
    guard let execution = doubt.execution else { return violate("a doubt of nothing") }
    // Whatever is said, nothing of it is under way any more.
    server.close(execution)
    let word: String
    switch fate.settler {
    case .honest: word = server.hasDone(execution) ? "delivered" : "not_delivered"
    case .bold: word = "retry"
    case .nobody: return
    }
    let outputs = word == "delivered" ? ValueMap(members: ["n": .int(server.number(of: execution))]) : nil
    disk.append(
      RunNote(.settled, path: doubt.path, at: moment.wall, outputs: outputs, details: ValueMap(members: ["settled": .string(word)])))
    sends.settle(execution, word)
    if tells { tell("settled \(doubt.path): \(word)") }
  }

  private mutating func wait(_ duration: Duration) {
    elapsed += duration
    while let arrival = server.nextArrival, arrival <= elapsed { server.arriveNext() }
  }
}
