package import FlowEvents
package import FlowPlan
import StepKit

/// Drives one run: feeds the machine with what happens, and does what it decides.
package final class FlowRun: Sendable {
  private let prepared: PreparedRun
  private let world: RunWorld
  private let runID: String
  private let inputs: AsyncStream<MachineInput>
  private let feed: AsyncStream<MachineInput>.Continuation

  package init(_ prepared: PreparedRun, world: RunWorld, runID: String) {
    self.prepared = prepared
    self.world = world
    self.runID = runID
    (inputs, feed) = AsyncStream.makeStream()
  }

  /// Ends the run early: what is in flight is stopped, `finally` runs. Safe from any thread.
  package func cancel(exitCode: Int) { feed.yield(.cancel(exitCode: exitCode)) }

  /// Runs to the end; call it once.
  package func run() async -> RunReport {
    let seed = world.random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var machine = Machine(prepared, runID: runID, environment: world.environment, seed: seed)
    let attempts = AttemptPerformer(prepared, world)
    var tasks = RunTasks(feed: feed, clock: world.clock)
    let start = world.clock.elapsed()
    feed.yield(.start)
    for await input in inputs {
      if case .attemptEnded(let id, _) = input { tasks.attemptEnded(id) }
      let moment = Moment(elapsed: world.clock.elapsed() - start, wall: world.clock.now())
      for decision in machine.handle(input, at: moment) {
        switch decision {
        case .attempt(let order): tasks.startAttempt(order, attempts)
        case .cancelAttempt(let id): tasks.cancelAttempt(id)
        case .startTimer(let timer, let duration): tasks.startTimer(timer, duration)
        case .cancelTimer(let timer): tasks.cancelTimer(timer)
        case .emit(let event): world.observe(event)
        case .finish(let report):
          tasks.cancelAll()
          feed.finish()
          return report
        }
      }
    }
    preconditionFailure("the machine ends every run with a report")
  }
}

/// The tasks of a run: attempts and timers, each of which feeds the machine when it ends.
private struct RunTasks {
  let feed: AsyncStream<MachineInput>.Continuation
  let clock: any ClockPort
  private var attempts: [ActivationID: Task<Void, Never>] = [:]
  private var timers: [TimerID: Task<Void, Never>] = [:]

  init(feed: AsyncStream<MachineInput>.Continuation, clock: any ClockPort) {
    self.feed = feed
    self.clock = clock
  }

  mutating func startAttempt(_ order: AttemptOrder, _ performer: AttemptPerformer) {
    attempts[order.activation] = Task { [feed] in
      let outcome = await performer.perform(order)
      feed.yield(.attemptEnded(order.activation, outcome))
    }
  }

  mutating func attemptEnded(_ id: ActivationID) { attempts[id] = nil }

  /// The attempt still ends, and says how.
  func cancelAttempt(_ id: ActivationID) { attempts[id]?.cancel() }

  mutating func startTimer(_ timer: TimerID, _ duration: Duration) {
    timers[timer] = Task { [feed, clock] in
      do throws(CancellationError) {
        try await clock.sleep(for: duration)
        feed.yield(.timerFired(timer))
      } catch {
        // A cancelled timer never fires.
      }
    }
  }

  mutating func cancelTimer(_ timer: TimerID) { timers.removeValue(forKey: timer)?.cancel() }

  mutating func cancelAll() {
    for task in attempts.values { task.cancel() }
    for task in timers.values { task.cancel() }
    attempts = [:]
    timers = [:]
  }
}
