package import FlowEvents
package import FlowPlan
import StepKit
import Synchronization

/// Drives one run: feeds the machine with what happens, and does what it decides.
package final class FlowRun: Sendable {
  private let prepared: PreparedRun
  private let world: RunWorld
  private let runID: String
  private let history: RunHistory?
  private let inputs: AsyncStream<MachineInput>
  private let feed: RunFeed
  private let isKilled = Mutex(false)

  /// - Parameter history: what the run did before its process died; nil for one that begins.
  package init(_ prepared: PreparedRun, world: RunWorld, runID: String, history: RunHistory? = nil) {
    self.history = history
    self.prepared = prepared
    self.world = world
    self.runID = runID
    let (inputs, continuation) = AsyncStream<MachineInput>.makeStream()
    self.inputs = inputs
    feed = RunFeed(continuation: continuation, activity: world.activity)
  }

  /// Ends the run early: what is in flight is stopped, `finally` has 30 s. A second call stops that too. Safe from any
  /// thread, before and after the run as well.
  package func cancel(exitCode: Int) { feed.post(.cancel(exitCode: exitCode)) }

  /// Runs to the end, whatever becomes of the caller: cancelling its task is `cancel(exitCode: 130)`. Call it once.
  package func run() async -> RunReport {
    guard let report = await runUnlessKilled() else { preconditionFailure("only scenarios kill their runs") }
    return report
  }

  /// As `run()`, for a run that may be killed: then there is no report, as of a process that died.
  package func runUnlessKilled() async -> RunReport? {
    feed.post(.start)
    // Iteration of a stream ends early in a cancelled task, and a run must not.
    let task = Task { await drive() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      cancel(exitCode: 130)
    }
  }

  /// Ends the run as if its process had died: nothing more is done, told or written down.
  package func kill() {
    isKilled.withLock { $0 = true }
    // Wakes whoever waits for what comes next.
    feed.post(.goOn)
  }

  private func drive() async -> RunReport? {
    let seed = world.random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var machine = Machine(
      prepared, runID: runID, environment: world.environment, seed: seed, keepsNotes: !(world.journal is NoJournal), history: history)
    let performer = AttemptPerformer(prepared, world, feed: feed)
    let notes = NoteWriter(world.journal, feed: feed)
    var tasks = RunTasks(feed: feed, clock: world.clock, performer: performer)
    let start = world.clock.elapsed()
    var report: RunReport?
    // What is still in the feed behind the last decision is read, and changes nothing.
    for await input in inputs {
      if isKilled.withLock(\.self) {
        if report == nil { notes.abandon() }
        tasks.cancelAll()
        feed.finish()
        world.activity.ended()
        continue
      }
      tasks.noteEnd(input)
      let moment = Moment(elapsed: world.clock.elapsed() - start, wall: world.clock.now())
      for decision in machine.handle(input, at: moment) {
        switch decision {
        case .attempt(let order): tasks.startAttempt(order)
        case .cancelAttempt(let id): tasks.cancelAttempt(id)
        case .perform(let id, let effect): tasks.startEffect(effect, of: id)
        case .openScope(let id, let order): performer.open(id, order)
        case .closeScope(let id): performer.close(id)
        case .startTimer(let timer, let duration): tasks.startTimer(timer, duration)
        case .cancelTimer(let timer): tasks.cancelTimer(timer)
        case .emit(let event): world.observe(event)
        case .note(let note, let durability, let waiter): notes.add(note, durability, waiter)
        case .callBack: feed.post(.goOn)
        case .hide(let texts): world.hide(texts)
        case .recallSession(let session, let scope, let connection): performer.recall(session, scope, connection: connection)
        case .finish(let final):
          report = final
          tasks.cancelAll()
          feed.finish()
        }
      }
      world.activity.ended()
    }
    await notes.end()
    if report == nil, !isKilled.withLock(\.self) { preconditionFailure("the machine ends every run with a report") }
    return report
  }
}

/// The way of inputs to the machine; each counts as under way until it is handled.
struct RunFeed: Sendable {
  let continuation: AsyncStream<MachineInput>.Continuation
  let activity: any ActivityPort

  func post(_ input: MachineInput) {
    activity.began()
    if case .enqueued = continuation.yield(input) { return }
    activity.ended()
  }

  func finish() { continuation.finish() }
}

/// The tasks of a run: attempts and timers, each of which feeds the machine when it ends.
private struct RunTasks {
  let feed: RunFeed
  let clock: any ClockPort
  let performer: AttemptPerformer
  private var attempts: [ActivationID: Task<Void, Never>] = [:]
  private var timers: [TimerID: Task<Void, Never>] = [:]

  init(feed: RunFeed, clock: any ClockPort, performer: AttemptPerformer) {
    self.feed = feed
    self.clock = clock
    self.performer = performer
  }

  mutating func startAttempt(_ order: AttemptOrder) {
    attempts[order.activation] = task { [feed, performer] in
      feed.post(.attemptEnded(order.activation, await performer.perform(order)))
    }
  }

  /// Not stopped by a cancel: it is short, and a half is worth nothing.
  func startEffect(_ effect: WorldEffect, of id: ActivationID) {
    _ = task { [feed, performer] in feed.post(.effectEnded(id, await performer.perform(effect))) }
  }

  func cancelAttempt(_ id: ActivationID) { attempts[id]?.cancel() }

  mutating func startTimer(_ timer: TimerID, _ duration: Duration) {
    timers[timer] = task { [feed, clock] in
      do throws(CancellationError) {
        try await clock.sleep(for: duration)
        feed.post(.timerFired(timer))
      } catch {
        // A cancelled timer never fires.
      }
    }
  }

  mutating func cancelTimer(_ timer: TimerID) { timers.removeValue(forKey: timer)?.cancel() }

  mutating func noteEnd(_ input: MachineInput) {
    switch input {
    case .attemptEnded(let id, _): attempts[id] = nil
    case .timerFired(let timer): timers[timer] = nil
    case .start, .request, .log, .effectEnded, .noted, .goOn, .cancel: break
    }
  }

  mutating func cancelAll() {
    for task in attempts.values { task.cancel() }
    for task in timers.values { task.cancel() }
    attempts = [:]
    timers = [:]
  }

  private func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let activity = feed.activity
    activity.began()
    return Task {
      await body()
      activity.ended()
    }
  }
}
