import CEL
import SourceText
import TestKit
import Testing

@Suite struct TemplateEndTests {
  @Test(arguments: [
    "${{ a 1️⃣}} rest }}",
    "${{ {'a': {'b': 1}} 1️⃣}} rest",
    "${{ {'a': {'b': 1}}1️⃣}}",
    "${{ '}}' + \"}}\" 1️⃣}}",
    "${{ r'\\' + '''}} ' }}''' 1️⃣}}",
    "${{ f({'a': [1, {}]}) 1️⃣}} and ${{ b }}",
    "${{ a // }} no end\n + b 1️⃣}}",
    "${{ f(a 1️⃣}}",
    "${{ a = $ # 1️⃣}}",
  ])
  func found(marked: String) {
    let text = MarkedText(marked)
    #expect(templateEnd(in: text.text, from: 3) == .found(text["1️⃣"]))
  }

  @Test func offsetsAreThoseOfTheWholeText() {
    let text = MarkedText("ключ: ${{1️⃣ a 2️⃣}}")
    #expect(templateEnd(in: text.text, from: text["1️⃣"]) == .found(text["2️⃣"]))
  }

  @Test func missing() {
    #expect(templateEnd(in: "${{ {'a': 1} }", from: 3) == .missing)
    #expect(templateEnd(in: "${{ a // }}", from: 3) == .missing)
  }

  @Test func unclosedString() {
    let text = MarkedText("${{ a + 1️⃣'b }}2️⃣")
    #expect(templateEnd(in: text.text, from: 3) == .unclosedString(Span(text["1️⃣"], text["2️⃣"])))
  }
}
