import SourceText
import Values

/// `+ - * / %` and unary `-` (language definition, "Arithmetic Operators"). An int or uint beside a double gives a
/// double; overflow is an error.
enum Arithmetic {
  static func add(_ a: Value, _ b: Value, _ meter: inout Meter) throws(Failure) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(try checked(x.addingReportingOverflow(y)))
    case (.uint(let x), .uint(let y)): return .uint(try checked(x.addingReportingOverflow(y)))
    case (.string(let x), .string(let y)):
      try meter.spend(outputBytes: x.utf8.count + y.utf8.count)
      return .string(x + y)
    case (.bytes(let x), .bytes(let y)):
      try meter.spend(outputBytes: x.count + y.count)
      return .bytes(x + y)
    case (.list(let x), .list(let y)):
      let sum = Value.list(x + y)
      try meter.spendMaking(sum)
      return sum
    case (.timestamp(let time), .duration(let span)), (.duration(let span), .timestamp(let time)):
      return .timestamp(try Time.adding(time, span.nanoseconds))
    case (.duration(let x), .duration(let y)):
      return .duration(TimeSpan(nanoseconds: try checked(x.nanoseconds.addingReportingOverflow(y.nanoseconds))))
    default:
      let (x, y) = try doubles(a, b, "+")
      return .double(x + y)
    }
  }

  static func subtract(_ a: Value, _ b: Value) throws(Failure) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(try checked(x.subtractingReportingOverflow(y)))
    case (.uint(let x), .uint(let y)): return .uint(try checked(x.subtractingReportingOverflow(y)))
    case (.timestamp(let time), .duration(let span)):
      return .timestamp(try Time.adding(time, try checked(Int64(0).subtractingReportingOverflow(span.nanoseconds))))
    case (.timestamp(let x), .timestamp(let y)): return .duration(try Time.difference(x, y))
    case (.duration(let x), .duration(let y)):
      return .duration(TimeSpan(nanoseconds: try checked(x.nanoseconds.subtractingReportingOverflow(y.nanoseconds))))
    default:
      let (x, y) = try doubles(a, b, "-")
      return .double(x - y)
    }
  }

  static func multiply(_ a: Value, _ b: Value) throws(Failure) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(try checked(x.multipliedReportingOverflow(by: y)))
    case (.uint(let x), .uint(let y)): return .uint(try checked(x.multipliedReportingOverflow(by: y)))
    default:
      let (x, y) = try doubles(a, b, "*")
      return .double(x * y)
    }
  }

  static func divide(_ a: Value, _ b: Value) throws(Failure) -> Value {
    switch (a, b) {
    case (.int, .int(0)), (.uint, .uint(0)): throw Failure("division by zero")
    case (.int(let x), .int(let y)): return .int(try checked(x.dividedReportingOverflow(by: y)))
    case (.uint(let x), .uint(let y)): return .uint(x / y)
    default:
      let (x, y) = try doubles(a, b, "/")
      return .double(x / y)
    }
  }

  /// `/` where one is declared a double, whatever the lexeme was.
  static func divideDoubles(_ a: Value, _ b: Value) throws(Failure) -> Value {
    guard let x = a.doubleOperand, let y = b.doubleOperand else {
      throw Failure("`/` does not take `\(a.typeName)` and `\(b.typeName)`")
    }
    return .double(x / y)
  }

  static func remainder(_ a: Value, _ b: Value) throws(Failure) -> Value {
    switch (a, b) {
    case (.int, .int(0)), (.uint, .uint(0)): throw Failure("remainder of a division by zero")
    case (.int(let x), .int(let y)): return .int(try checked(x.remainderReportingOverflow(dividingBy: y)))
    case (.uint(let x), .uint(let y)): return .uint(x % y)
    default: throw Failure("`%` does not take `\(a.typeName)` and `\(b.typeName)`")
    }
  }

  static func negate(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .int(let number): return .int(try checked(Int64(0).subtractingReportingOverflow(number)))
    case .double(let number): return .double(-number)
    case .decimal: return .double(-(value.doubleOperand ?? .nan))
    default: throw Failure("`-` takes an int or a double, not `\(value.typeName)`")
    }
  }

  static func checked<Number>(_ result: (partialValue: Number, overflow: Bool)) throws(Failure) -> Number {
    if result.overflow { throw Failure("the result does not fit in 64 bits") }
    return result.partialValue
  }

  /// Both operands as doubles, where at least one is; ints and uints do not mix.
  private static func doubles(_ a: Value, _ b: Value, _ sign: String) throws(Failure) -> (Double, Double) {
    switch (a, b) {
    case (.double, _), (_, .double), (.decimal, _), (_, .decimal):
      if let x = a.doubleOperand, let y = b.doubleOperand { return (x, y) }
    default: break
    }
    throw Failure("`\(sign)` does not take `\(a.typeName)` and `\(b.typeName)`")
  }
}
