import StepKit
import Values

extension RapidSOS {
  /// One section of a profile, a location or a device as RapidSOS answers it: every value that was given for it, the
  /// first being the one that counts.
  struct Section<Item: FieldValue>: Sendable {
    let displayName: String?
    let type: String?
    let units: String?
    let updatedTime: Int?
    let value_: [Item]
    let further: FurtherMembers
  }
}

extension RapidSOS.Section: DescribedRecord {
  init(_ field: inout Fields) {
    displayName = field("display_name", "The section's title for people.")
    type = field("type", "What kind of values it holds.")
    units = field("units", "In what they are measured.")
    updatedTime = field("updated_time", "When it was changed last, in milliseconds since 1970.")
    value_ = field("value", "The values.")
    further = field.further()
  }
}

/// A value of a section that is a record of its own.
protocol SectionItem: DescribedRecord {
  /// Members without which it would say nothing; inputs must have them.
  static var essential: [String] { get }
  /// Members whose texts are known, where inputs take no others.
  static var choices: [String: Shape] { get }
}

extension SectionItem {
  static var essential: [String] { [] }
  static var choices: [String: Shape] { [:] }
}

/// An item as a flow writes it: no member but the documented ones, and none missing that matters. Answers are read more
/// generously, as the plain item.
struct Written<Item: SectionItem>: FieldValue {
  let item: Item

  static var shape: Shape {
    var record = Item.recordShape
    record.isOpen = false
    for index in record.fields.indices {
      let name = record.fields[index].name
      let isEssential = Item.essential.contains(name)
      if let choice = Item.choices[name] { record.fields[index].shape = isEssential ? choice : .nullable(choice) }
      guard isEssential else { continue }
      record.fields[index].isRequired = true
      if case .nullable(let inner) = record.fields[index].shape { record.fields[index].shape = inner }
    }
    return .record(record)
  }

  static var placeholder: Self { Self(valid: .null) }
  init(valid value: Value) { item = Item(valid: value) }
  var value: Value { item.value }
}
