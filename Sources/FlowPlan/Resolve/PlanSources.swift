package import Diagnostics
package import FlowSyntax
package import SourceText

/// The other files that a flow names: flows that it calls, tables, schemas. Paths are relative to the flow's own folder.
package struct PlanSources: Sendable {
  /// Why a file cannot be had; one sentence, lower case.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
  }

  /// A file's text.
  package var file: @Sendable (_ path: String, _ from: SourceFile) -> Result<SourceFile, Problem>
  /// The syntax of a file; nil where it has none, and then what is wrong is among the findings.
  package var flow: @Sendable (SourceFile) -> FlowReading

  /// What became of reading a flow.
  package typealias FlowReading = (document: FlowDocument?, diagnostics: [Diagnostic])

  package init(
    file: @escaping @Sendable (_ path: String, _ from: SourceFile) -> Result<SourceFile, Problem>,
    flow: @escaping @Sendable (SourceFile) -> FlowReading
  ) {
    self.file = file
    self.flow = flow
  }

  /// Of a flow that may name no other file.
  package static let none = PlanSources(
    file: { path, _ in .failure(Problem("`\(path)` cannot be read here")) }, flow: { _ in (nil, []) })
}
