package import Diagnostics
package import FlowSyntax
package import StepKit

/// Syntax → plan: names are bound, types are checked, and what the flow may do is proven before the first request.
package enum Planner {
  /// The plan, or nil where there is an error among the findings or a step could not be read. Every finding of this
  /// stage is reported.
  package static func plan(_ document: FlowDocument, catalogue: StepCatalogue, sources: PlanSources = .none) -> (
    plan: Plan?, diagnostics: [Diagnostic]
  ) {
    var resolver = Resolver(document, catalogue, sources, CallBook())
    let plan = resolver.resolve()
    let diagnostics = resolver.diagnostics.sortedByPlace()
    return (diagnostics.hasErrors || !document.unreadableSteps.isEmpty ? nil : plan, diagnostics)
  }
}
