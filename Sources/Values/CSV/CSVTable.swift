/// A table with a header, read from CSV (RFC 4180, comma only, UTF-8) in the order of its columns.
package struct CSVTable: Hashable, Sendable {
  /// What the cells of a column hold.
  package enum ColumnType: String, CaseIterable, Hashable, Sendable {
    /// `.int`
    case integer
    /// `.double`, for `10` too
    case number
    /// `true` or `false`, in small or in capital letters as spreadsheets write them
    case boolean
    /// The text as it stands, the empty one included
    case string
  }

  /// One line of the table.
  package struct Row: Hashable, Sendable {
    /// Where it starts, counted from 1; a cell in quotes may hold further lines.
    package var line: Int
    /// By column; an empty cell of a type other than `string` is null.
    package var values: ValueMap

    package init(line: Int, values: ValueMap) {
      self.line = line
      self.values = values
    }
  }

  package let header: [String]
  package let rows: [Row]

  /// Reads a whole table; columns that `types` does not name are strings.
  ///
  /// - Parameter types: `integer`, `number`, `boolean` or `string` by column.
  /// - Throws: with the line, the column and the mend: no header, a column twice, a ragged row, a cell that is not of its
  ///   type, a type for a column that the table lacks.
  package init(_ bytes: [UInt8], types: [String: String] = [:]) throws(CSVError) {
    var reader = try CSVReader(bytes)
    guard let first = try reader.next() else { throw CSVError("the table is empty; its first line names the columns") }
    header = try Self.header(first)
    let columnTypes = try Self.columnTypes(types, header)
    var rows: [Row] = []
    while let record = try reader.next() {
      guard record.cells.count == header.count else { throw Self.ragged(record, header) }
      var values = ValueMap()
      values.reserveCapacity(header.count)
      for (index, cell) in record.cells.enumerated() {
        values[header[index]] = try Self.value(cell, columnTypes[index], header[index])
      }
      rows.append(Row(line: record.line, values: values))
    }
    self.rows = rows
  }
}

// MARK: the header

extension CSVTable {
  private static func header(_ record: CSVReader.Record) throws(CSVError) -> [String] {
    let names = record.cells.map(\.text)
    if names.count == 1, let other = names[0].first(where: { ";\t|".contains($0) }) {
      let separator = other == "\t" ? "a tab" : "`\(other)`"
      throw CSVError("the columns are separated by \(separator); save the table with commas", line: record.line)
    }
    var seen: Set<[UInt8]> = []
    for (index, name) in names.enumerated() {
      guard !name.isEmpty else { throw CSVError("column \(index + 1) has no name; give it one or remove it", line: record.line) }
      guard name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
        throw CSVError("the name \(name.debugDescription) starts or ends with a space; remove it", line: record.line, column: name)
      }
      guard seen.insert(Array(name.utf8)).inserted else {
        throw CSVError("the column stands in the header twice; rename one", line: record.line, column: name)
      }
    }
    return names
  }

  private static func columnTypes(_ types: [String: String], _ header: [String]) throws(CSVError) -> [ColumnType] {
    // Sorted, so that of several mistakes the same one is told each time.
    for (name, type) in types.sorted(by: { $0.key < $1.key }) {
      guard header.contains(where: { $0.isSameText(as: name) }) else {
        let known = header.map { "`\($0)`" }.joined(separator: ", ")
        throw CSVError("the table has no column `\(name)`; it has \(known)", column: name)
      }
      guard ColumnType(rawValue: type) != nil else {
        let known = ColumnType.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw CSVError("`\(type)` is no type of a column; choose one of \(known)", column: name)
      }
    }
    return header.map { types[$0].flatMap(ColumnType.init(rawValue:)) ?? .string }
  }
}

// MARK: cells

extension CSVTable {
  private static func ragged(_ record: CSVReader.Record, _ header: [String]) -> CSVError {
    let (has, wants) = (record.cells.count, header.count)
    let mend = has < wants ? "write a comma for each empty cell" : "put a cell that holds a comma in quotes"
    return CSVError("the row has \(has) \(has == 1 ? "cell" : "cells"), and the header has \(wants); \(mend)", line: record.line)
  }

  private static func value(_ cell: CSVReader.Cell, _ type: ColumnType, _ column: String) throws(CSVError) -> Value {
    guard type != .string else { return .string(cell.text) }
    guard !cell.text.isEmpty else { return .null }
    guard let value = type.value(of: cell.text) else {
      throw CSVError("`\(cell.text)` is no \(type.rawValue)\(type.mend(for: cell.text))", line: cell.line, column: column)
    }
    return value
  }
}

extension CSVTable.ColumnType {
  /// What a text means; nil where it is not of this type. Numbers are written as in JSON.
  package func value(of text: String) -> Value? {
    switch self {
    case .string: return .string(text)
    case .boolean:
      switch text {
      case "true", "TRUE": return true
      case "false", "FALSE": return false
      default: return nil
      }
    case .integer:
      guard let last = text.utf8.last, last != UInt8(ascii: " "), case .int(let number)? = Self.number(text) else { return nil }
      return .int(number)
    case .number:
      switch Self.number(text) {
      case .int(let number): return .double(Double(number))
      case .double(let number): return .double(number)
      case .decimal(let lexeme): return Double(lexeme).flatMap { $0.isFinite ? .double($0) : nil }
      default: return nil
      }
    }
  }

  private static func number(_ text: String) -> Value? {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
      let last = text.utf8.last, (0x30...0x39).contains(last)
    else { return nil }
    return try? JSON.parse(text)
  }

  fileprivate func mend(for text: String) -> String {
    switch self {
    case .string: ""
    case .boolean: "; write `true` or `false`"
    case .integer where text.utf8.first == UInt8(ascii: "0"), .number where text.utf8.first == UInt8(ascii: "0"):
      "; leave out the zero at its start, or let the column be a string"
    case .integer: "; write digits alone, such as `1000`, up to 64 bits"
    case .number: "; write it as `1234.5`"
    }
  }
}
