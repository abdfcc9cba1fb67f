import StepKit
import Values

/// Names of members: `snake_case` in flows, `camelCase` at SAMI.
enum WireNames {
  /// `export_id` → `exportId`
  static func camel(_ snake: String) -> String {
    let words = snake.split(separator: "_")
    return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// An answer under the names of flows. What no record describes, such as the data of a message, stays as it is.
  static func read(_ value: Value, _ shape: Shape) -> Value { renamed(value, shape, isReading: true) }

  /// An input under the names of the wire; a list of texts goes as SAMI writes lists, with commas.
  static func written(_ value: Value, _ shape: Shape) -> Value { renamed(value, shape, isReading: false) }

  private static func renamed(_ value: Value, _ shape: Shape, isReading: Bool) -> Value {
    switch shape {
    case .record(let record):
      guard let map = value.exposed.mapValue else { return value }
      var out = ValueMap()
      for field in record.fields {
        let (from, to) = isReading ? (camel(field.name), field.name) : (field.name, camel(field.name))
        if let member = map[from] { out[to] = renamed(member, field.shape, isReading: isReading) }
      }
      return .map(out)
    case .list(.string) where !isReading: return .string((value.listValue ?? []).compactMap(\.stringValue).joined(separator: ","))
    case .list(let element): return value.listValue.map { .list($0.map { renamed($0, element, isReading: isReading) }) } ?? value
    case .map(let member): return value.mapValue.map { .map($0.mapValues { renamed($0, member, isReading: isReading) }) } ?? value
    case .nullable(let inner): return renamed(value, inner, isReading: isReading)
    case .secret(let inner):
      let open = renamed(value.exposed, inner, isReading: isReading)
      if case .secret = value { return open.hidden() } else { return open }
    case .any, .string, .int, .number, .bool, .choice, .numberOrText: return value
    }
  }
}

extension DescribedRecord {
  /// The record under the names of the wire, without the fields that stand in the path or are no part of a request.
  func wire(without fields: Set<String> = []) -> ValueMap {
    var map = encoded
    for field in fields { map[field] = nil }
    return WireNames.written(.map(map), Self.shape).mapValue ?? ValueMap()
  }
}
