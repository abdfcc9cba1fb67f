import SourceText
import Values

/// The functions that turn one type into another (language definition, "Conversions").
enum Conversions {
  static let functions: [Function] = [
    conversion("bool", from: [.bool, .string], to: .bool, bool),
    conversion("int", from: [.int, .uint, .double, .string, .timestamp, .duration], to: .int, int),
    conversion("uint", from: [.uint, .int, .double, .string], to: .uint, uint),
    conversion("double", from: [.double, .int, .uint, .string], to: .double, double),
    conversion("string", from: [.string, .int, .uint, .double, .bool, .bytes, .timestamp, .duration], to: .string, string),
    conversion("bytes", from: [.bytes, .string], to: .bytes, bytes),
    conversion("timestamp", from: [.timestamp, .string, .int], to: .timestamp, timestamp),
    conversion("duration", from: [.duration, .string], to: .duration, duration),
  ]

  private static func conversion(
    _ name: String, from types: [ValueType], to result: ValueType, _ convert: @escaping @Sendable (Value) throws(Failure) -> Value
  ) -> Function {
    Function(name, types.map { .global($0, to: result) }) { arguments, _ throws(Failure) in
      guard arguments.count == 1 else { throw .noOverload }
      return try convert(arguments[0])
    }
  }

  private static func unreadable(_ text: String, as type: String) -> Failure {
    Failure("`\(text.prefix(40))` cannot be read as \(type)")
  }

  private static func bool(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .bool: return value
    case .string("1"), .string("t"), .string("T"), .string("true"), .string("TRUE"), .string("True"): return .bool(true)
    case .string("0"), .string("f"), .string("F"), .string("false"), .string("FALSE"), .string("False"): return .bool(false)
    case .string(let text): throw unreadable(text, as: "a bool")
    default: throw .noOverload
    }
  }

  private static func int(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .int: return value
    case .uint(let number):
      guard let exact = Int64(exactly: number) else { throw Failure("`\(number)` does not fit in an int") }
      return .int(exact)
    case .double, .decimal:
      // The suite has both ends of the range, as doubles, outside it.
      let number = (value.doubleOperand ?? .nan).rounded(.towardZero)
      guard number > -0x1p63, number < 0x1p63 else { throw Failure("the double does not fit in an int") }
      return .int(Int64(number))
    case .string(let text):
      guard let number = Int64(text) else { throw unreadable(text, as: "an int") }
      return .int(number)
    case .timestamp(let time): return .int(time.seconds)
    case .duration(let span): return .int(span.nanoseconds / 1_000_000_000)
    default: throw .noOverload
    }
  }

  private static func uint(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .uint: return value
    case .int(let number):
      guard let exact = UInt64(exactly: number) else { throw Failure("`\(number)` does not fit in a uint") }
      return .uint(exact)
    case .double, .decimal:
      let number = (value.doubleOperand ?? .nan).rounded(.towardZero)
      guard number >= 0, number < 0x1p64 else { throw Failure("the double does not fit in a uint") }
      return .uint(UInt64(number))
    case .string(let text):
      guard let number = UInt64(text) else { throw unreadable(text, as: "a uint") }
      return .uint(number)
    default: throw .noOverload
    }
  }

  private static func double(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .double, .int, .uint, .decimal: return .double(value.doubleOperand ?? .nan)
    case .string(let text):
      guard let number = Double(text) else { throw unreadable(text, as: "a double") }
      return .double(number)
    default: throw .noOverload
    }
  }

  static func string(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .string: return value
    case .int(let number): return .string(String(number))
    case .uint(let number): return .string(String(number))
    case .double(let number): return .string(ecmaScriptText(of: number))
    case .decimal(let lexeme): return .string(lexeme)
    case .bool(let flag): return .string(String(flag))
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("the bytes are not valid UTF-8") }
      return .string(text)
    case .timestamp(let time): return .string(time.text)
    case .duration(let span): return .string(span.text)
    default: throw .noOverload
    }
  }

  private static func bytes(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .bytes: return value
    case .string(let text): return .bytes(Array(text.utf8))
    default: throw .noOverload
    }
  }

  private static func timestamp(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .timestamp: return value
    case .string(let text):
      guard let time = Timestamp(rfc3339: text) else { throw unreadable(text, as: "a timestamp") }
      return .timestamp(time)
    case .int(let seconds):
      guard Timestamp.secondsRange.contains(seconds) else { throw Failure("`\(seconds)` is outside years 1 to 9999") }
      return .timestamp(Timestamp(seconds: seconds))
    default: throw .noOverload
    }
  }

  private static func duration(_ value: Value) throws(Failure) -> Value {
    switch value {
    case .duration: return value
    case .string(let text):
      guard let span = TimeSpan(text: text) else { throw unreadable(text, as: "a duration") }
      return .duration(span)
    default: throw .noOverload
    }
  }
}
