package import FlowEvents
package import FlowPlan
package import StepKit
package import Values

/// When something happened: on the monotonic clock since the run's start, and on the wall clock for display.
package struct Moment: Hashable, Sendable {
  package var elapsed: Duration
  package var wall: Timestamp

  package init(elapsed: Duration, wall: Timestamp) {
    self.elapsed = elapsed
    self.wall = wall
  }
}

/// Names one execution of one step; never used twice in a run.
package struct ActivationID: Hashable, Sendable {
  package let number: Int
}

/// What happens to a run.
package enum MachineInput: Sendable {
  case start
  /// A request is over: of an attempt, or, where that is nil, of a connection's session.
  case request(RequestReport, of: ActivationID?)
  /// A step has something to say to whoever watches.
  case log(StepIdentity, text: String)
  /// Comes after every request of the attempt.
  case attemptEnded(ActivationID, AttemptOutcome)
  case timerFired(TimerID)
  /// What `perform` asked for is done; with why, where it is not.
  case effectEnded(ActivationID, StepFailure?)
  /// A note that somebody waits for is as durable as asked; with why, where it is not.
  case noted(ActivationID, StepFailure?)
  /// Answers `callBack`.
  case goOn
  /// A signal asked for the end; the exit code is that of the signal. A second one cuts `finally` short.
  case cancel(exitCode: Int)
}

/// What one attempt of a handler gave.
package struct AttemptOutcome: Sendable {
  package var result: Result<ValueMap, StepFailure>
  /// The whole answer with which the attempt ended; nil where its last request had none.
  package var response: HTTPReply?
  package var duration: Duration
  /// Nothing was sent: the key had been used, and this is what it gave then.
  package var isReplayed: Bool

  package init(result: Result<ValueMap, StepFailure>, response: HTTPReply?, duration: Duration, isReplayed: Bool = false) {
    self.result = result
    self.response = response
    self.duration = duration
    self.isReplayed = isReplayed
  }
}

/// Names a timer of a run.
package enum TimerID: Hashable, Sendable {
  /// The pause before the next attempt or round, or a `wait`.
  case pause(ActivationID)
  /// The `timeout` of a step: its action with all attempts and pauses, a group with all its steps. Branches of
  /// `on_error` run after it.
  case stepTimeout(ActivationID)
  /// The `timeout` of a `poll`, from its first attempt.
  case pollTimeout(ActivationID)
  /// `budget.time`, which covers the steps and not what follows them.
  case runBudget
  /// The `budget.time` of a called flow, which covers its steps and not its `finally`.
  case callBudget(ActivationID)
  /// What undos have after a run was stopped.
  case undoGrace
  /// What `finally` has after a run was stopped.
  case finallyGrace
  /// What the `finally` of a called flow has after its call was stopped.
  case callGrace(ActivationID)
}

/// What the machine wants done.
package enum Decision: Sendable {
  case attempt(AttemptOrder)
  /// The attempt still ends, and says how.
  case cancelAttempt(ActivationID)
  /// Something that the driver does for a step; its end is told as `effectEnded`.
  case perform(ActivationID, WorldEffect)
  /// Comes before the first attempt that names the scope.
  case openScope(ScopeID, ScopeOrder)
  /// No attempt names the scope any more.
  case closeScope(ScopeID)
  case startTimer(TimerID, Duration)
  case cancelTimer(TimerID)
  case emit(RunEvent)
  /// To be written down behind those before it; where somebody waits, its end is told as `noted`.
  case note(RunNote, Durability, ActivationID?)
  /// There is more to do at once: wants `goOn`, behind what has come meanwhile, such as a signal.
  case callBack
  /// These texts are secret from now on: comes before any event that could show them.
  case hide([String])
  /// How an earlier process has left the session of the connection of this index: comes before any attempt over it.
  case recallSession(PastSession, ScopeID, connection: Int)
  /// The last decision of a run.
  case finish(RunReport)
}

/// What the machine asks of the world beside attempts.
package enum WorldEffect: Sendable {
  /// `save`: keeps the body of an answer.
  /// The path is one of the flow's file `flow`.
  case saveFile(path: String, reply: HTTPReply, flow: String)
  /// Commits what lasts between runs, the whole of it.
  case saveState(ValueMap)
  /// `reconcile` has found out what became of a trigger.
  case settle(TriggerName, delivered: Bool)
}

/// One attempt of a handler, with everything rendered.
package struct AttemptOrder: Sendable {
  package let activation: ActivationID
  /// Whose connections it uses.
  package let scope: ScopeID
  package let step: StepIdentity
  package let handler: HandlerPlan
  package let with: ValueMap
  /// From 1.
  package let attempt: Int
  package let dedupeKey: String?
  /// The same for every attempt.
  package let idempotencyKey: String?
  /// Whether the body of its answer is kept in a file, and need not stay in memory.
  package let savesBody: Bool
  /// Whether a process that died may have begun it.
  package let isResumed: Bool
  /// Whether the flow can look up what became of it.
  package let canReconcile: Bool
}
