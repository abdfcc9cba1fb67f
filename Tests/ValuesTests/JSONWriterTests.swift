import Testing
import Values

@Suite struct JSONWriterTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (123_456_789, "123456789"), (0.1, "0.1"), (-1.5, "-1.5"), (1e20, "100000000000000000000"),
    (123_456_789_012_345_683_968, "123456789012345680000"), (1e21, "1e+21"), (1.5e300, "1.5e+300"), (0.000001, "0.000001"),
    (1.25e-7, "1.25e-7"), (.leastNonzeroMagnitude, "5e-324"), (0.1 + 0.2, "0.30000000000000004"),
    (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"),
  ])
  func printsDoublesAsECMAScriptDoes(_ number: Double, _ text: String) {
    #expect(ecmaScriptText(of: number) == text)
  }

  @Test(arguments: [
    (Value.null, "null"), (.bool(true), "true"), (.int(.min), "-9223372036854775808"), (.uint(.max), "18446744073709551615"),
    (.double(1), "1"), (.double(.nan), #""NaN""#), (.decimal("1.00000000000000000001"), "1.00000000000000000001"),
    (.bytes([]), #""""#), (.bytes([0xFF]), #""/w==""#), (.bytes([0xFF, 0xFE]), #""//4=""#), (.bytes([1, 2, 3]), #""AQID""#),
    (.timestamp(Timestamp(seconds: 0)), #""1970-01-01T00:00:00Z""#),
    (.timestamp(Timestamp(seconds: 951_782_399, nanoseconds: 500_000_000)), #""2000-02-28T23:59:59.5Z""#),
    (.timestamp(Timestamp(seconds: -1)), #""1969-12-31T23:59:59Z""#),
    (.timestamp(Timestamp(seconds: -62_135_596_800)), #""0001-01-01T00:00:00Z""#),
    (.duration(TimeSpan(nanoseconds: 1_500_000_000)), #""1.5s""#), (.duration(TimeSpan(nanoseconds: -1)), #""-0.000000001s""#),
    (.type("int"), #""int""#), (.optional(nil), "null"), (.optional(.int(1)), "1"),
    (.string("\"\\\u{1}\u{1F}\u{8}\u{C}\n\r\té😀/"), #""\"\\\u0001\u001f\b\f\n\r\té😀/""#),
  ])
  func writes(_ value: Value, _ text: String) {
    #expect(value.json() == text)
  }

  @Test func indents() {
    let value: Value = ["a": [1, [:], []], "b": ["c": "d"]]
    #expect(value.json() == #"{"a":[1,{},[]],"b":{"c":"d"}}"#)
    #expect(
      value.json(indent: 2) == """
        {
          "a": [
            1,
            {},
            []
          ],
          "b": {
            "c": "d"
          }
        }
        """)
  }

  @Test func hidesSecretsUnlessTold() {
    let value: Value = ["pin": Value.int(1234).hidden(), "list": .list([.string("x").hidden()])]
    #expect(value.json() == #"{"pin":"[secret]","list":["[secret]"]}"#)
    #expect(value.json(secrets: .exposed) == #"{"pin":1234,"list":["x"]}"#)
  }
}

@Suite struct ExactDecimalTests {
  @Test(arguments: [("1", "1.0"), ("100", "1e2"), ("-0", "0e5"), ("0.001", "1e-3"), ("12.50e1", "125")])
  func oneNumberHasOneForm(_ a: String, _ b: String) {
    #expect(ExactDecimal(lexeme: a) == ExactDecimal(lexeme: b))
  }

  @Test func ordersByValue() {
    let ascending = ["-1e400", "-10", "-9.5", "-0.1", "0", "1e-9", "0.1", "0.11", "1", "9", "10", "1e400"].map(ExactDecimal.init(lexeme:))
    #expect(ascending == ascending.sorted())
    #expect(Set(ascending).count == 12)
  }

  @Test(arguments: [("1.0", true), ("1.5", false), ("1e3", true), ("1e-3", false), ("0", true), ("0.0", true)])
  func knowsIntegers(_ lexeme: String, _ isInteger: Bool) {
    #expect(ExactDecimal(lexeme: lexeme).isInteger == isInteger)
  }
}
