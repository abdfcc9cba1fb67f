import Diagnostics
import SourceText
import Testing
import YAMLTree

/// What one value reads as: its meaning, or the kind of the refusal.
private func meaning(of value: String) throws -> String {
  let file = SourceFile(path: "f", text: "key: \(value)\n")
  let (root, diagnostics) = YAMLParse.document(file)
  if let first = diagnostics.first { return "error[\(first.kind.rawValue)]" }
  guard case .mapping(let entries) = try #require(root).content, case .scalar(let scalar) = try #require(entries.first).value.content else {
    return "no scalar"
  }
  return switch scalar.meaning {
  case .null: "null"
  case .bool(let value): "bool \(value)"
  case .int(let value): "int \(value)"
  case .double(let value): "double \(value)"
  case .string: "string \(scalar.text.text)"
  }
}

@Suite struct CoreSchemaTests {
  @Test(arguments: [
    ("", "null"), ("~", "null"), ("null", "null"),
    ("true", "bool true"), ("false", "bool false"),
    ("0", "int 0"), ("-0", "int 0"), ("42", "int 42"), ("-7", "int -7"), ("9223372036854775807", "int 9223372036854775807"),
    ("9223372036854775808", "double 9.223372036854776e+18"),
    ("0x1F", "int 31"), ("0o17", "int 15"), ("0xFFFFFFFFFFFFFFFF", "double 1.8446744073709552e+19"),
    ("1.5", "double 1.5"), ("-0.25", "double -0.25"), (".5", "double 0.5"), ("1.", "double 1.0"), ("1e3", "double 1000.0"),
    ("6.02E+23", "double 6.02e+23"),
    ("no", "string no"), ("yes", "string yes"), ("on", "string on"), ("NO", "string NO"), ("y", "string y"),
    ("12:30", "string 12:30"), ("1:30:00", "string 1:30:00"), ("2026-01-01", "string 2026-01-01"), ("1_000", "string 1_000"),
    ("0b101", "string 0b101"), ("0xZZ", "string 0xZZ"), ("0x", "string 0x"), ("0o8", "string 0o8"), ("-0x1", "string -0x1"),
    (".", "string ."), ("1.2.3", "string 1.2.3"), ("+", "string +"), ("1e", "string 1e"), ("inf", "string inf"), ("nan", "string nan"),
    ("0555-123", "string 0555-123"), ("+1 555 0100", "string +1 555 0100"), ("nUll", "string nUll"), ("tRue", "string tRue"),
    ("'012'", "string 012"), ("\"true\"", "string true"), ("'~'", "string ~"), ("|\n  12", "string 12\n"),
    ("!!str 012", "string 012"), ("! 12", "string 12"), ("!!int '12'", "int 12"), ("!!float 1", "double 1.0"), ("!!null ''", "null"),
    ("!!bool 'true'", "bool true"),
  ])
  func reads(_ value: String, as expected: String) throws {
    #expect(try meaning(of: value) == expected)
  }

  @Test(arguments: ["010", "00", "-01", "007", "+1", "+15551234567", "+0", "01.5", "+.5", "00e1", "08"])
  func aNumberThatWouldLoseDigitsIsRefused(_ value: String) throws {
    #expect(try meaning(of: value) == "error[quote-this-number]")
  }

  @Test(arguments: [
    "Null", "NULL", "True", "TRUE", "False", "FALSE", ".inf", ".Inf", "-.INF", "+.inf", ".nan", ".NaN", ".NAN", "1e999", "-1e999",
  ])
  func otherSpellingsAreRefused(_ value: String) throws {
    #expect(try meaning(of: value) == "error[quote-this-string]")
  }

  @Test(arguments: [
    "!!int x", "!!bool yes", "!!null x", "!!float x", "!!binary x", "!!timestamp 2026-01-01", "!<tag:example.test,2000:x> y",
  ])
  func aTagThatDoesNotFitIsRefused(_ value: String) throws {
    #expect(try meaning(of: value) == "error[invalid-yaml]")
  }
}
