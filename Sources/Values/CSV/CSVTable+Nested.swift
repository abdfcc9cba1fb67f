extension CSVTable {
  /// The rows with each dot of a column's name opened: `inputs.username` is the member `username` of `inputs`. An empty
  /// cell is absent, and so is an object that has only empty cells.
  ///
  /// - Throws: for a column that is both a value and an object (`inputs` beside `inputs.username`), and for a name with
  ///   nothing between two dots.
  package func nestedRows() throws(CSVError) -> [Row] {
    let paths = try nestedPaths()
    return rows.map { row in
      var values = ValueMap()
      for (column, path) in zip(header, paths) {
        guard let value = row.values[column], value != .null, value != "" else { continue }
        values.set(value, at: path[...])
      }
      return Row(line: row.line, values: values)
    }
  }

  private func nestedPaths() throws(CSVError) -> [[String]] {
    let paths = header.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
    for (column, path) in zip(header, paths) {
      guard !path.contains("") else { throw CSVError("a name is missing beside a dot", line: 1, column: column) }
      for (other, longer) in zip(header, paths) where longer.count > path.count && longer.starts(with: path, by: { $0.isSameText(as: $1) })
      {
        throw CSVError("the column is a value here and an object in `\(other)`; rename one", line: 1, column: column)
      }
    }
    return paths
  }
}

extension ValueMap {
  fileprivate mutating func set(_ value: Value, at path: ArraySlice<String>) {
    guard let name = path.first else { return }
    guard path.count > 1 else { return self[name] = value }
    var inner = self[name]?.mapValue ?? ValueMap()
    inner.set(value, at: path.dropFirst())
    self[name] = .map(inner)
  }
}
