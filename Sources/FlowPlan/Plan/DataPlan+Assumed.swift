package import StepKit
package import Values

/// What data is before the run, as far as that can be told.
extension DataPlan {
  /// The members of a record: those that are written out, and made-up texts for those that only the run tells.
  package func assumed(as shape: RecordShape) -> ValueMap {
    if case .constant(.map(let map)) = self { return map }
    guard case .map(let members) = self else { return ValueMap() }
    var known = ValueMap()
    for (key, member) in members {
      let field = shape.field(key)
      // Nobody makes up what has to be of some form, such as a duration.
      known[key] = member.assumed(as: field?.constraint == nil ? field?.shape : nil)
    }
    return known
  }

  /// Whether a record in it comes from an expression, whole.
  func hasUnknownRecord(of shape: RecordShape) -> Bool {
    guard case .map(let members) = self else { return true }
    return members.contains { key, member in
      guard case .record? = shape.field(key)?.shape.withoutMarks else { return false }
      switch member {
      case .expression, .omit: return true
      case .constant, .text, .url, .list, .map: return false
      }
    }
  }

  /// Nil where nothing can be made up.
  private func assumed(as shape: Shape?) -> Value? {
    switch self {
    case .constant(let value): return value
    // What is reported as wrong is `omit`, and would have been something.
    case .expression, .text, .url, .omit: return shape?.madeUp
    case .list(let items):
      let values = items.compactMap { $0.assumed(as: shape?.element ?? nil) }
      return values.count == items.count ? .list(values) : nil
    case .map(let members):
      switch shape?.withoutMarks {
      case .record(let record)?: return .map(assumed(as: record))
      case .map(let member)?: return .map(Self.assumed(members, as: member))
      case .some, nil:
        let map = Self.assumed(members, as: nil)
        return map.count == members.count ? .map(map) : nil
      }
    }
  }

  private static func assumed(_ members: [(key: String, value: DataPlan)], as shape: Shape?) -> ValueMap {
    var map = ValueMap()
    for (key, member) in members { map[key] = member.assumed(as: shape) }
    return map
  }

  /// What stands in for a text that only the run tells.
  package static let madeUpText = "unknown yet"
}

extension Shape {
  /// A text that fits; nil where it is no text.
  fileprivate var madeUp: Value? {
    switch self {
    case .secret(let inner): inner.madeUp.map { $0.hidden() }
    case .nullable(let inner): inner.madeUp
    case .string(let rules) where rules.format == nil: .string(DataPlan.madeUpText)
    case .string(let rules): rules.format == .uri ? "https://unknown.invalid" : nil
    case .any, .int, .number, .bool, .choice, .list, .map, .record, .numberOrText: nil
    }
  }
}
