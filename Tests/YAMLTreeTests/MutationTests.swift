import Diagnostics
import SourceText
import Testing
import YAMLTree

/// SplitMix64: the same documents on every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

private let seeds: [[UInt8]] = [
  """
  baton: 1 # é
  a: &x
    - "q\\u00e9 \\
        folded\\n\\x41 ${{ x }}"
    - 'it''s

      two'
  b: |2-
      literal é

    end

  c: >+
    folded
    text

     more

  d: { e: [1, 2.5, *x], "f": null, g: !!str 012 }
  """,
  "- plain é\n  more\n\n  text\n- ${{ a }}\n- ? k\n  : v\n- [ f(x), { y: z } ]\n- !!int 12\n",
  "steps:\r\n  - id: a\r\n    if: x > 1\r\n    with:\r\n      t: >-\r\n        one\r\n        two\r\n",
].map { Array($0.utf8) }

private let pieces: [[UInt8]] =
  [
    "\n", "\r\n", " ", "  ", "\t", "- ", ": ", ":", " #", "#", "'", "\"", "\\", "[", "]", "{", "}", ",", "|", ">", "|+", ">-", "|2", "&a ",
    "*a",
    "*x", "!", "!!str ", "? ", "---\n", "...", "%", "é", "😀", "${{", "}}", "$", "0", "01", "null", "True", "\u{202E}", "\u{FEFF}", "\u{0}",
    "a: ",
    "\\x", "\\\n", "''", "<<: ", "(", ")", "`", "@",
  ].map { Array($0.utf8) } + [[0xC3], [0xFF]]

@Suite(.timeLimit(.minutes(1))) struct MutationTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func noDocumentBreaksTheParser(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    for _ in 0..<500 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &dice)]
      for _ in 0..<Int.random(in: 1...6, using: &dice) { mutate(&bytes, &dice) }
      let file = SourceFile(path: "f", bytes: bytes)
      let (root, diagnostics) = YAMLParse.document(file)
      let source = String(decoding: bytes, as: UTF8.self)
      #expect(root != nil || diagnostics.hasErrors, "\(source.debugDescription)")
      for place in diagnostics.compactMap(\.place) + diagnostics.flatMap(\.related).map(\.place) {
        #expect(isInside(place.span, file), "\(place.span) of \(source.debugDescription)")
      }
      for node in root?.all ?? [] {
        #expect(isInside(node.span, file), "\(node.span) of \(source.debugDescription)")
        guard let text = node.scalar?.text else { continue }
        #expect(isInside(text.fileSpan, file), "\(text.fileSpan) of \(source.debugDescription)")
        let fault = mapFault(text, in: file)
        #expect(fault == nil, "\(source.debugDescription)")
      }
    }
  }

  private func isInside(_ span: Span, _ file: SourceFile) -> Bool {
    0 <= span.start && span.start <= span.end && span.end <= file.bytes.count
  }

  private func mutate(_ bytes: inout [UInt8], _ dice: inout Dice) {
    let at = Int.random(in: 0...bytes.count, using: &dice)
    let end = min(bytes.count, at + Int.random(in: 1...4, using: &dice))
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: bytes.removeSubrange(at..<end)
    case 1: bytes.replaceSubrange(at..<end, with: pieces[Int.random(in: 0..<pieces.count, using: &dice)])
    case 2: bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &dice))
    default: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &dice)], at: at)
    }
  }
}
