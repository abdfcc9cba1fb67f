package import Values

/// One thing that a run writes down as it goes, so that it can be told, and gone on with after its process has died.
///
/// The values may hold secrets: whoever keeps a note hides them, or seals them.
package struct RunNote: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A step begins.
    case started
    /// A step has come to a point from which it goes on: a branch of `on_error` answers, state is about to be committed.
    case checkpoint
    /// A step is over; `status` says how.
    case ended
    /// The run is over; `status` says nothing, `code` is that of its error.
    case finished
    /// A later process goes on with the run.
    case resumed
    /// Somebody has said what became of a step that may have happened.
    case settled
  }

  package var kind: Kind
  /// Which execution: the step's id with the keys of the items and rounds around it, behind the calls that it stands in,
  /// such as `onboard/create[ada]`; empty for the run itself. The same path comes again where a step runs again.
  package var path: String
  package var at: Timestamp
  /// How a step ended.
  package var status: StepStatus?
  /// The code of the error with which it ended.
  package var code: String?
  /// What a step gave; only of one that has ended.
  package var outputs: ValueMap?
  /// What is told of it.
  package var details: ValueMap
  /// What going on with the run needs beside that.
  package var kept: ValueMap

  package init(
    _ kind: Kind, path: String, at: Timestamp, status: StepStatus? = nil, code: String? = nil, outputs: ValueMap? = nil,
    details: ValueMap = ValueMap(), kept: ValueMap = ValueMap()
  ) {
    self.kind = kind
    self.path = path
    self.at = at
    self.status = status
    self.code = code
    self.outputs = outputs
    self.details = details
    self.kept = kept
  }
}

/// What a note survives before the run goes on.
package enum Durability: Int, Comparable, Hashable, Sendable, CaseIterable {
  /// Nothing yet: it is stored soon, and nobody waits. Where very much waits already, it is as `written`.
  case soon
  /// It survives the end of the process.
  case written
  /// It survives a power cut, with all that was noted before it.
  case synced

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
