import Diagnostics
import SourceText
import Testing
import YAMLTree

private func parse(_ bytes: [UInt8]) -> (root: Node?, diagnostics: [Diagnostic]) {
  YAMLParse.document(SourceFile(path: "f", bytes: bytes))
}

private func parse(_ text: String) -> (root: Node?, diagnostics: [Diagnostic]) { parse(Array(text.utf8)) }

/// Each ends at once with one clear error; a minute is only there to fail rather than to hang.
@Suite(.timeLimit(.minutes(1))) struct HostileInputTests {
  @Test(arguments: ["[", "{a: ", "- ", "? ", "[\n", "{a: [", "!!seq [", "&a ["])
  func deepNestingStopsAt64(_ opening: String) {
    let (root, diagnostics) = parse(String(repeating: opening, count: 20_000))
    #expect(root == nil)
    #expect(diagnostics.map(\.message) == ["nested deeper than 64 levels"])
  }

  @Test func nestingOf64IsFine() {
    let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(parse(text).diagnostics.isEmpty)
    #expect(parse("[\(text)]").diagnostics.map(\.message) == ["nested deeper than 64 levels"])
  }

  @Test func anAliasBombIsCountedNotBuilt() throws {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 { text += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", "))]\n" }
    let (root, diagnostics) = parse(text)
    #expect(root == nil)
    let only = try #require(diagnostics.first)
    #expect(diagnostics.count == 1)
    #expect(only.message == "the aliases of this file stand for more than 10,000 nodes")
    #expect(only.related.count == 1)
  }

  @Test func aliasesStandForTenThousandNodesAtMost() {
    let hundred = "a: &a [\(Array(repeating: "1", count: 99).joined(separator: ", "))]\n"
    let aliases = { (count: Int) in hundred + "b: [\(Array(repeating: "*a", count: count).joined(separator: ", "))]\n" }
    #expect(parse(aliases(100)).diagnostics.isEmpty)
    #expect(parse(aliases(101)).diagnostics.hasErrors)
  }

  @Test func aliasesCannotNestDeeperThanTheFile() {
    var text = "a0: &a0 [1]\n"
    for level in 1...64 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
    #expect(parse(text).diagnostics.map(\.message) == ["with what `*a62` repeats, this is nested deeper than 64 levels"])
  }

  @Test func aFileOverOneMebibyteIsNotRead() {
    let limit = 1 << 20
    let fits = Array("a: 1 #".utf8) + Array(repeating: 0x78, count: limit - 6)
    #expect(parse(fits).diagnostics.isEmpty)
    #expect(
      parse(Array(repeating: 0x20, count: limit + 1)).diagnostics.map(\.message).first?.hasPrefix("the file is larger than 1 MiB") == true)
  }

  @Test func aFileFullOfErrorsEnds() {
    let (_, diagnostics) = parse("[" + String(repeating: "010,", count: 20_000) + "]")
    #expect(diagnostics.count == 500)
  }

  @Test(arguments: [
    "a: b: c\n", "[(,", "&a ", "? a\n", "%x\n", "{a,", "- ${{ # c\n", "- a ? b : c\n", "- {a: ${{x}}}\n", "- *a\n", "a: 1,",
    "- &a x\n- *b\n",
    "\"\\u0041",
  ])
  func longNonsenseIsRefused(_ part: String) {
    let diagnostics = parse(String(repeating: part, count: 40_000 / part.utf8.count)).diagnostics
    #expect(diagnostics.hasErrors)
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x61, 0], "the file is UTF-16, not UTF-8"),
      ([0xFE, 0xFF, 0, 0x61], "the file is UTF-16, not UTF-8"),
      ([0x61, 0, 0x3A, 0], "the file is UTF-16, not UTF-8"),
      ([0, 0x61, 0, 0x3A], "the file is UTF-16, not UTF-8"),
      ([0xFF, 0xFE, 0, 0], "the file is UTF-32, not UTF-8"),
      ([0x61, 0x3A, 0x20, 0], "the file holds a NUL byte"),
      ([0x61, 0x80], "this byte is not valid UTF-8"),
      ([0xC0, 0xAF], "this byte is not valid UTF-8"),
      ([0xC3], "this byte is not valid UTF-8"),
      ([0xE0, 0x80, 0x80], "this byte is not valid UTF-8"),
      ([0xED, 0xA0, 0x80], "this byte is not valid UTF-8"),
      ([0xF4, 0x90, 0x80, 0x80], "this byte is not valid UTF-8"),
      ([0xF5, 0x80, 0x80, 0x80], "this byte is not valid UTF-8"),
      ([0xF0, 0x9F, 0x98], "this byte is not valid UTF-8"),
    ] as [([UInt8], String)])
  func onlyUTF8IsRead(_ bytes: [UInt8], _ message: String) {
    #expect(parse(bytes).diagnostics.map(\.message) == [message])
  }

  @Test(
    arguments: [0x61C, 0x200B, 0x200E, 0x200F, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xFEFF, 0x85, 0x2028, 0x2029, 0x7F, 0x1B] as [UInt32]
  )
  func deceptiveCharactersMustBeEscaped(_ code: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(code))
    #expect(parse("a: \"x\(Character(scalar))\"\n").diagnostics.hasErrors)
    #expect(parse("a: 1 # \(Character(scalar))\n").diagnostics.hasErrors)
    #expect(
      parse("a: \"\\U\(String(repeating: "0", count: 8 - String(code, radix: 16).count))\(String(code, radix: 16))\"\n").diagnostics.isEmpty
    )
  }
}
