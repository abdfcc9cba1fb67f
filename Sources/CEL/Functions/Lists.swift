import Values

/// The lists extension; `sum`, `min` and `max`.
enum Lists {
  private static let element = ValueType.parameter("A")
  private static let list = ValueType.list(element)

  static let functions: [Function] = [
    Function("slice", [.method(list, .int, .int, to: list)], secrecy: .moves) { arguments, _ throws(Failure) in
      guard arguments.count == 3, case .list(let items) = arguments[0], case .int(let start) = arguments[1],
        case .int(let end) = arguments[2]
      else { throw .noOverload }
      guard start >= 0, start <= end, end <= items.count else {
        throw Failure("the slice from \(start) to \(end) is out of range for \(items.count) elements")
      }
      return .list(Array(items[Int(start)..<Int(end)]))
    },
    Function("flatten", [.method(.list(.dyn), to: .list(.dyn)), .method(.list(.dyn), .int, to: .list(.dyn))], secrecy: .moves) {
      arguments, meter throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      var depth: Int64 = 1
      if arguments.count > 1 {
        guard case .int(let given) = arguments[1] else { throw .noOverload }
        guard given >= 0 else { throw Failure("the depth \(given) is negative") }
        depth = given
      }
      var flat: [Value] = []
      try flatten(items, depth, isSecret: false, into: &flat, &meter)
      return .list(flat)
    },
    Function("lists.range", [.global(.int, to: .list(.int))]) { arguments, meter throws(Failure) in
      guard case .int(let count) = arguments[0] else { throw .noOverload }
      guard count >= 0 else { throw Failure("a range of \(count) elements is negative") }
      // Before the list is made, since it is the caller who chooses its size.
      try meter.spend(outputBytes: Int(min(count, 1 << 40)) * 16)
      return .list((0..<count).map { .int($0) })
    },
    Function("distinct", [.method(list, to: list)]) { arguments, meter throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      var kept: [Value] = []
      for item in items where try !Equality.contains(.list(kept), item, &meter) { kept.append(item) }
      return .list(kept)
    },
    Function("sort", [.method(list, to: list)]) { arguments, meter throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      return .list(try sorted(items.map { ($0, $0) }, &meter))
    },
    Function("reverse", [.method(.string, to: .string), .method(list, to: list)], secrecy: .moves) {
      arguments, meter throws(Failure) in
      switch arguments[0] {
      case .string(let text):
        try meter.spend(steps: text.utf8.count >> 2)
        return .string(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
      case .list(let items): return .list(items.reversed())
      default: throw .noOverload
      }
    },
    Function("first", [.method(list, to: .optional(element))], secrecy: .moves) { arguments, _ throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      return .optional(items.first)
    },
    Function("last", [.method(list, to: .optional(element))], secrecy: .moves) { arguments, _ throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      return .optional(items.last)
    },
    Function("sum", reductions([.int, .uint, .double, .duration])) { arguments, meter throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      guard var total = items.first else { return .int(0) }
      for item in items.dropFirst() { total = try Arithmetic.add(total, item, &meter) }
      switch total {
      case .int, .uint, .double, .decimal, .duration: return total
      default: throw .noOverload
      }
    },
    Function("min", reductions(ordered)) { arguments, _ throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      return try extreme(items, .less, isNumeric: false)
    },
    Function("max", reductions(ordered)) { arguments, _ throws(Failure) in
      guard case .list(let items) = arguments[0] else { throw .noOverload }
      return try extreme(items, .greater, isNumeric: false)
    },
  ]

  private static let ordered: [ValueType] = [.int, .uint, .double, .string, .bool, .bytes, .timestamp, .duration]

  private static func reductions(_ types: [ValueType]) -> [Function.Overload] {
    types.flatMap { [.global(.list($0), to: $0), .method(.list($0), to: $0)] }
  }

  /// The element that none is before, in the wanted direction; of several that are equal, the first.
  static func extreme(_ items: [Value], _ wanted: Ordering.Result, isNumeric: Bool = true) throws(Failure) -> Value {
    guard var best = items.first else { throw Failure("there is no element to choose from") }
    if isNumeric {
      for item in items where item.doubleOperand == nil { throw .noOverload }
    }
    for item in items.dropFirst() where try Ordering.compare(item, best) == wanted { best = item }
    return best
  }

  private static func flatten(
    _ items: [Value], _ depth: Int64, isSecret: Bool, into flat: inout [Value], _ meter: inout Meter
  ) throws(Failure) {
    for item in items {
      try meter.spend()
      if depth > 0, case .list(let inner) = item.exposed {
        try flatten(inner, depth - 1, isSecret: isSecret || item.isMarked, into: &flat, &meter)
      } else {
        flat.append(isSecret ? item.hidden() : item)
      }
    }
  }

  /// The items by their keys, which must be of one ordered kind; equal keys keep their order.
  static func sorted(_ items: [(key: Value, item: Value)], _ meter: inout Meter) throws(Failure) -> [Value] {
    if let first = items.first {
      for (key, _) in items {
        try meter.spend(steps: 8)
        guard key.typeName == first.key.typeName else {
          throw Failure("cannot order `\(first.key.typeName)` and `\(key.typeName)`")
        }
        _ = try Ordering.compare(key, first.key)
      }
    }
    // All comparisons succeed now.
    return items.sorted { (try? Ordering.compare($0.key, $1.key)) == .less }.map(\.item)
  }
}
