import CEL
import Testing
import Values

@Suite struct FunctionTests {
  @Test(
    arguments: [
      // FIPS 180-4 and RFC 4231, test case 2 and (a key longer than a block) test case 6.
      ("hash.sha256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      ("hash.sha256(b'')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (
        "hash.hmac_sha256('what do ya want for nothing?', 'Jefe')",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      ("hash.sha256('\(String(repeating: "a", count: 119))').size()", 64),
      ("url.encode('a b/ü~1')", "a%20b%2F%C3%BC~1"),
      ("json.encode({'b': [1, 2.5, null], 'a': 'x'})", #"{"b":[1,2.5,null],"a":"x"}"#),
      ("json.decode('{\"a\": [1, 2.5]}').a", [1, 2.5]),
      ("base64.encode(b'hi')", "aGk="), ("string(base64.decode('aGk'))", "hi"),
      ("phone.e164('(415) 555-2671', 'US')", "+14155552671"),
      ("sum([1, 2, 3])", 6), ("[1.5, 2.5].sum()", 4.0), ("sum([])", 0), ("min([3, 1, 2])", 1), ("max(['a', 'c', 'b'])", "c"),
      ("maps.merge({'a': 1, 'b': 1}, {'b': 2})", ["a": 1, "b": 2]),
      ("[1, 2, 3, 4].slice(1, 3)", [2, 3]), ("[[1], [2, [3]]].flatten()", [1, 2, [3]]), ("[[1], [2, [3]]].flatten(2)", [1, 2, 3]),
      ("lists.range(3)", [0, 1, 2]), ("[1, 2, 1.0, 3].distinct()", [1, 2, 3]), ("[3, 1, 2].sort()", [1, 2, 3]),
      ("['bb', 'a'].sortBy(s, size(s))", ["a", "bb"]), ("[1, 2].reverse()", [2, 1]),
      ("[1, 2].first().value()", 1), ("[].last().hasValue()", false),
      ("sets.contains([1, 2], [2])", true), ("sets.equivalent([1, 2], [2u, 1.0])", true), ("sets.intersects([1], [2])", false),
      ("regex.replace('John Doe', '(\\\\w+) (\\\\w+)', r'\\2, \\1')", "Doe, John"), ("regex.replace('aaa', 'a', 'b', 2)", "bba"),
      ("regex.replace('', '^', 'x')", "x"), ("regex.extractAll('', '.*')", [""]), ("regex.replace('äb', '', '-')", "-ä-b-"),
      ("regex.extract('id: 42', 'id: ([0-9]+)').value()", "42"), ("regex.extractAll('a1b22', '[0-9]+')", ["1", "22"]),
      ("'%.2f|%.0f|%.1f'.format([2.005, 0.5, 0.05])", "2.00|0|0.1"), ("'%e'.format([0.0])", "0.000000e+00"),
      ("'%.3f'.format([1e-320])", "0.000"), ("'%.1f'.format([1e22])", "10000000000000000000000.0"),
      ("'%.2e'.format([9.999])", "1.00e+01"),
      // A name in capitals of several code points equals itself alone.
      ("'é' == 'e\\u0301'", false), ("'e\\u0301'.size()", 2), ("'e\\u0301'.startsWith('e')", true),
    ] as [(String, Value)])
  func value(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source) == expected)
  }

  @Test(
    arguments: [
      // Behind the last transition of the file, by its rule: summer in the north, summer in the south, none.
      ("timestamp('2090-07-01T12:00:00Z').getHours('Europe/Berlin')", 14),
      ("timestamp('2090-01-01T12:00:00Z').getHours('Europe/Berlin')", 13),
      ("timestamp('2090-01-01T12:00:00Z').getHours('Australia/Sydney')", 23),
      ("timestamp('2090-07-01T12:00:00Z').getHours('Asia/Kolkata')", 17),
      // Among the transitions, and before the first.
      ("timestamp('1916-07-01T12:00:00Z').getHours('Europe/Berlin')", 14),
      ("timestamp('1800-01-01T12:00:00Z').getMinutes('Europe/Berlin')", 53),
    ] as [(String, Value)])
  func timeZone(source: String, expected: Value) throws {
    #expect(try Sample.evaluate(source) == expected)
  }

  @Test(arguments: [
    "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1:00", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01",
  ])
  func noTimestamp(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(arguments: [
    ("2024-02-29T12:00:00.25+01:00", "2024-02-29T11:00:00.25Z"), ("1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999999Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"), ("9999-12-31t23:59:59z", "9999-12-31T23:59:59Z"),
  ])
  func timestampText(text: String, expected: String) {
    #expect(Timestamp(rfc3339: text)?.text == expected)
  }

  @Test(
    arguments: [
      ("1h30m", 5_400_000_000_000), ("-1.5s", -1_500_000_000), ("250ms", 250_000_000), ("1µs2ns", 1_002), ("0", 0),
      ("+2m", 120_000_000_000),
      ("-9223372036854775808ns", Int64.min), (".5s", 500_000_000), ("9223372036854775808ns", nil), ("1", nil), ("", nil), ("-", nil),
      ("1h 2m", nil), ("s", nil), ("1.s", 1_000_000_000), ("1x", nil),
    ] as [(String, Int64?)])
  func durationText(text: String, expected: Int64?) {
    #expect(TimeSpan(text: text)?.nanoseconds == expected)
  }

  @Test(arguments: ["Nowhere/City", "../../etc/passwd", "/etc/localtime", "+25:00", "+1:00"])
  func noSuchTimeZone(zone: String) {
    #expect(throws: EvaluationError.self) { try Sample.evaluate("started.getHours('\(zone)')", [9: .timestamp(Timestamp(seconds: 0))]) }
  }
}
