import CEL
import FoundationEssentials
import Values

/// One test of the official suite, decoded from the JSON that its README describes.
struct ConformanceCase {
  enum Expected {
    case value(Value)
    case type(ValueType)
    case error
  }

  let id: String
  let source: String
  let expected: [Expected]
  let isChecked: Bool
  let isCheckOnly: Bool
  let environment: Environment
  let slots: [Value?]

  init(_ json: Value) throws {
    id = try json.member("id").text
    source = try json.member("expr").text
    isChecked = json["disable_check"] != true
    isCheckOnly = json["check_only"] == true
    var variables: [Variable] = []
    var functions: [Function] = []
    var slots: [Value?] = []
    var types: [String: ValueType] = [:]
    for declaration in json["type_env"]?.listValue ?? [] {
      let name = try declaration.member("name").text
      if let overloads = declaration["function"]?.listValue {
        functions.append(Function(hostAnswered: name, try overloads.map(Self.overload)))
      } else {
        types[name] = try Self.type(declaration.member("type"))
      }
    }
    var values: [String: Value] = [:]
    for (key, value) in json["bindings"]?.mapValue ?? ValueMap() { values[key.text] = try Self.value(value) }
    for name in Set(types.keys).union(values.keys).sorted() {
      variables.append(Variable(name: name, type: types[name] ?? .dyn, slot: slots.count))
      slots.append(values[name])
    }
    environment = Environment(
      variables: variables, functions: functions, container: json["container"]?.stringValue ?? "",
      checking: isChecked ? .strict : .none)
    self.slots = slots
    let expect = try json.member("expect")
    var expected: [Expected] = []
    if expect["error"] != nil { expected.append(.error) }
    if let value = expect["value"] { expected.append(.value(try Self.value(value))) }
    if let type = expect["type"] { expected.append(.type(try Self.type(type))) }
    self.expected = expected
  }

  /// Why the test fails; nil if it passes.
  func failure() -> String? {
    let compilation = environment.compile(source)
    guard let program = compilation.program else {
      if case .error? = expected.first { return nil }
      return "not compiled: \(compilation.issues.map(\.message).joined(separator: "; "))"
    }
    for expectation in expected {
      switch expectation {
      case .type(let type):
        if program.type != type { return "type \(program.type), expected \(type)" }
      case .value(let value):
        do {
          let actual = try program.evaluate(slots)
          if !isSame(actual, value) { return "\(actual), expected \(value)" }
        } catch {
          return "failed: \(error.message)"
        }
      case .error:
        if let actual = try? program.evaluate(slots) { return "\(actual), expected an error" }
      }
    }
    return nil
  }

  /// Equal in type and value; NaN is NaN here, and -0 is not 0.
  private func isSame(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.double(let x), .double(let y)): x == y && x.sign == y.sign || x.isNaN && y.isNaN
    case (.list(let x), .list(let y)): x.count == y.count && zip(x, y).allSatisfy { isSame($0, $1) }
    case (.map(let x), .map(let y)):
      x.count == y.count && x.allSatisfy { entry in y[entry.key].map { isSame(entry.value, $0) } ?? false }
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    default: a == b
    }
  }

  // MARK: Decoding

  private static func value(_ json: Value) throws -> Value {
    guard let entry = json.mapValue?.first(where: { _ in true }) else { throw Malformed(what: "a typed value") }
    let content = entry.value
    switch entry.key.text {
    case "null": return .null
    case "bool", "string": return content
    case "int64": return .int(try Int64(content.text).orThrow())
    case "uint64": return .uint(try UInt64(content.text).orThrow())
    case "double":
      switch content {
      case .string("NaN"): return .double(.nan)
      case .string("Infinity"): return .double(.infinity)
      case .string("-Infinity"): return .double(-.infinity)
      case .string("-0"): return .double(-0.0)
      case .int(let number): return .double(Double(number))
      case .decimal(let lexeme): return .double(try Double(lexeme).orThrow())
      default: return content
      }
    case "bytes": return .bytes(Array(try Data(base64Encoded: content.text).orThrow()))
    case "list": return .list(try (content.listValue ?? []).map(value))
    case "map":
      var map = ValueMap()
      for pair in content.listValue ?? [] {
        let pair = try pair.listValue.orThrow()
        map[try key(value(pair[0]))] = try value(pair[1])
      }
      return .map(map)
    case "timestamp": return .timestamp(try Timestamp(rfc3339: content.text).orThrow())
    case "duration": return .duration(try TimeSpan(text: content.text).orThrow())
    case "type": return .type(try content.text)
    default: throw Malformed(what: entry.key.text)
    }
  }

  private static func key(_ value: Value) throws -> ValueMap.Key {
    switch value {
    case .string(let text): .string(text)
    case .int(let number): .int(number)
    case .uint(let number): .uint(number)
    case .bool(let flag): .bool(flag)
    default: throw Malformed(what: "a key")
    }
  }

  private static func overload(_ json: Value) throws -> Function.Overload {
    Function.Overload(
      isMethod: json["receiver"] == true, parameters: try json.member("params").listValue.orThrow().map(type),
      result: try type(json.member("result")))
  }

  private static func type(_ json: Value) throws -> ValueType {
    if case .string(let name) = json { return try simpleTypes[name].orThrow() }
    let parts = try json.listValue.orThrow()
    func argument(_ position: Int) throws -> ValueType { try type(parts[position]) }
    switch try parts[0].text {
    case "list": return .list(try argument(1))
    case "map": return .map(try argument(1), try argument(2))
    case "wrapper": return .nullable(try argument(1))
    case "type": return .type(parts.count > 1 ? try argument(1) : nil)
    case "param": return .parameter(try parts[1].text)
    case "abstract":
      let name = try parts[1].text
      let parameters = try parts.dropFirst(2).map(type)
      return name == "optional_type" ? .optional(parameters[0]) : .abstract(name, parameters)
    default: throw Malformed(what: "a type")
    }
  }

  private static let simpleTypes: [String: ValueType] = [
    "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes, "null": .null,
    "dyn": .dyn, "any": .dyn, "timestamp": .timestamp, "duration": .duration, "error": .error,
  ]
}

struct Malformed: Error {
  var what: String
}

extension Value {
  fileprivate func member(_ name: String) throws -> Value {
    guard let member = self[name] else { throw Malformed(what: name) }
    return member
  }

  fileprivate var text: String {
    get throws { try stringValue.orThrow() }
  }
}

extension Optional {
  fileprivate func orThrow() throws -> Wrapped {
    guard let self else { throw Malformed(what: "\(Wrapped.self)") }
    return self
  }
}
