package import StepKit
package import Values

/// Reads a file of the flow's project.
package enum ReadFileStep: StepHandler {
  package static let about = About("read-file", "Reads a file of the project: text, JSON, a table in CSV, or bytes.", effect: .read)
  static let malformed = StepError("decode", "the file is not of the form that `as` names", help: "mend the file, or read it `as: text`")
  package static let errors = [malformed]
  package static let example = Example(
    with: #"{"path": "data/cases.csv", "as": "csv", "columns": {"amount": "integer"}}"#,
    outputs: #"{"value": [{"name": "first", "amount": 1000}], "size": 23}"#)

  package struct Input: Sendable {
    let path: String
    let `as`: FileForm
    let columns: NamedMembers<ColumnType>
    let secret: Bool
  }

  package struct Output: Sendable {
    let value_: Value
    let size: Int
  }

  /// Typed by `as`, and secret where the input says so or may say so.
  package static func refineOutput(_ shape: RecordShape, literals: ValueMap) -> RecordShape {
    let value: Shape =
      switch literals["as"].map({ $0.stringValue.flatMap(FileForm.init(rawValue:)) }) {
      case nil: FileForm.text.shape
      case .some(let form?): form.shape
      case .some(nil): .any
      }
    let isPlain = literals["secret"].map { $0.boolValue == false } ?? true
    return shape.replacing("value", with: isPlain ? value : .secret(value))
  }

  /// - Throws: `decode` for what is not of its form, `schema.input` for columns of what is no table, `config.file` for
  ///   what cannot be read.
  package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
    guard input.columns.entries.isEmpty || input.as == .csv else { throw .input("`columns` types a table; say `as: csv`") }
    let columns = Dictionary(input.columns.entries.map { ($0.name, $0.value.rawValue) }, uniquingKeysWith: { first, _ in first })
    let bytes = try await ports.files.read(input.path)
    let value = try input.as.value(of: bytes, path: input.path, columns: columns)
    return Output(value_: input.secret ? value.hidden() : value, size: bytes.count)
  }

  /// What the cells of a column hold.
  package enum ColumnType: String, Choice { case integer, number, boolean, string }
}

extension ReadFileStep.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    path = field("path", "The file, from the flow's folder on.", minLength: 1)
    `as` = field("as", "What it is read as.", default: .text)
    columns = field("columns", "Types of a table's columns; the others are strings.", default: NamedMembers())
    secret = field("secret", "Whether what it holds is a secret.", default: false)
  }
}

extension ReadFileStep.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    value_ = field("value", "What was read: a text, a value of JSON, the rows of a table by column, or bytes.")
    size = field("size", "The file's size in bytes.")
  }
}
