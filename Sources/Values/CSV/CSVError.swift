/// Why a table is not the CSV that was asked for.
package struct CSVError: Error, Hashable, Sendable {
  /// Lower case, no full stop, with the mend.
  package var message: String
  /// Counted from 1; nil where no line is at fault.
  package var line: Int?
  /// The column's name in the header; nil where no single one is at fault.
  package var column: String?

  package init(_ message: String, line: Int? = nil, column: String? = nil) {
    self.message = message
    self.line = line
    self.column = column
  }
}

extension CSVError: CustomStringConvertible {
  /// ``line 4, column `amount`: …``
  package var description: String {
    let place = [line.map { "line \($0)" }, column.map { "column `\($0)`" }].compactMap { $0 }.joined(separator: ", ")
    return place.isEmpty ? message : "\(place): \(message)"
  }
}
