package import StepKit
import Values

/// What a person keeps at RapidSOS beside their profile. Locations and devices have the same operations, written once
/// for both in `SavedSteps`.
package protocol SavedThing: DescribedRecord {
  /// As a flow writes it: lists of values by section.
  associatedtype Sections: DescribedRecord
  /// All of them, in a record of one field.
  associatedtype All: DescribedRecord

  /// `location`
  static var noun: String { get }
  /// `locations`: the path below `/v1/rain`, and the field of `All`.
  static var plural: String { get }
  static var catalogue: SectionCatalogue { get }
  /// Members of `with` for the examples.
  static var exampleSections: String { get }
  /// The name of the section in them.
  static var exampleSection: String { get }
}

extension RapidSOS {
  static let missingID = StepError("rapidsos.missing_id", "an id is needed", help: "give the `id` of the answer that created or listed it")
}

/// The id of a location or a device as a flow gives it. It may be empty, which the step refuses without a request, as
/// RapidSOS's own clients do.
struct SavedID: FieldValue {
  let value: Value

  static var shape: Shape { .any }
  static var placeholder: Self { Self(valid: .null) }
  init(valid value: Value) { self.value = value.exposed }

  static let constraint = (try? SchemaShape(["type": ["integer", "string", "null"]])).map(FieldConstraint.conforms)

  /// Where the thing stands; its id is a number, or a text of one.
  /// - Throws: `rapidsos.missing_id` with the text of RapidSOS's own clients.
  func path(of thing: (some SavedThing).Type) throws(StepFailure) -> String {
    let text = value.scalarText ?? ""
    guard !text.isEmpty else { throw RapidSOS.missingID.local(detail: "No \(thing.noun) ID") }
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw RapidSOS.missingID.local(detail: "`\(text)` is no \(thing.noun) ID, which is a whole number")
    }
    return "/v1/rain/\(thing.plural)/\(text)"
  }
}

/// The input of what reads or deletes one.
package struct SavedReference<Thing: SavedThing>: DescribedRecord {
  let id: SavedID?

  package init(_ field: inout Fields) {
    id = field("id", "Its id at RapidSOS, a whole number.", constraint: SavedID.constraint)
  }

  func path() throws(StepFailure) -> String { try (id ?? .placeholder).path(of: Thing.self) }
}

/// The input of what changes one: its id, and its sections beside it.
package struct SavedChange<Thing: SavedThing>: DescribedRecord {
  let reference: SavedReference<Thing>
  let sections: Thing.Sections

  package init(_ field: inout Fields) {
    reference = SavedReference(&field)
    sections = Thing.Sections(&field)
  }
}
