import SourceText
import TestKit
import Testing
import YAMLTree

/// Sources and what is said about them, recorded as people see it.
@Suite struct RefusalTests {
  @Test func syntax() throws { try expectGolden(report(Cases.syntax), "syntax.txt") }
  @Test func traps() throws { try expectGolden(report(Cases.traps), "traps.txt") }
  @Test func limits() throws { try expectGolden(report(Cases.limits), "limits.txt") }

  private func report(_ sources: [String]) -> String {
    sources.map { visible($0) + "\n" + findings($0).map { "=> \($0)\n" }.joined() }.joined(separator: "\n")
  }

  /// What a reviewer of the recorded text could not see, as its number.
  private func visible(_ source: String) -> String {
    source.unicodeScalars.map { scalar in
      let isShown =
        scalar == "\n" || scalar == "\t" || (scalar.isASCII ? scalar.value >= 0x20 : scalar.properties.generalCategory != .format)
      return isShown && scalar != "\u{2028}" ? String(scalar) : "<U+\(String(scalar.value, radix: 16, uppercase: true))>"
    }.joined()
  }

  @Test(arguments: Cases.syntax + Cases.traps + Cases.limits)
  func everyCaseIsRefused(_ source: String) {
    #expect(!findings(source).isEmpty)
  }

  /// What looks like a trap and is none.
  @Test(arguments: [
    "a: ${{ x }} # y",
    "a: \"${{ x # y }}\"",
    "a: ${{ x }} y",
    "- a: b ? c\n  d: e",
    "- \"a ? b : c\"",
    "- a: ${{ x ? 1 :2 }}",
    "a: [ (b), c ]",
    "a: http://example.test:80/x?y=[]#z",
    "a: 'x' # y",
    "a: [1] # y",
    "- [a, b]\n- {a: b}",
    "a: \"---\"",
    "a: x!y*z&w@`%",
    "a: |\n  ${{ c ? x : y }} # no comment\n",
    "a: &x [1, 2]\nb: *x\nc: *x",
    "'<<': 1\n'1': 2\n\"null\": 3",
    "%YAML 1.2\n---\na: 1\n...\n",
    "é: ü\u{200D}\n",
  ])
  func isFine(_ source: String) {
    #expect(findings(source) == [])
  }

  @Test func anAliasRepeatsItsNode() throws {
    let file = SourceFile(path: "f", text: "a: &x { b: [1] }\nc: *x\nd: *x\n")
    #expect(try #require(YAMLParse.document(file).root).json == "{a: {b: [1]}, c: {b: [1]}, d: {b: [1]}}")
  }

  @Test func theTreeIsThereBesideAnError() throws {
    let (root, diagnostics) = YAMLParse.document(SourceFile(path: "f", text: "a: 1\na: 2\nb: 012\n"))
    #expect(diagnostics.count == 2)
    #expect(try #require(root).json == "{a: 1, b: \"012\"}")
  }
}

private enum Cases {
  static let syntax = [
    "a: 1\nfoo\nb: 2",
    "a: 1\nfoo:bar\nb: 2",
    "a: 1\n  b: 2",
    "a:\n    b: 1\n  c: 2",
    "a: - b",
    "a:\n\tb: 1",
    "a: \"foo\nb: 2",
    "a: 'foo\nb: 2",
    "a: [1, 2\nb: 3",
    "a: {x: 1, y: 2",
    "a: [1 2: 3}",
    "a: \"\\q\"",
    "a: \"\\u12\"",
    "- a\nb: c",
    "a: 1\n- b",
    "a: 1\n: b",
    "a: | text\n  b",
    "[a, , b]",
    "a: ? b",
    "a\nb: 1",
    "a: 1\n]",
  ]

  static let traps = [
    "a: ${{ x # y }}\nb: ${{ x\n  y # z }}",
    "a: ${{ c ? x : y }}\nb: ${{ {'a': {'b': 1}} }}\nc: PIN: 1234\nd: 0123",
    "{ a: ${{ x }}, b: [${{ y }}, 2] }",
    "- x: { p: ${{ f('}', x) }}, q: 1 }\n- [ a[0].b, 2 ]",
    "- !a.b\n- if: !a.b && c\n- if: !has(x.y)\n- if: !foo bar",
    "a: [x].size() > 0\nb: {a}.b\nc: 'x' == y\nd: \"x\" + y",
    "e: *foo\nf: *foo.bar\ng: && x\nh: `x`\ni: @x\nj: %x",
    "- a ? b : c\n- ${{ a ? b : c }}\n- [ a ? b : c, 2 ]",
    "- [ f(a, b) ]\n- { x: f(a, b), y: 2 }\n- [ f(a, g(b, c)), d ]",
    "a: Null\nb: TRUE\nc: .inf\nd: +1\ne: -01",
  ]

  static let limits = [
    "",
    "# nothing\n\n",
    "---\n",
    "a: 1\nb: 2\na: 3",
    "{ a: 1, \"a\": 2 }",
    "1: x\ntrue: y\n[a]: z\n? { b: c }\n: d\n<<: w\nnull: v",
    "a: 1\n---\nb: 2",
    "---\na: 1\n---\n",
    "%YAML 1.1\n---\na: 1",
    "%TAG !e! tag:example.test,2000:\n---\na: !e!foo 1",
    "a: !!python/object x\nb: !!set {a, b}\nc: !<tag:x> y\nd: !!int x",
    "? ${{ a",
    "a: &x [*x]",
    "a: &x b\n*x : 1\nc: *y",
    "a: x\u{202E}y # \u{2066}",
    "a: x\u{FEFF}y\nb: \u{2028}\nc: \u{0}",
    "a: \u{1B}[31m",
  ]
}
