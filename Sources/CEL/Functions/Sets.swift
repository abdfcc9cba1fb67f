import Values

/// The sets extension: lists taken as sets.
enum Sets {
  static let functions: [Function] = [
    relation("sets.contains") { a, b, meter throws(Failure) in try isSubset(b, of: a, &meter) },
    relation("sets.equivalent") { a, b, meter throws(Failure) in
      guard try isSubset(a, of: b, &meter) else { return false }
      return try isSubset(b, of: a, &meter)
    },
    relation("sets.intersects") { a, b, meter throws(Failure) in
      for item in a where try Equality.contains(.list(b), item, &meter) { return true }
      return false
    },
  ]

  private static func relation(
    _ name: String, _ holds: @escaping @Sendable ([Value], [Value], inout Meter) throws(Failure) -> Bool
  ) -> Function {
    let list = ValueType.list(.parameter("A"))
    return Function(name, [.global(list, list, to: .bool)]) { arguments, meter throws(Failure) in
      guard arguments.count == 2, case .list(let a) = arguments[0], case .list(let b) = arguments[1] else { throw .noOverload }
      return .bool(try holds(a, b, &meter))
    }
  }

  private static func isSubset(_ a: [Value], of b: [Value], _ meter: inout Meter) throws(Failure) -> Bool {
    for item in a where try !Equality.contains(.list(b), item, &meter) { return false }
    return true
  }
}
