/// The rows of a table of cases, as a CSV reader hands them over.
package struct ScenarioTable: Sendable {
  package struct Row: Sendable {
    /// Where the row stands in its file, from 1.
    package var line: Int
    /// With dotted headers (`inputs.username`); an empty text is an absent key.
    package var cells: [(header: String, text: String)]

    package init(line: Int, cells: [(header: String, text: String)]) {
      self.line = line
      self.cells = cells
    }
  }

  /// As messages name it.
  package var name: String
  package var rows: [Row]

  package init(name: String, rows: [Row]) {
    self.name = name
    self.rows = rows
  }
}
