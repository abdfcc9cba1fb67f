package import SourceText
package import Values

/// What happens in a run, in the order in which it happens: all that reporters and the journal ever learn of it.
package enum RunEvent: Sendable {
  case runStarted(RunStart)
  case stepStarted(StepStart)
  /// A request left, or was about to.
  case request(RequestReport)
  /// An attempt failed and another follows after a pause.
  case retryScheduled(step: StepIdentity, attempt: Int, error: ErrorReport, delay: Duration)
  /// An answer is not yet as `poll` wishes; the request is sent again after a pause.
  case pollScheduled(step: StepIdentity, attempt: Int, delay: Duration)
  /// A branch of `on_error` took an error.
  case branchTaken(step: StepIdentity, error: ErrorReport, then: String)
  case log(step: StepIdentity, text: String)
  case stepEnded(StepReport)
  case runEnded(RunReport)
}

package struct RunStart: Sendable {
  package var runID: String
  package var flow: String
  package var file: String
  package var startedAt: Timestamp
  /// How many steps stand at the top level, for progress.
  package var stepCount: Int

  package init(runID: String, flow: String, file: String, startedAt: Timestamp, stepCount: Int) {
    self.runID = runID
    self.flow = flow
    self.file = file
    self.startedAt = startedAt
    self.stepCount = stepCount
  }
}

/// The parts of a run, in the order in which they come.
package enum RunPart: String, Hashable, Sendable {
  case steps, undo, finally
}

/// Which step, as reports name it.
package struct StepIdentity: Hashable, Sendable {
  /// The id, or `steps[3]` where it has none.
  package var id: String
  /// How many bodies it stands in; 0 at the top.
  package var depth: Int
  /// Where it stands in the file.
  package var place: Place
  /// The keys of the items and rounds around it, outermost first.
  package var keys: [String]
  /// The number of this execution, unique in its run; those around it have smaller ones.
  package var number: Int
  /// The number of the execution around it; nil at the top.
  package var parent: Int?
  /// The part of a run that it belongs to.
  package var part: RunPart

  package init(
    id: String, depth: Int, place: Place, keys: [String] = [], number: Int = 0, parent: Int? = nil, part: RunPart = .steps
  ) {
    self.id = id
    self.depth = depth
    self.place = place
    self.keys = keys
    self.number = number
    self.parent = parent
    self.part = part
  }

  /// As people read it: `create[ada]` for the step `create` of the item `ada`.
  package var title: String { id + keys.map { "[\($0)]" }.joined() }
}

package struct StepStart: Sendable {
  package var step: StepIdentity
  /// `rapidsos/register`, `GET /health`, `group`.
  package var action: String
  /// Whether steps stand inside it.
  package var isGroup: Bool

  package init(step: StepIdentity, action: String, isGroup: Bool) {
    self.step = step
    self.action = action
    self.isGroup = isGroup
  }
}

/// One request and its answer; nothing in it is secret.
package struct RequestReport: Hashable, Sendable {
  /// The id of the step that sent it.
  package var stepID: String
  package var method: String
  package var url: String
  /// Nil where no whole answer came.
  package var status: Int?
  /// `no`, `maybe` or `yes`.
  package var sent: String
  package var duration: Duration
  /// The code of what went wrong on the way.
  package var failure: String?

  package init(stepID: String, method: String, url: String, status: Int?, sent: String, duration: Duration, failure: String? = nil) {
    self.stepID = stepID
    self.method = method
    self.url = url
    self.status = status
    self.sent = sent
    self.duration = duration
    self.failure = failure
  }
}
