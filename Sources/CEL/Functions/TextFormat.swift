import Values

/// `'…'.format([…])` (strings extension, "Format").
enum TextFormat {
  static let functions: [Function] = [
    Function("format", [.method(.string, .list(.dyn), to: .string)]) { arguments, meter throws(Failure) in
      guard arguments.count == 2, case .string(let pattern) = arguments[0], case .list(let items) = arguments[1] else {
        throw .noOverload
      }
      return .string(try format(Array(pattern.utf8), items, &meter))
    }
  ]

  private static func format(_ pattern: [UInt8], _ items: [Value], _ meter: inout Meter) throws(Failure) -> String {
    var result: [UInt8] = []
    var offset = 0
    var used = 0
    while offset < pattern.count {
      guard pattern[offset] == UInt8(ascii: "%") else {
        result.append(pattern[offset])
        offset += 1
        continue
      }
      offset += 1
      if offset < pattern.count, pattern[offset] == UInt8(ascii: "%") {
        result.append(UInt8(ascii: "%"))
        offset += 1
        continue
      }
      let precision = try self.precision(pattern, &offset)
      guard offset < pattern.count else { throw Failure("the format ends in an unfinished `%`") }
      let clause = Unicode.Scalar(pattern[offset])
      offset += 1
      guard used < items.count else { throw Failure("the format has more clauses than the list has elements") }
      // The decimals of a double may be worked out from a thousand digits.
      try meter.spend(steps: clause == "f" || clause == "e" ? 100 : 5)
      let text = try self.text(items[used], clause, precision)
      used += 1
      try meter.spend(outputBytes: text.utf8.count)
      result += text.utf8
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func precision(_ pattern: [UInt8], _ offset: inout Int) throws(Failure) -> Int? {
    guard offset < pattern.count, pattern[offset] == UInt8(ascii: ".") else { return nil }
    offset += 1
    var precision = 0
    let start = offset
    while offset < pattern.count, pattern[offset].isDigit, precision <= 100 {
      precision = precision * 10 + Int(pattern[offset] - 0x30)
      offset += 1
    }
    guard offset > start, precision <= 100 else { throw Failure("the precision of a format is a number from 0 to 100") }
    return precision
  }

  private static func text(_ value: Value, _ clause: Unicode.Scalar, _ precision: Int?) throws(Failure) -> String {
    switch clause {
    case "s": return try plain(value)
    case "d":
      switch value {
      case .int(let number): return String(number)
      case .uint(let number): return String(number)
      // Doubles are taken for NaN and the infinities alone.
      case .double(let number) where !number.isFinite: return ecmaScriptText(of: number)
      default: break
      }
    case "f", "e":
      if let number = value.doubleOperand {
        if !number.isFinite { return ecmaScriptText(of: number) }
        return clause == "f" ? FixedPoint.text(number, precision ?? 6) : FixedPoint.scientific(number, precision ?? 6)
      }
    case "b":
      if case .bool(let flag) = value { return flag ? "1" : "0" }
      if let text = integer(value, radix: 2) { return text }
    case "o": if let text = integer(value, radix: 8) { return text }
    case "x", "X":
      let isUppercase = clause == "X"
      if let text = integer(value, radix: 16, isUppercase: isUppercase) { return text }
      switch value {
      case .string(let text): return Hexadecimal.text(Array(text.utf8), isUppercase: isUppercase)
      case .bytes(let bytes): return Hexadecimal.text(bytes, isUppercase: isUppercase)
      default: break
      }
    default: throw Failure("`%\(clause)` is no clause of a format; there are %s %d %f %e %b %o %x %X")
    }
    throw Failure("`%\(clause)` does not take `\(value.typeName)`")
  }

  private static func integer(_ value: Value, radix: Int, isUppercase: Bool = false) -> String? {
    switch value {
    case .int(let number): String(number, radix: radix, uppercase: isUppercase)
    case .uint(let number): String(number, radix: radix, uppercase: isUppercase)
    default: nil
    }
  }

  private static func plain(_ value: Value) throws(Failure) -> String {
    switch value {
    case .null: return "null"
    case .bool(let flag): return String(flag)
    case .int(let number): return String(number)
    case .uint(let number): return String(number)
    case .double(let number): return ecmaScriptText(of: number)
    case .decimal(let lexeme): return lexeme
    case .string(let text): return text
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .timestamp(let time): return time.text
    case .duration(let span): return span.text
    case .type(let name): return name
    case .secret(let inner): return try plain(inner)
    case .list(let items):
      var parts: [String] = []
      for item in items { parts.append(try plain(item)) }
      return "[\(parts.joined(separator: ", "))]"
    case .map(let map):
      var parts: [(key: String, text: String)] = []
      for (key, value) in map { parts.append((key.text, "\(key.text): \(try plain(value))")) }
      parts.sort { Ordering.texts($0.key, $1.key) == .less }
      return "{\(parts.map(\.text).joined(separator: ", "))}"
    case .optional: throw Failure("`%s` does not take an optional")
    }
  }
}
