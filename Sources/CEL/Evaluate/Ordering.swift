import Values

/// The order of values (language definition, "Ordering").
enum Ordering {
  enum Result { case less, equal, greater, none }

  static func compare(_ a: Value, _ b: Value) throws(Failure) -> Result {
    switch (a, b) {
    case (.int, _), (.uint, _), (.double, _), (.decimal, _):
      if let result = numbers(a, b) { return result }
    case (.string(let x), .string(let y)): return texts(x, y)
    case (.bool(let x), .bool(let y)): return x == y ? .equal : (y ? .less : .greater)
    case (.bytes(let x), .bytes(let y)): return x == y ? .equal : (x.lexicographicallyPrecedes(y) ? .less : .greater)
    case (.timestamp(let x), .timestamp(let y)): return result(x, y)
    case (.duration(let x), .duration(let y)): return result(x, y)
    default: break
    }
    throw Failure("cannot compare `\(a.typeName)` with `\(b.typeName)`")
  }

  /// By code points, which is the order of UTF-8; Swift's own order of strings is another.
  static func texts(_ a: String, _ b: String) -> Result {
    let x = a.utf8.span
    let y = b.utf8.span
    let shared = min(x.count, y.count)
    for position in 0..<shared where x[position] != y[position] { return x[position] < y[position] ? .less : .greater }
    return result(x.count, y.count)
  }

  /// Nil where one is no number. An int beside a double is converted first, as the conformance suite has it.
  static func numbers(_ a: Value, _ b: Value) -> Result? {
    switch (a, b) {
    case (.int(let x), .int(let y)): return result(x, y)
    case (.uint(let x), .uint(let y)): return result(x, y)
    case (.int(let x), .uint(let y)): return x < 0 ? .less : result(x.magnitude, y)
    case (.uint(let x), .int(let y)): return y < 0 ? .greater : result(x, y.magnitude)
    default:
      guard let x = a.doubleOperand, let y = b.doubleOperand else { return nil }
      return x < y ? .less : (x == y ? .equal : (x > y ? .greater : Result.none))
    }
  }

  private static func result<Operand: Comparable>(_ a: Operand, _ b: Operand) -> Result {
    a < b ? .less : (a == b ? .equal : .greater)
  }
}

extension Value {
  /// A number as a double; nil for anything else.
  var doubleOperand: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    case .decimal(let lexeme): Double(lexeme) ?? .nan
    default: nil
    }
  }
}
