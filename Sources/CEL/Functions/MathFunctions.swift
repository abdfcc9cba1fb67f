import Values

/// The math extension.
enum MathFunctions {
  static let functions: [Function] =
    [
      extreme("math.greatest", .greater), extreme("math.least", .less),
      rounding("math.ceil", .up), rounding("math.floor", .down), rounding("math.round", .toNearestOrAwayFromZero),
      rounding("math.trunc", .towardZero),
      test("math.isNaN") { $0.isNaN }, test("math.isInf") { $0.isInfinite }, test("math.isFinite") { $0.isFinite },
      Function("math.sqrt", [.global(.double, to: .double), .global(.int, to: .double), .global(.uint, to: .double)]) {
        arguments, _ throws(Failure) in
        guard let number = arguments[0].doubleOperand else { throw .noOverload }
        return .double(number.squareRoot())
      },
      Function("math.abs", numeric) { arguments, _ throws(Failure) in
        switch arguments[0] {
        case .int(let number):
          guard number != .min else { throw Failure("the result does not fit in 64 bits") }
          return .int(abs(number))
        case .uint: return arguments[0]
        case .double(let number): return .double(number.magnitude)
        default: throw .noOverload
        }
      },
      Function("math.sign", numeric) { arguments, _ throws(Failure) in
        switch arguments[0] {
        case .int(let number): .int(number.signum())
        case .uint(let number): .uint(number == 0 ? 0 : 1)
        case .double(let number): .double(number.isNaN ? .nan : (number > 0 ? 1 : (number < 0 ? -1 : 0)))
        default: throw .noOverload
        }
      },
    ] + Bits.functions

  private static let numeric: [Function.Overload] = [
    .global(.int, to: .int), .global(.uint, to: .uint), .global(.double, to: .double),
  ]

  /// The greatest or least of the arguments or of a list; of several that are equal, the first.
  private static func extreme(_ name: String, _ wanted: Ordering.Result) -> Function {
    var overloads: [Function.Overload] = []
    for type in [ValueType.int, .uint, .double, .dyn] {
      overloads.append(.global(.list(type), to: type))
      overloads.append(Function.Overload(isMethod: false, parameters: [type], result: type, isVariadic: true))
    }
    return Function(name, overloads) { arguments, _ throws(Failure) in
      var items = arguments
      if arguments.count == 1, case .list(let list) = arguments[0] { items = list }
      return try Lists.extreme(items, wanted)
    }
  }

  private static func rounding(_ name: String, _ rule: FloatingPointRoundingRule) -> Function {
    Function(name, [.global(.double, to: .double)]) { arguments, _ throws(Failure) in
      switch arguments[0] {
      case .double(let number): return .double(number.rounded(rule))
      case .decimal: return .double((arguments[0].doubleOperand ?? .nan).rounded(rule))
      default: throw .noOverload
      }
    }
  }

  private static func test(_ name: String, _ holds: @escaping @Sendable (Double) -> Bool) -> Function {
    Function(name, [.global(.double, to: .bool)]) { arguments, _ throws(Failure) in
      guard case .double(let number) = arguments[0] else { throw .noOverload }
      return .bool(holds(number))
    }
  }
}

/// The bitwise functions of the math extension.
private enum Bits {
  static let functions: [Function] = [
    pair("math.bitAnd", { $0 & $1 }, { $0 & $1 }), pair("math.bitOr", { $0 | $1 }, { $0 | $1 }),
    pair("math.bitXor", { $0 ^ $1 }, { $0 ^ $1 }),
    Function("math.bitNot", [.global(.int, to: .int), .global(.uint, to: .uint)]) { arguments, _ throws(Failure) in
      switch arguments[0] {
      case .int(let number): .int(~number)
      case .uint(let number): .uint(~number)
      default: throw .noOverload
      }
    },
    // Swift's smart shifts give 0 for a distance past the width; to the right, the sign is not carried down.
    shift("math.bitShiftLeft", { $0 << $1 }), shift("math.bitShiftRight", { $0 >> $1 }),
  ]

  private static func pair(
    _ name: String, _ ints: @escaping @Sendable (Int64, Int64) -> Int64, _ uints: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> Function {
    Function(name, [.global(.int, .int, to: .int), .global(.uint, .uint, to: .uint)]) { arguments, _ throws(Failure) in
      guard arguments.count == 2 else { throw .noOverload }
      switch (arguments[0], arguments[1]) {
      case (.int(let a), .int(let b)): return .int(ints(a, b))
      case (.uint(let a), .uint(let b)): return .uint(uints(a, b))
      default: throw .noOverload
      }
    }
  }

  private static func shift(_ name: String, _ shift: @escaping @Sendable (UInt64, Int64) -> UInt64) -> Function {
    Function(name, [.global(.int, .int, to: .int), .global(.uint, .int, to: .uint)]) { arguments, _ throws(Failure) in
      guard arguments.count == 2, case .int(let distance) = arguments[1] else { throw .noOverload }
      guard distance >= 0 else { throw Failure("a shift by \(distance) bits is negative") }
      switch arguments[0] {
      case .int(let number): return .int(Int64(bitPattern: shift(UInt64(bitPattern: number), distance)))
      case .uint(let number): return .uint(shift(number, distance))
      default: throw .noOverload
      }
    }
  }
}
