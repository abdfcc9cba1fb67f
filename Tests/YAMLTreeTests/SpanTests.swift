import SourceText
import TestKit
import Testing
import YAMLTree

/// Parses a marked text whose root map has the key `v`, and gives that key's node.
private func value(_ marked: MarkedText) throws -> (node: Node, file: SourceFile) {
  let file = SourceFile(path: "f", text: marked.text)
  let (root, diagnostics) = YAMLParse.document(file)
  #expect(described(diagnostics) == [])
  return (try #require(root?["v"]), file)
}

/// The place of `needle` in the decoded text, and where the map says that it stands in the file.
private func place(of needle: String, in text: EmbeddedText) throws -> Span {
  let utf8 = Array(text.text.utf8)
  let wanted = Array(needle.utf8)
  let start = try #require((0...(utf8.count - wanted.count)).first { utf8[$0...].starts(with: wanted) })
  return text.fileSpan(of: Span(start, start + wanted.count))
}

@Suite struct SpanTests {
  /// In each style: the node stands from 1 to 4, and `x.y` from 2 to 3.
  @Test(arguments: [
    ("v: 1️⃣a ${{ 2️⃣x.y3️⃣ }}4️⃣\n", "a ${{ x.y }}"),
    ("v: 1️⃣é😀 ${{ 2️⃣x.y3️⃣ }}4️⃣ # comment\n", "é😀 ${{ x.y }}"),
    ("v: 1️⃣a\n   b\n\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\nw: 1\n", "a b\n${{ x.y }}"),
    ("v: 1️⃣'it''s ${{ 2️⃣x.y3️⃣ }}'4️⃣\n", "it's ${{ x.y }}"),
    ("v: 1️⃣'a  \n\n   b ${{ 2️⃣x.y3️⃣ }}'4️⃣\n", "a\nb ${{ x.y }}"),
    ("v: 1️⃣\"\\u00e9\\n\\t\\x41\\U0001F600\\\"${{ 2️⃣x.y3️⃣ }}\"4️⃣\n", "é\n\tA😀\"${{ x.y }}"),
    ("v: 1️⃣\"é \\\n    b\n  c  \\\n\n   ${{ 2️⃣x.y3️⃣ }}\"4️⃣\n", "é b c  \n${{ x.y }}"),
    ("v: 1️⃣|\n  é\n    b\n\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\n", "é\n  b\n\n${{ x.y }}\n"),
    ("v: 1️⃣|-\n\n\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\n\n\nw: 1\n", "\n\n${{ x.y }}"),
    ("v: 1️⃣|+ # kept\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\n\n\nw: 1\n", "${{ x.y }}\n\n\n"),
    ("v: 1️⃣|2\n    a\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\n", "  a\n${{ x.y }}\n"),
    ("v: 1️⃣>\n  é\n  b\n\n  c\n    d\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\n", "é b\nc\n  d\n${{ x.y }}\n"),
    ("v: 1️⃣>-\n  a\n\n\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\n# comment\nw: 1\n", "a\n\n${{ x.y }}"),
    ("v: 1️⃣>\r\n  é\r\n  ${{ 2️⃣x.y3️⃣ }}4️⃣\r\nw: 1\r\n", "é ${{ x.y }}\n"),
    ("v: &name 1️⃣a ${{ 2️⃣x.y3️⃣ }}4️⃣\n", "a ${{ x.y }}"),
    ("v: &name1️⃣:a ${{ 2️⃣x.y3️⃣ }}4️⃣\n", ":a ${{ x.y }}"),
    ("v: !!str 1️⃣\"${{ 2️⃣x.y3️⃣ }}\"4️⃣\n", "${{ x.y }}"),
    ("v: !!str &name # comment\n  1️⃣a ${{ 2️⃣x.y3️⃣ }}4️⃣\n", "a ${{ x.y }}"),
    ("\u{FEFF}é: 1\nv: 1️⃣a ${{ 2️⃣x.y3️⃣ }}4️⃣\n", "a ${{ x.y }}"),
    ("{ w: é, v: 1️⃣'${{ 2️⃣x.y3️⃣ }}'4️⃣ }\n", "${{ x.y }}"),
  ])
  func everyStyleMapsBackToTheFile(_ source: String, _ text: String) throws {
    let marked = MarkedText(source)
    let (node, file) = try value(marked)
    let scalar = try #require(node.scalar)
    #expect(scalar.text.text == text)
    #expect(node.span == Span(marked["1️⃣"], marked["4️⃣"]))
    #expect(try place(of: "x.y", in: scalar.text) == Span(marked["2️⃣"], marked["3️⃣"]))
    #expect(mapFault(scalar.text, in: file) == nil)
  }

  @Test(arguments: [
    "v: 1️⃣[ é, [2] ]2️⃣ # end\n",
    "v:\n  1️⃣- é\n  - b2️⃣\n\n# end\nw: 1\n",
    "v:\n  1️⃣a: é\n  b:\n    - 12️⃣\n\nw: 1\n",
    "v: &x 1️⃣{ a: 1 }2️⃣\n",
    "v:\n1️⃣- a\n- b:2️⃣\nw: 1\n",
  ])
  func aCollectionEndsWithItsBracketOrItsLastChild(_ source: String) throws {
    let marked = MarkedText(source)
    #expect(try value(marked).node.span == Span(marked["1️⃣"], marked["2️⃣"]))
  }

  @Test func aQuotedKeyHasItsQuotesInItsSpan() throws {
    let marked = MarkedText("v: { 1️⃣\"é k\"2️⃣: 1 }\n")
    guard case .mapping(let entries) = try value(marked).node.content else { return #expect(Bool(false)) }
    #expect(entries.first?.key == Located("é k", Span(marked["1️⃣"], marked["2️⃣"])))
  }

  @Test func scalarsKnowWhetherTheyStandInAFlowCollection() throws {
    let file = SourceFile(path: "f", text: "a: 1\nb: [ 2, { c: 3 } ]\nd: [ e: 4 ]\n")
    let scalars = try #require(YAMLParse.document(file).root).all.compactMap(\.scalar)
    #expect(scalars.map(\.isInFlow) == [false, true, true, true])
  }

  @Test func anEmptyValueStandsAfterItsColon() throws {
    let marked = MarkedText("w: 1\nv:1️⃣\n\nx: 2\n")
    #expect(try value(marked).node.span == Span(marked["1️⃣"], marked["1️⃣"]))
  }
}
