package import Diagnostics
package import FlowSyntax
package import StepKit

/// What became of planning a flow.
package struct PlannedFlow: Sendable {
  /// Nil where there is an error among the findings or a step could not be read.
  package let plan: Plan?
  /// The plan as far as it goes, and those of called flows that are wrong themselves: for what else is to be said of them.
  package let drafts: [Plan]
  /// Every finding of this stage, sorted by place.
  package let diagnostics: [Diagnostic]
}

/// Syntax → plan: names are bound, types are checked, and what the flow may do is proven before the first request.
package enum Planner {
  /// Plans a flow; every finding of this stage is reported.
  package static func planned(_ document: FlowDocument, catalogue: StepCatalogue, sources: PlanSources = .none) -> PlannedFlow {
    let calls = CallBook()
    var resolver = Resolver(document, catalogue, sources, calls)
    let plan = resolver.resolve()
    let diagnostics = resolver.diagnostics.sortedByPlace()
    let isWrong = diagnostics.hasErrors || !document.unreadableSteps.isEmpty
    return PlannedFlow(plan: isWrong ? nil : plan, drafts: [plan] + calls.drafts, diagnostics: diagnostics)
  }

  /// The plan alone, or nil where it is wrong.
  package static func plan(_ document: FlowDocument, catalogue: StepCatalogue, sources: PlanSources = .none) -> (
    plan: Plan?, diagnostics: [Diagnostic]
  ) {
    let planned = planned(document, catalogue: catalogue, sources: sources)
    return (planned.plan, planned.diagnostics)
  }
}
