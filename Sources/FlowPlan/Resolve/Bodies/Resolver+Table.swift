import CEL
import Diagnostics
import FlowSyntax
import SourceText
import Values

/// `csv('FILE', {'column': 'integer'})`: read when the plan is made, so that the names and types of its columns are known.
extension Resolver {
  private static let csv = Function(
    hostAnswered: "csv", [.global(.string, to: .list(.dyn)), .global(.string, .map(.dyn, .dyn), to: .list(.dyn))])

  mutating func resolveTable(_ text: EmbeddedText, minItems: Located<Int>?) -> Items {
    guard let (path, types, place) = tableArguments(text) else { return Items() }
    let read: SourceFile
    switch sources.file(path, file) {
    case .success(let found): read = found
    case .failure(let problem):
      report(.missingFile, problem.message, at: place)
      return Items()
    }
    do throws(CSVError) {
      let table = try CSVTable(read.bytes, types: types)
      checkRows(table, path, minItems, at: place)
      return Items(source: .rows(table.rows.map { .map($0.values) }), type: .record(rowType(table, types, path)), bound: table.rows.count)
    } catch {
      let position = error.line.map { "\(read.path), line \($0)" } ?? read.path
      let column = error.column.map { ", column `\($0)`" } ?? ""
      report(.invalidValue, "\(position)\(column): \(error.message)", at: place)
      return Items()
    }
  }

  /// The literal arguments, and where the file's name stands.
  private mutating func tableArguments(_ text: EmbeddedText) -> (path: String, types: [String: String], place: Span)? {
    let compilation = Environment(variables: [], functions: [Self.csv], checking: .none).compile(text.text)
    for issue in compilation.issues { report(issue, in: text, Locals()) }
    guard let expression = compilation.program?.expression else { return nil }
    guard case .call(let function, _, let arguments) = expression.kind, function.name == "csv", let first = arguments.first,
      case .literal(.string(let path)) = first.kind
    else {
      report(
        .invalidExpression, "`csv` stands alone, with the name of its file as a literal", at: text.trimmedFileSpan,
        help: ["such as `csv('users.csv', {'age': 'integer'})`: the table is read before the run"])
      return nil
    }
    var types: [String: String] = [:]
    if arguments.count > 1 {
      guard case .map(let entries) = arguments[1].kind else { return reportTypes(text.fileSpan(of: arguments[1].span)) }
      for entry in entries {
        guard case .literal(.string(let column)) = entry.key.kind, case .literal(.string(let type)) = entry.value.kind else {
          return reportTypes(text.fileSpan(of: entry.value.span))
        }
        types[column] = type
      }
    }
    return (path, types, text.fileSpan(of: first.span))
  }

  private mutating func reportTypes(_ span: Span) -> (path: String, types: [String: String], place: Span)? {
    report(.invalidExpression, "the types of columns are literals", at: span, help: ["such as `{'age': 'integer'}`"])
    return nil
  }

  private mutating func checkRows(_ table: CSVTable, _ path: String, _ minItems: Located<Int>?, at place: Span) {
    guard table.rows.isEmpty, minItems?.value != 0 else { return }
    report(
      .cannotFail, "`\(path)` has no row: the steps under it never run", at: place,
      help: ["fill the table; where it may be empty, write `min_items: 0`"])
  }

  /// A column holds null where one of its cells is empty.
  private func rowType(_ table: CSVTable, _ types: [String: String], _ path: String) -> RecordType {
    RecordType(
      "a row of `\(path)`",
      table.header.map { column in
        let type: ValueType =
          switch types[column].flatMap(CSVTable.ColumnType.init(rawValue:)) {
          case .integer?: .int
          case .number?: .double
          case .boolean?: .bool
          case .string?, nil: .string
          }
        return RecordType.Field(column, table.rows.contains { $0.values[column] == .null } ? .nullable(type) : type)
      })
  }
}
