import StepKit
import Values

/// Afero writes `accountId` where flows have `account_id`. Names are changed along a record's shape, so that free JSON, such
/// as `extended_data`, is sent and given as it stands.
enum AferoNames {
  /// `device_group_id` → `deviceGroupId`.
  static func onWire(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// A value of a flow as a request has it.
  static func onWire(_ value: Value, _ shape: Shape) -> Value {
    renamed(value, shape, read: { $0 }, write: { onWire($0) })
  }

  /// A value of an answer as a flow has it; members that the shape does not name are left out.
  static func inFlow(_ value: Value, _ shape: Shape) -> Value {
    renamed(value, shape, read: { onWire($0) }, write: { $0 })
  }

  private static func renamed(_ value: Value, _ shape: Shape, read: (String) -> String, write: (String) -> String) -> Value {
    switch (shape, value) {
    case (.nullable(let inner), _), (.secret(let inner), _): return renamed(value, inner, read: read, write: write)
    case (.list(let element), .list(let items)): return .list(items.map { renamed($0, element, read: read, write: write) })
    case (.record(let record), .map(let map)):
      var members = ValueMap()
      for field in record.fields {
        guard let member = map[read(field.name)] else { continue }
        members[write(field.name)] = renamed(member, field.shape, read: read, write: write)
      }
      return .map(members)
    case (.any, _), (.string, _), (.int, _), (.number, _), (.bool, _), (.choice, _), (.list, _), (.map, _), (.record, _),
      (.numberOrText, _):
      return value
    }
  }
}
