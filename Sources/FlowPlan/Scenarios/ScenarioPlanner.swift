package import Diagnostics
package import FlowSyntax
package import SourceText

/// A case that is a row of a table.
package struct ScenarioRow: Sendable {
  /// Every span in it is that of the `csv(…)` that names the table.
  package let scenario: ScenarioSyntax
  /// The row in the table's own file.
  package let place: Place
  /// The names of the columns there.
  package let header: Place

  package init(_ scenario: ScenarioSyntax, place: Place, header: Place) {
    self.scenario = scenario
    self.place = place
    self.header = header
  }
}

/// Scenarios → cases that can run: defaults are filled in, and every name is checked against the flow and the sandbox.
package enum ScenarioPlanner {
  /// The cases, or nil where there is an error among the findings. Every finding is reported, sorted by place.
  ///
  /// - Parameters:
  ///   - rows: the cases of a table; nil where the document lists them.
  ///   - isWhole: whether all of the document could be read; what is missing from another is no further error.
  package static func plan(
    _ document: ScenariosDocument, rows: [ScenarioRow]?, isWhole: Bool, flow: Plan, sandbox: SandboxSurface
  ) -> (table: ScenariosPlan?, diagnostics: [Diagnostic]) {
    var resolver = ScenarioResolver(document, flow: flow, sandbox: sandbox, isTable: rows != nil, isWhole: isWhole)
    var cases: [ScenarioSyntax] = []
    if let rows {
      cases = rows.map(\.scenario)
    } else if case .list(let list) = document.cases {
      cases = list
    }
    let table = resolver.resolve(cases, rows: rows)
    let diagnostics = resolver.diagnostics.sortedByPlace()
    return (diagnostics.hasErrors ? nil : table, diagnostics)
  }
}
