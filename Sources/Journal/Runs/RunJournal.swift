package import FlowEvents
package import Values

/// Keeps what happens in runs, so that each can be read back and gone on with after its process has died.
///
/// A conformer keeps these true; the suite `RunJournalExam` proves them:
/// - The order of entries is the order of the calls of each task.
/// - What a call has returned from is as durable as `Durability` has it, with all that was appended before it.
/// - Nothing is read out of order, and what is read was stored.
/// - A failed call has stored nothing, or its error is `io` and only opening the journal anew tells.
/// - Payloads are JSON text with secrets hidden or sealed; they come back byte for byte.
///
/// A conformer that keeps its runs in memory promises the same without power cuts and dead processes.
package protocol RunJournal: Sendable {
  /// Stores the start of a run.
  ///
  /// - Throws: `duplicate` where the id is taken.
  func begin(_ run: RunOpening, _ durability: Durability) async throws(JournalError)

  /// Stores entries, all or none of them, behind those that were appended before them.
  ///
  /// Where a call that did not wait fails, the next one that waits throws that error and stores nothing.
  /// - Throws: `notFound` where the run was not begun.
  func append(_ entries: [JournalEntry], to runID: String, _ durability: Durability) async throws(JournalError)

  /// One run with its entries in order; nil where there is none.
  func run(_ id: String) async throws(JournalError) -> RunRecord?

  /// The runs that a filter lets through, latest first, without their entries.
  func runs(_ filter: RunFilter) async throws(JournalError) -> [RunSummary]

  /// Removes runs that began before a moment, and their traces in the files once no other process reads them;
  /// unresolved ones stay. Returns how many.
  func prune(startedBefore moment: Timestamp) async throws(JournalError) -> Int

  /// The right to write a run's entries, which one process has at a time; nil while another has it. It ends with the
  /// object, or the process.
  func hold(_ runID: String) async throws(JournalError) -> RunHold?

  /// Stores what still waits, as what is `written`. Nothing is called afterwards.
  func close() async throws(JournalError)
}

/// The right of one process to go on with a run; kernel-released.
package final class RunHold: Sendable {
  private let lock: any Sendable & AnyObject

  package init(_ lock: any Sendable & AnyObject) {
    self.lock = lock
  }
}

/// A run as it begins.
package struct RunOpening: Hashable, Sendable {
  package var id: String
  /// The path of the flow's file.
  package var flow: String
  /// Of the flow's text, so that going on with a changed flow can be refused.
  package var flowDigest: String
  package var environment: String
  package var startedAt: Timestamp
  /// Who ran it.
  package var `operator`: String
  package var isSandbox: Bool
  /// What it was given, as JSON text with secrets hidden.
  package var inputs: String

  package init(
    id: String, flow: String, flowDigest: String, environment: String, startedAt: Timestamp, operator: String, isSandbox: Bool,
    inputs: String
  ) {
    self.id = id
    self.flow = flow
    self.flowDigest = flowDigest
    self.environment = environment
    self.startedAt = startedAt
    self.operator = `operator`
    self.isSandbox = isSandbox
    self.inputs = inputs
  }
}

/// One thing that happened in a run.
package struct JournalEntry: Hashable, Sendable {
  package typealias Kind = RunNote.Kind

  package var kind: Kind
  /// Which execution, such as `each[3].create`; empty for the run itself.
  package var path: String
  package var at: Timestamp
  /// The status of a step, the verdict of a run.
  package var status: String?
  /// The code of the error that decided it.
  package var code: String?
  /// JSON text with secrets hidden.
  package var outputs: String?
  /// Of the outputs with their secrets, so that going on can tell whether they are the same.
  package var outputsDigest: String?
  /// Whatever else the writer needs again: JSON text with secrets hidden.
  package var details: String?

  package init(
    _ kind: Kind, path: String = "", at: Timestamp, status: String? = nil, code: String? = nil, outputs: String? = nil,
    outputsDigest: String? = nil, details: String? = nil
  ) {
    self.kind = kind
    self.path = path
    self.at = at
    self.status = status
    self.code = code
    self.outputs = outputs
    self.outputsDigest = outputsDigest
    self.details = details
  }
}
