import StepKit
import Values

/// One field of a step's input or output, as its page shows it; the fields of a record inside follow.
struct FieldRow: Hashable, Sendable {
  let name: String
  /// The names of the records around it, outermost first, with `[]` behind a list and `.*` behind a map.
  let path: [String]
  /// Its type, its bounds, and whether it must be given.
  let kind: String
  let about: String

  /// For columns.
  var indentedName: String { String(repeating: "  ", count: path.count) + name }
  /// For tables: `accounts[].id`.
  var dottedName: String { (path + [name]).joined(separator: ".") }
}

extension RecordShape {
  /// A row for each field, in the order of the description.
  /// - Parameter path: what the names stand below.
  func rows(below path: [String] = []) -> [FieldRow] {
    let rows = fields.flatMap { field -> [FieldRow] in
      let row = FieldRow(name: field.name, path: path, kind: field.kind, about: field.about)
      guard let (inner, suffix) = field.shape.innerRecord else { return [row] }
      return [row] + inner.rows(below: path + [field.name + suffix])
    }
    return isOpen ? rows + [FieldRow(name: "…", path: path, kind: "any value", about: "Further members, as they are.")] : rows
  }

  /// Every name in it, those of records inside included.
  var allNames: Set<String> { Set(fields.map(\.name)).union(innerNames) }

  /// The names in the records inside it.
  var innerNames: Set<String> {
    fields.reduce(into: []) { names, field in
      if let (inner, _) = field.shape.innerRecord { names.formUnion(inner.allNames) }
    }
  }
}

extension RecordShape.Field {
  /// `string, 1–20 characters, required`.
  fileprivate var kind: String {
    let parts: [String] =
      switch constraint {
      case .conforms(let schema): (shape.isOpen ? schema.typeWords : shape.words) + schema.boundWords
      case .written(let form): shape.words + [form.phrase]
      case .membersAreSchemas, nil: shape.words
      }
    let need: String =
      if let fallback { "default \(fallback.redacted.json())" } else if isRequired { "required" } else { "optional" }
    return (parts + [need]).joined(separator: ", ")
  }
}

extension Shape {
  /// Whether it says nothing, so that a schema beside it says all there is.
  fileprivate var isOpen: Bool {
    switch self {
    case .any, .nullable(.any): true
    default: false
    }
  }

  /// The record at the bottom of lists, maps and options, and what shows the way to it.
  fileprivate var innerRecord: (RecordShape, suffix: String)? {
    switch self {
    case .record(let record): (record, "")
    case .list(let element): element.innerRecord.map { ($0.0, "[]" + $0.suffix) }
    case .map(let member): member.innerRecord.map { ($0.0, ".*" + $0.suffix) }
    case .nullable(let inner), .secret(let inner): inner.innerRecord
    case .any, .string, .int, .number, .bool, .choice, .numberOrText: nil
    }
  }
}
