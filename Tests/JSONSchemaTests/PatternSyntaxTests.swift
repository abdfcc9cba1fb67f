import JSONSchema
import Testing
import Values

@Suite struct PatternTests {
  @Test(arguments: [
    (#"^\p{Letter}+$"#, "é", true), (#"^\p{Letter}+$"#, "1", false), (#"^\P{Decimal_Number}$"#, "1", false),
    (#"\p{Script=Greek}"#, "α", true), (#"^\u00e9$"#, "é", true), (#"^\ud83d\ude00$"#, "😀", true), (#"^\u{1F600}$"#, "😀", true),
    (#"\\u0041"#, "A", false), (#"^\d{3}-\d{4}$"#, "555-0100", true), ("b", "abc", true), ("^b", "abc", false), ("^.$", "e\u{301}", false),
  ])
  func readsThePatternsOfECMAScript(_ pattern: String, _ text: String, _ isFound: Bool) throws {
    #expect(try Schema.compile(["pattern": .string(pattern)]).accepts(.string(text)) == isFound)
  }
}
