package import FlowEvents
package import StepKit

/// Where a run writes down what happens. Conformers keep true: notes come back in the order in which they were given.
package protocol JournalPort: Sendable {
  /// Returns when all of them, and all that came before, are as durable as asked.
  ///
  /// - Throws: `config.journal`: none of them may be relied on.
  func write(_ notes: [RunNote], _ durability: Durability) async throws(StepFailure)
}

/// Keeps nothing.
package struct NoJournal: JournalPort {
  package init() {}

  package func write(_ notes: [RunNote], _ durability: Durability) {}
}
