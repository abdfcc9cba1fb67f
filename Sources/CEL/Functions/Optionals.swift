import Values

/// Optional values (extensions, "Optional Types").
enum Optionals {
  private static let any = ValueType.parameter("A")

  static let functions: [Function] = [
    Function("optional.of", [.global(any, to: .optional(any))], secrecy: .moves) { arguments, _ throws(Failure) in
      .optional(arguments[0])
    },
    Function("optional.none", [.global(to: .optional(any))], secrecy: .moves) { _, _ throws(Failure) in .optional(nil) },
    Function("optional.ofNonZeroValue", [.global(any, to: .optional(any))], secrecy: .moves) { arguments, _ throws(Failure) in
      .optional(arguments[0].isZero ? nil : arguments[0])
    },
    Function("optional.unwrap", [.global(.list(.optional(any)), to: .list(any))], secrecy: .moves, unwrap),
    Function("unwrapOpt", [.method(.list(.optional(any)), to: .list(any))], secrecy: .moves, unwrap),
    Function("hasValue", [.method(.optional(any), to: .bool)], secrecy: .moves) { arguments, _ throws(Failure) in
      .bool(try content(arguments[0]) != nil)
    },
    Function("value", [.method(.optional(any), to: any)], secrecy: .moves) { arguments, _ throws(Failure) in
      guard let value = try content(arguments[0]) else { throw Failure("the optional is empty", reason: .missing) }
      return value
    },
    Function("or", [.method(.optional(any), .optional(any), to: .optional(any))], secrecy: .moves) {
      arguments, _ throws(Failure) in
      guard arguments.count == 2 else { throw .noOverload }
      return try content(arguments[0]) != nil ? arguments[0] : arguments[1]
    },
    Function("orValue", [.method(.optional(any), any, to: any)], secrecy: .moves) { arguments, _ throws(Failure) in
      guard arguments.count == 2 else { throw .noOverload }
      return try content(arguments[0]) ?? arguments[1]
    },
  ]

  private static func content(_ value: Value) throws(Failure) -> Value? {
    guard case .optional(let inner) = value else { throw .noOverload }
    return inner
  }

  private static let unwrap: Function.Implementation = { arguments, _ throws(Failure) in
    guard case .list(let items) = arguments[0] else { throw .noOverload }
    var values: [Value] = []
    for item in items {
      guard case .optional(let inner) = item else { throw .noOverload }
      if let inner { values.append(inner) }
    }
    return .list(values)
  }
}

extension Value {
  /// Whether it is the value that a field has which was never set.
  var isZero: Bool {
    switch self {
    case .null, .bool(false), .int(0), .uint(0), .optional(nil): true
    case .double(let number): number == 0
    case .string(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .list(let items): items.isEmpty
    case .map(let map): map.isEmpty
    case .duration(let span): span.nanoseconds == 0
    case .timestamp(let time): time == Timestamp(seconds: 0)
    case .secret(let inner): inner.isZero
    case .bool, .int, .uint, .decimal, .type, .optional: false
    }
  }
}
