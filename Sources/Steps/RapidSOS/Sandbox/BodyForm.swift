import SandboxKit
import Values

extension RapidSOSSandbox {
  /// What a part of a JSON body may be. Requests are checked by it, and it is their schema in the description.
  indirect enum BodyForm: Sendable {
    case text
    case oneText(String)
    case number
    /// A number, or a text of one: the reference clients send coordinates as texts.
    case numberOrText
    case integer
    /// A number or a text, which nobody reads.
    case id
    case list(BodyForm)
    case object([Member])

    struct Member: Sendable {
      let name: String
      let form: BodyForm
      var isRequired = false

      init(_ name: String, _ form: BodyForm, isRequired: Bool = false) {
        self.name = name
        self.form = form
        self.isRequired = isRequired
      }
    }
  }
}

extension RapidSOSSandbox.BodyForm {
  /// Assumed: What fits a 32-bit column.
  private static let integers: ClosedRange<Int64> = -2_147_483_648...2_147_483_647

  /// Members of text.
  static func texts(_ names: String...) -> [Member] { names.map { Member($0, .text) } }

  /// Adds what is wrong with a value; the path to it names the field.
  func check(_ value: Value, at path: String, _ errors: inout RapidSOSSandbox.FieldErrors) {
    switch (self, value) {
    case (_, .null): errors.add(path, "Field may not be null.")
    case (.text, .string), (.id, .string), (.number, .int), (.number, .uint), (.number, .double), (.number, .decimal): break
    case (.text, _): errors.add(path, "Not a valid string.")
    case (.oneText(let text), _): if value != .string(text) { errors.add(path, "Must be equal to \(text).") }
    case (.number, _): errors.add(path, "Not a valid number.")
    case (.numberOrText, .string(let text)): if !Self.isDecimal(text) { errors.add(path, "Not a valid number.") }
    case (.numberOrText, _): Self.number.check(value, at: path, &errors)
    case (.integer, _), (.id, _):
      if !(value.intValue.map(Self.integers.contains) ?? false) { errors.add(path, "Not a valid integer.") }
    case (.list(let element), .list(let items)):
      for (index, item) in items.enumerated() { element.check(item, at: "\(path).\(index)", &errors) }
    case (.list, _): errors.add(path, "Not a valid list.")
    case (.object(let members), .map(let map)): Self.check(map, members, at: path, &errors)
    case (.object, _): errors.add(path, "Invalid type.")
    }
  }

  private static func check(_ map: ValueMap, _ members: [Member], at path: String, _ errors: inout RapidSOSSandbox.FieldErrors) {
    let prefix = path.isEmpty ? "" : "\(path)."
    for member in members {
      if let value = map[member.name] {
        member.form.check(value, at: prefix + member.name, &errors)
      } else if member.isRequired {
        errors.add(prefix + member.name, "Missing data for required field.")
      }
    }
    for (key, _) in map where !members.contains(where: { $0.name == key.text }) { errors.add(prefix + key.text, "Unknown field.") }
  }

  /// Digits with a sign and a point, as `%.6f` writes them.
  static func isDecimal(_ text: String) -> Bool { text.wholeMatch(of: /-?[0-9]{1,9}(\.[0-9]{1,20})?/) != nil }

  /// The value as the server keeps it: coordinates are numbers there, however they came.
  func stored(_ value: Value) -> Value {
    switch (self, value) {
    case (.numberOrText, .string(let text)): Double(text).map { .double($0) } ?? value
    case (.list(let element), .list(let items)): .list(items.map(element.stored))
    case (.object(let members), .map(let map)):
      .map(
        members.reduce(into: map) { stored, member in
          if let value = map[member.name] { stored[member.name] = member.form.stored(value) }
        })
    case (.text, _), (.oneText, _), (.number, _), (.numberOrText, _), (.integer, _), (.id, _), (.list, _), (.object, _): value
    }
  }

  /// The form as a JSON Schema.
  var schema: Value {
    switch self {
    case .text: return ["type": "string"]
    case .oneText(let text): return ["const": .string(text)]
    case .number: return ["type": "number"]
    case .numberOrText:
      return ["anyOf": [["type": "number"], ["type": "string", "pattern": #"^-?[0-9]{1,9}(\.[0-9]{1,20})?$"#]]]
    case .integer: return ["type": "integer", "minimum": -2_147_483_648, "maximum": 2_147_483_647]
    case .id: return ["type": ["integer", "string"], "minimum": -2_147_483_648, "maximum": 2_147_483_647]
    case .list(let element): return ["type": "array", "items": element.schema]
    case .object(let members):
      var properties = ValueMap()
      for member in members { properties[member.name] = member.form.schema }
      var map = ValueMap()
      map["type"] = "object"
      map["properties"] = .map(properties)
      let required = members.filter(\.isRequired).map { Value.string($0.name) }
      if !required.isEmpty { map["required"] = .list(required) }
      map["additionalProperties"] = false
      return .map(map)
    }
  }
}
