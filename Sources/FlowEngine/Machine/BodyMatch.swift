import FlowPlan
import JSONSchema
package import Values

/// `expect.body`: objects match as a subset, arrays exactly; `$any`, `$string` and so on are matchers. What differs is
/// told with secrets hidden.
package enum BodyMatch {
  /// One place in which the actual value is another than the expected.
  package struct Difference: Hashable {
    /// `body.items[0].name`
    package let path: String
    package let expected: String
    package let actual: String
  }

  /// Every place that differs, in the order of the expected value; none where it matches.
  package static func differences(expected: Value, actual: Value, path: String = "body") -> [Difference] {
    if let matcher = Matcher(expected.exposed) {
      return matcher.accepts(actual.exposed) ? [] : [Difference(path: path, expected: matcher.text, actual: actual.json())]
    }
    switch (expected.exposed, actual.exposed) {
    case (.map(let wanted), .map(let given)): return members(wanted, given, path)
    case (.list(let wanted), .list(let given)):
      guard wanted.count == given.count else {
        return [Difference(path: path, expected: "\(wanted.count) items", actual: "\(given.count) items")]
      }
      return zip(wanted, given).enumerated().flatMap { differences(expected: $1.0, actual: $1.1, path: "\(path)[\($0)]") }
    case (let wanted, let given):
      if wanted == given || wanted.isSameNumber(as: given) { return [] }
      return [Difference(path: path, expected: expected.json(), actual: actual.json())]
    }
  }

  /// Headers are text: `retry-after: 5` means `"5"`.
  static func differences(header name: String, expected: Value, actual: Value?) -> [Difference] {
    if expected.exposed == .null || expected.exposed == absent {
      return actual.map { [Difference(path: name, expected: "absent", actual: $0.json())] } ?? []
    }
    guard let actual else { return [Difference(path: name, expected: expected.json(), actual: "absent")] }
    if let text = expected.exposed.templateText, actual.exposed == .string(text) { return [] }
    return differences(expected: expected, actual: actual, path: name)
  }

  private static let absent: Value = "$absent"

  private static func members(_ wanted: ValueMap, _ given: ValueMap, _ path: String) -> [Difference] {
    wanted.flatMap { key, value -> [Difference] in
      let inner = "\(path).\(key.text)"
      if value == absent {
        return given[key].map { [Difference(path: inner, expected: "absent", actual: $0.json())] } ?? []
      }
      guard let member = given[key] else { return [Difference(path: inner, expected: value.json(), actual: "absent")] }
      return differences(expected: value, actual: member, path: inner)
    }
  }
}

/// A matcher in the place of a value.
private struct Matcher {
  let text: String
  let accepts: (Value) -> Bool

  init?(_ value: Value) {
    if case .string(let name) = value {
      guard let accepts = Self.named[name] else { return nil }
      text = name
      self.accepts = accepts
      return
    }
    guard case .map(let map) = value, map.count == 1 else { return nil }
    if let bounds = map["$between"]?.listValue, bounds.count == 2, let low = bounds[0].asDouble, let high = bounds[1].asDouble {
      text = "between \(bounds[0].json()) and \(bounds[1].json())"
      accepts = { $0.asDouble.map { $0 >= low && $0 <= high } ?? false }
    } else if let pattern = map["$regex"]?.exposed.stringValue,
      let schema = try? Schema.compile(["type": "string", "pattern": .string(pattern)])
    {
      text = "$regex \(map["$regex"]?.json() ?? "")"
      accepts = { schema.validate($0).isEmpty }
    } else {
      return nil
    }
  }

  private static let named: [String: @Sendable (Value) -> Bool] = [
    "$any": { _ in true },
    "$string": { $0.stringValue != nil },
    "$number": { $0.asDouble != nil },
    "$uuid": { $0.stringValue.map(isUUID) ?? false },
  ]

  private static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12] && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }
}

extension Value {
  fileprivate var asDouble: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    case .decimal(let lexeme): Double(lexeme)
    case .null, .bool, .string, .bytes, .list, .map, .timestamp, .duration, .type, .optional, .secret: nil
    }
  }

  /// 1 and 1.0 are the same; integers are not compared as doubles, which would round them.
  fileprivate func isSameNumber(as other: Value) -> Bool {
    if let a = intValue, let b = other.intValue { return a == b }
    guard let a = asDouble, let b = other.asDouble else { return false }
    return a == b
  }
}
