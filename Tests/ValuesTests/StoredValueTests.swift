import Testing
import Values

/// `Value.storedText` and its way back.
@Suite struct StoredValueTests {
  @Test(
    arguments: [
      ("null", Value.null), ("[true,1,-1,\"a\"]", [true, 1, -1, "a"]), (#"{"b":1,"a":[]}"#, ["b": 1, "a": []]),
      ("1.0", .double(1)), ("-0.0", .double(-0.0)), ("0.1", 0.1), ("1e+22", .double(1e22)), ("5e-324", .double(.leastNonzeroMagnitude)),
      ("12345678901234567890", .decimal("12345678901234567890")),
      (#"{"$baton":"decimal","value":"1.10"}"#, .decimal("1.10")),
      (#"{"$baton":"uint","value":"1"}"#, .uint(1)),
      (#"{"$baton":"double","value":"-Infinity"}"#, .double(-.infinity)),
      (#"{"$baton":"bytes","value":"AP8="}"#, .bytes([0, 255])),
      (#"{"$baton":"timestamp","value":"1970-01-01T00:00:01.5Z"}"#, .timestamp(Timestamp(seconds: 1, nanoseconds: 500_000_000))),
      (#"{"$baton":"timestamp","value":[-9223372036854775808,1]}"#, .timestamp(Timestamp(seconds: .min, nanoseconds: 1))),
      (#"{"$baton":"duration","value":-1}"#, .duration(TimeSpan(nanoseconds: -1))),
      (#"{"$baton":"type","value":"int"}"#, .type("int")),
      (#"{"$baton":"optional"}"#, .optional(nil)), (#"{"$baton":"optional","value":null}"#, .optional(.null)),
      (#"{"$baton":"secret","value":"hunter2"}"#, Value.string("hunter2").hidden()),
      (#"{"token":{"$baton":"secret","value":[1.0]}}"#, ["token": Value.list([.double(1)]).hidden()]),
      (#"{"$baton":"map","value":[["$baton","int"],["value",1]]}"#, ["$baton": "int", "value": 1]),
    ] as [(String, Value)])
  func textSaysAllOfTheValue(_ text: String, _ value: Value) throws {
    #expect(value.storedText == text)
    try expectSame(Value(storedText: text), value)
  }

  @Test func keysThatAreNoTextsComeBack() throws {
    var map = ValueMap()
    for key in [ValueMap.Key.int(1), .uint(.max), .bool(true), .string("1"), .string("true")] { map[key] = key.value }
    try expectSame(Value(storedText: Value.map(map).storedText), .map(map))
  }

  /// What looks like a stored value, and is one only to a careless reader, comes back as it was.
  @Test func valuesAreNeverMisread() throws {
    var nested: Value = "x"
    for depth in 0..<30 {
      nested = ["$baton": .string(depth % 2 == 0 ? "secret" : "map"), "value": nested]
      try expectSame(Value(storedText: nested.storedText), nested)
    }
  }

  @Test func randomValuesComeBack() throws {
    var random = RandomValues(SeededGenerator(20_260_301))
    for _ in 0..<5_000 {
      let value = random.value(depth: 4)
      try expectSame(Value(storedText: value.storedText), value)
    }
    #expect(random.kinds.count == 15, "all kinds were met: \(random.kinds.sorted())")
  }

  @Test func deepValuesComeBack() throws {
    func level(_ value: Value) -> Value {
      var map = ValueMap()
      map[.int(1)] = value
      return .map(map)
    }
    var value: Value = .double(1)
    for _ in 0..<128 { value = level(value.hidden()) }
    try expectSame(Value(storedText: value.storedText), value)
  }

  @Test(arguments: [
    "", "{", #"{"$baton":1}"#, #"{"$baton":"later","value":1}"#, #"{"$baton":"secret"}"#, #"{"$baton":"uint","value":"-1"}"#,
    #"{"$baton":"int","value":1,"more":1}"#, #"{"$baton":"optional","value":1,"more":1}"#, #"{"$baton":"optional","more":1}"#,
    #"{"$baton":"bytes","value":"A"}"#, #"{"$baton":"bytes","value":"===="}"#, #"{"$baton":"bytes","value":"A*=="}"#,
    #"{"$baton":"double","value":"1"}"#, #"{"$baton":"timestamp","value":[1]}"#, #"{"$baton":"duration","value":1.5}"#,
    #"{"$baton":"map","value":[[1,1],[1,2]]}"#, #"{"$baton":"map","value":[[1]]}"#, #"{"$baton":"map","value":[[null,1]]}"#,
    #"{"a":1,"a":2}"#,
  ])
  func anyOtherTextIsRefused(_ text: String) {
    #expect(throws: StoredValueError.self) { try Value(storedText: text) }
  }

  @Test func errorsShowNothingOfTheText() {
    for text in [#"{"$baton":"hunter2"}"#, #"{"hunter2":1,"hunter2":2}"#, #"["hunter2" x]"#, #"{"$baton":"uint","value":"hunter2"}"#] {
      do throws(StoredValueError) {
        Issue.record("read as \(try Value(storedText: text))")
      } catch {
        #expect(!error.description.contains("hunter2"))
      }
    }
  }

  /// The same to the last bit and in the same order, which `==` of doubles and maps does not ask for.
  private func expectSame(_ found: Value, _ value: Value, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(trace(found) == trace(value), sourceLocation: sourceLocation)
  }

  private func trace(_ value: Value) -> [String] {
    switch value {
    case .double(let number): ["double", number.isNaN ? "nan" : String(number.bitPattern)]
    case .list(let items): ["list", "\(items.count)"] + items.flatMap(trace)
    case .map(let map): ["map", "\(map.count)"] + map.flatMap { trace($0.key.value) + trace($0.value) }
    case .optional(let inner): ["optional"] + (inner.map(trace) ?? [])
    case .secret(let inner): ["secret"] + trace(inner)
    case .string(let text): ["string"] + text.unicodeScalars.map { String($0.value) }
    case .null, .bool, .int, .uint, .decimal, .bytes, .timestamp, .duration, .type: ["\(value)"]
    }
  }
}

/// Values of every kind, nested.
private struct RandomValues {
  private var generator: SeededGenerator
  private(set) var kinds: Set<Int> = []

  init(_ generator: SeededGenerator) { self.generator = generator }

  mutating func value(depth: Int) -> Value {
    let kind = generator.below(depth > 0 ? 15 : 10)
    kinds.insert(kind)
    switch kind {
    case 0: return .null
    case 1: return .bool(generator.below(2) == 0)
    case 2: return .int(Int64(bitPattern: bits()))
    case 3: return .uint(bits())
    case 4: return .double(generator.below(2) == 0 ? Double(bitPattern: bits()) : Double(Int64(bitPattern: bits())))
    case 5: return .decimal(["1.10", "1E400", "-0", "12345678901234567890", "0.1000000000000000055511151231257827"][generator.below(5)])
    case 6: return .string(text())
    case 7: return .bytes((0..<generator.below(10)).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    case 8: return .timestamp(Timestamp(seconds: Int64(bitPattern: bits()), nanoseconds: Int32(generator.below(1_000_000_000))))
    case 9: return .duration(TimeSpan(nanoseconds: Int64(bitPattern: bits())))
    case 10: return .type(text())
    case 11: return .optional(generator.below(3) == 0 ? nil : value(depth: depth - 1))
    case 12: return value(depth: depth - 1).hidden()
    case 13: return .list((0..<generator.below(4)).map { _ in value(depth: depth - 1) })
    default: return .map(map(depth: depth))
    }
  }

  private mutating func map(depth: Int) -> ValueMap {
    var map = ValueMap()
    for _ in 0..<generator.below(12) {
      let key: ValueMap.Key =
        switch generator.below(8) {
        case 0: .int(Int64(bitPattern: bits()))
        case 1: .uint(bits())
        case 2: .bool(generator.below(2) == 0)
        default: .string(text())
        }
      map[key] = value(depth: depth - 1)
    }
    return map
  }

  /// Small numbers as often as large ones.
  private mutating func bits() -> UInt64 { generator.next() >> UInt64(generator.below(64)) }

  private mutating func text() -> String {
    let pieces = ["$baton", "value", "secret", "", "\0", "\"", "\\", "é", "e\u{301}", "\u{1F600}", "\u{2028}", "a", "$", "\u{7F}", "\n"]
    return (0..<generator.below(3)).map { _ in pieces[generator.below(pieces.count)] }.joined()
  }
}
