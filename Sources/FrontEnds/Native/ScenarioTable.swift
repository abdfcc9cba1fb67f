package import SourceText

/// The rows of a table of cases, as a CSV reader hands them over.
package struct ScenarioTable: Sendable {
  package struct Row: Sendable {
    /// Where the row stands in its file, from 1.
    package var line: Int
    /// With dotted headers (`inputs.username`); an empty text is an absent key.
    package var cells: [(header: String, text: String)]
    /// The row in its file: what is wrong with a cell is shown there. Nil where nobody can show it.
    package var place: Place?

    package init(line: Int, cells: [(header: String, text: String)], place: Place? = nil) {
      self.line = line
      self.cells = cells
      self.place = place
    }
  }

  /// As messages name it.
  package var name: String
  package var rows: [Row]
  /// The names of the columns in their file: what is wrong with a name is shown there.
  package var header: Place?

  package init(name: String, rows: [Row], header: Place? = nil) {
    self.name = name
    self.rows = rows
    self.header = header
  }
}
