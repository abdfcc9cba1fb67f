package import Values

/// A Swift type that can be a field of a described record.
package protocol FieldValue: Sendable {
  static var shape: Shape { get }
  /// Stands in while a record describes itself; never seen by a step.
  static var placeholder: Self { get }
  /// Reads a value that has no violation of `shape`.
  init(valid value: Value)
  var value: Value { get }
  /// What a field without a fallback is where it is left out.
  static var missing: Self { get }
}

extension FieldValue {
  package static var missing: Self { Self(valid: .null) }
}

extension String: FieldValue {
  package static var shape: Shape { .string(TextRules()) }
  package static var placeholder: String { "" }
  package init(valid value: Value) { self = value.exposed.stringValue ?? "" }
  package var value: Value { .string(self) }
}

extension Int: FieldValue {
  package static var shape: Shape { .int(NumberRules()) }
  package static var placeholder: Int { 0 }
  package init(valid value: Value) { self = value.exposed.intValue.flatMap { Int(exactly: $0) } ?? 0 }
  package var value: Value { .int(Int64(self)) }
}

extension Double: FieldValue {
  package static var shape: Shape { .number(NumberRules()) }
  package static var placeholder: Double { 0 }
  package init(valid value: Value) { self = value.exposed.number ?? 0 }
  package var value: Value { .double(self) }
}

extension Bool: FieldValue {
  package static var shape: Shape { .bool }
  package static var placeholder: Bool { false }
  package init(valid value: Value) { self = value.exposed.boolValue ?? false }
  package var value: Value { .bool(self) }
}

extension Value: FieldValue {
  package static var shape: Shape { .any }
  package static var placeholder: Value { .null }
  package init(valid value: Value) { self = value }
  package var value: Value { self }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  package static var shape: Shape { .nullable(Wrapped.shape) }
  package static var placeholder: Wrapped? { nil }
  package init(valid value: Value) {
    if case .null = value { self = nil } else { self = Wrapped(valid: value) }
  }
  package var value: Value { map(\.value) ?? .null }
}

extension Array: FieldValue where Element: FieldValue {
  package static var shape: Shape { .list(Element.shape) }
  package static var placeholder: [Element] { [] }
  package init(valid value: Value) { self = (value.exposed.listValue ?? []).map { Element(valid: $0) } }
  package var value: Value { .list(map(\.value)) }
}

/// Members by name, in the order in which they were written.
package struct NamedMembers<Member: FieldValue>: FieldValue {
  package var entries: [(name: String, value: Member)]

  package init(_ entries: [(name: String, value: Member)] = []) { self.entries = entries }

  package static var shape: Shape { .map(Member.shape) }
  package static var placeholder: Self { Self() }
  package init(valid value: Value) {
    entries = (value.exposed.mapValue ?? ValueMap()).map { (name: $0.key.text, value: Member(valid: $0.value)) }
  }
  package var value: Value {
    var map = ValueMap()
    for entry in entries { map[entry.name] = entry.value.value }
    return .map(map)
  }
}

/// An enumeration whose raw values are the texts in a flow.
package protocol Choice: FieldValue, CaseIterable, RawRepresentable where RawValue == String {}

extension Choice {
  package static var shape: Shape { .choice(allCases.map(\.rawValue)) }
  package static var placeholder: Self {
    guard let first = allCases.first else { preconditionFailure("a choice without cases") }
    return first
  }
  package init(valid value: Value) {
    self = value.exposed.stringValue.flatMap { Self(rawValue: $0) } ?? Self.placeholder
  }
  package var value: Value { .string(rawValue) }
}

/// A value that is, or may be, secret: it takes plain values too, and what it gives back is marked.
package struct Secret<Wrapped: FieldValue>: FieldValue {
  /// For the wire alone.
  package let exposed: Wrapped

  package init(_ exposed: Wrapped) { self.exposed = exposed }

  package static var shape: Shape { .secret(Wrapped.shape) }
  package static var placeholder: Self { Self(Wrapped.placeholder) }
  package init(valid value: Value) { exposed = Wrapped(valid: value.exposed) }
  package var value: Value { exposed.value.hidden() }
}

/// A number that a provider reads as a number or as text; kept as it was written.
package struct NumberOrText: FieldValue {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package static var shape: Shape { .numberOrText }
  package static var placeholder: Self { Self(.int(0)) }
  package init(valid value: Value) { self.value = value.exposed }
}

/// Any value, null included, or none at all: for members where null means null.
package enum Given: FieldValue {
  case nothing
  case something(Value)

  package static var shape: Shape { .nullable(.any) }
  package static var placeholder: Self { .nothing }
  package static var missing: Self { .nothing }
  package init(valid value: Value) { self = .something(value) }
  package var value: Value {
    switch self {
    case .nothing: .null
    case .something(let value): value
    }
  }
}

/// What an open record holds beside its fields.
package struct FurtherMembers: Hashable, Sendable {
  package var members: ValueMap

  package init(_ members: ValueMap = ValueMap()) { self.members = members }
}
