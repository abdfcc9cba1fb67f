import Values

/// Equality of values: across number types by value, across other types false (language definition, "Equality").
enum Equality {
  static func areEqual(_ a: Value, _ b: Value, _ meter: inout Meter) throws(Failure) -> Bool {
    switch (a, b) {
    case (.string(let x), .string(let y)):
      if x.utf8.count != y.utf8.count { return false }
      try meter.spend(steps: x.utf8.count >> 7)
      return CodePoints.areEqual(x, y)
    case (.int(let x), .int(let y)): return x == y
    case (.bool(let x), .bool(let y)): return x == y
    case (.null, .null): return true
    case (.int, _), (.uint, _), (.double, _), (.decimal, _): return Ordering.numbers(a, b) == .equal
    case (.bytes(let x), .bytes(let y)): return x == y
    case (.timestamp(let x), .timestamp(let y)): return x == y
    case (.duration(let x), .duration(let y)): return x == y
    case (.type(let x), .type(let y)): return x == y
    case (.list(let x), .list(let y)):
      guard x.count == y.count else { return false }
      for (one, other) in zip(x, y) {
        try meter.spend()
        if try !areEqual(one, other, &meter) { return false }
      }
      return true
    case (.map(let x), .map(let y)):
      guard x.count == y.count else { return false }
      for (key, value) in x {
        try meter.spend()
        guard let other = y[key], try areEqual(value, other, &meter) else { return false }
      }
      return true
    case (.optional(let x?), .optional(let y?)): return try areEqual(x, y, &meter)
    case (.optional(nil), .optional(nil)): return true
    case (.secret(let x), _): return try areEqual(x, b, &meter)
    case (_, .secret(let y)): return try areEqual(a, y, &meter)
    default: return false
    }
  }

  /// `item in container`.
  static func contains(_ container: Value, _ item: Value, _ meter: inout Meter) throws(Failure) -> Bool {
    switch container {
    case .list(let items):
      for candidate in items {
        try meter.spend()
        if try areEqual(candidate, item, &meter) { return true }
      }
      return false
    case .map(let map):
      switch item {
      case .string, .int, .uint, .bool, .double, .decimal:
        return try Selection.key(item, lookingUp: true).flatMap { map.position(of: $0) } != nil
      default: throw Failure("a value of type `\(item.typeName)` cannot be the key of a map")
      }
    default: throw Failure("`in` looks into lists and maps, not `\(container.typeName)`")
    }
  }
}
