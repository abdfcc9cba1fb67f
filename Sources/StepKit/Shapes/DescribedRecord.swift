import Synchronization
package import Values

/// A record described once, by an initialiser that names each field: shape, reading and writing all come from it.
/// No `if` may stand inside that initialiser: it runs once to describe and once for every value.
package protocol DescribedRecord: FieldValue {
  init(_ field: inout Fields)
}

extension DescribedRecord {
  /// The shape, built once for each type.
  package static var recordShape: RecordShape { ShapeCache.shared.shape(of: Self.self) }
  package static var shape: Shape { .record(recordShape) }

  package static var placeholder: Self {
    var fields = Fields(.describing)
    return Self(&fields)
  }

  /// Reads a map that has no violation of `shape`.
  package init(valid map: ValueMap) {
    var fields = Fields(.reading(map))
    self.init(&fields)
  }

  package init(valid value: Value) { self.init(valid: value.exposed.mapValue ?? ValueMap()) }

  /// The record as a map in the order of its description; fields that are nil are left out.
  package var encoded: ValueMap {
    let children = Mirror(reflecting: self).children
    let named = Dictionary(
      children.compactMap { child in
        child.label.map { (snakeCase($0), child.value as? any FieldValue) }
      }, uniquingKeysWith: { first, _ in first })
    var map = ValueMap()
    for field in Self.recordShape.fields {
      guard let member = named[field.name] ?? nil else { continue }
      let value = member.value
      if case .null = value, case .nullable = field.shape { continue }
      map[field.name] = value
    }
    for case let further as FurtherMembers in children.map(\.value) {
      for (key, value) in further.members { map[key] = value }
    }
    return map
  }

  package var value: Value { .map(encoded) }

  /// Reads an answer: members that the record does not name are ignored.
  /// - Throws: `decode` with every violation, where the answer is not of the record's shape.
  package static func decode(_ reply: HTTPReply) throws(StepFailure) -> Self {
    let violations = shape.violations(in: reply.body, unknown: .ignored)
    guard violations.isEmpty else {
      throw StepFailure(
        "decode", title: "the answer is not of the documented shape", detail: violations.map(\.message).joined(separator: "; "), sent: .yes,
        answer: reply.answer)
    }
    return Self(valid: reply.body)
  }
}

/// `callerID` → `caller_id`: the name that a Swift label has in flows. A trailing underscore is dropped: `value_` is
/// the label of a field `value`, which the protocol has taken.
package func snakeCase(_ label: String) -> String {
  var out = ""
  var wasLower = false
  for character in label.hasSuffix("_") ? label.dropLast() : label[...] {
    if character.isUppercase {
      if wasLower { out.append("_") }
      out += character.lowercased()
      wasLower = false
    } else {
      out.append(character)
      wasLower = true
    }
  }
  return out
}

/// Describes the fields of a record, or reads them.
package struct Fields {
  /// Why the initialiser runs.
  package enum Purpose {
    case describing
    case reading(ValueMap)
  }

  let purpose: Purpose
  private(set) var described: [RecordShape.Field] = []
  private(set) var isOpen = false
  private var read: Set<String> = []

  init(_ purpose: Purpose) { self.purpose = purpose }

  /// Opens the record: the members that no field before this line has read. Stands last.
  package mutating func further() -> FurtherMembers {
    isOpen = true
    guard case .reading(let map) = purpose else { return FurtherMembers() }
    var rest = ValueMap()
    for (key, value) in map where !read.contains(key.text) { rest[key] = value }
    return FurtherMembers(rest)
  }

  /// Describes or reads one field. Without `default` it is required, unless its type is optional.
  package mutating func callAsFunction<T: FieldValue>(
    _ name: String, _ about: String, default fallback: T? = nil, format: TextFormat? = nil, minLength: Int? = nil, maxLength: Int? = nil,
    minimum: Double? = nil, maximum: Double? = nil, constraint: FieldConstraint? = nil
  ) -> T {
    switch purpose {
    case .describing:
      let rules = FieldRules(
        text: TextRules(minLength: minLength, maxLength: maxLength, format: format), number: NumberRules(minimum: minimum, maximum: maximum)
      )
      let shape = rules.applied(to: T.shape)
      var isNullable = false
      if case .nullable = shape { isNullable = true }
      described.append(
        .init(name, about, shape, isRequired: fallback == nil && !isNullable, fallback: fallback?.value, constraint: constraint))
      return T.placeholder
    case .reading(let map):
      read.insert(name)
      if let value = map[name] { return T(valid: value) }
      return fallback ?? T.missing
    }
  }
}

/// Rules of a field, put where they belong: inside a secret, an optional.
private struct FieldRules {
  let text: TextRules
  let number: NumberRules

  func applied(to shape: Shape) -> Shape {
    switch shape {
    case .string: .string(text)
    case .int: .int(number)
    case .number: .number(number)
    case .secret(let inner): .secret(applied(to: inner))
    case .nullable(let inner): .nullable(applied(to: inner))
    case .any, .bool, .choice, .list, .map, .record, .numberOrText: shape
    }
  }
}

/// Shapes are built once for each type.
private final class ShapeCache: Sendable {
  static let shared = ShapeCache()
  private let shapes = Mutex<[ObjectIdentifier: RecordShape]>([:])

  func shape<Record: DescribedRecord>(of type: Record.Type) -> RecordShape {
    if let known = shapes.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    var fields = Fields(.describing)
    _ = Record(&fields)
    let shape = RecordShape(fields.described, isOpen: fields.isOpen)
    shapes.withLock { $0[ObjectIdentifier(type)] = shape }
    return shape
  }
}
