import Diagnostics
import SourceText
import TestKit
import Testing

@Suite struct HumanRendererTests {
  @Test func labelsOfOneLineStandBelowIt() throws {
    let source = MarkedText(
      String(repeating: "#\n", count: 30) + """
            if: "1️⃣steps.charge.outputs.amount2️⃣ > 3️⃣'10.00'4️⃣"

        """)
    let file = SourceFile(path: "flows/checkout.flow.yaml", text: source.text)
    let diagnostic = Diagnostic(
      .typeMismatch, "cannot compare `int` with `string`", at: source.place("3️⃣", "4️⃣", file), label: "string",
      related: [.init(source.place("1️⃣", "2️⃣", file), "int, in minor units (cents)")],
      notes: ["`amount` is declared by the output of `shop/create-charge`"],
      help: ["compare with an int, such as `1000` for 10.00"])
    try expectGolden(HumanRenderer().render([diagnostic]), "one-line.txt")
  }

  @Test func aFailureShowsItsNotes() throws {
    let source = MarkedText(String(repeating: "\n", count: 23) + "      status: 1️⃣2012️⃣\n")
    let file = SourceFile(path: "flows/checkout.flow.yaml", text: source.text)
    let diagnostic = Diagnostic(
      .expectationNotMet, "step `charge` expected status 201, got 402", at: source.place("1️⃣", "2️⃣", file),
      label: "expected 201, actual 402", severity: .failure,
      notes: [
        "POST https://api.shop.test/v1/charges (attempt 3 of 3, 212 ms, request sent: yes)",
        #"response body: {"error":{"code":"card_declined"}}"#, "header authorization hidden: the value is secret",
      ],
      help: ["go on from here with `baton resume 7F3K`"])
    try expectGolden(HumanRenderer().render([diagnostic]), "failure.txt")
  }

  @Test func labelsElsewhereHaveTheirOwnExcerpt() throws {
    let source = MarkedText(
      "steps:\n  - 1️⃣id2️⃣: pay\n    get: /a\n  - 3️⃣id4️⃣: pay\n    get: /b\n    if: x\n    with: {}\n    5️⃣id6️⃣: pay\n")
    let file = SourceFile(path: "a.flow.yaml", text: source.text)
    let other = MarkedText("x: 1️⃣pay2️⃣")
    let otherFile = SourceFile(path: "b.flow.yaml", text: other.text)
    let diagnostic = Diagnostic(
      .duplicateID, "the id `pay` stands three times", at: source.place("5️⃣", "6️⃣", file), label: "again",
      related: [
        .init(source.place("1️⃣", "2️⃣", file), "first here"), .init(source.place("3️⃣", "4️⃣", file), "then here"),
        .init(other.place("1️⃣", "2️⃣", otherFile), "called here"),
      ])
    try expectGolden(HumanRenderer().render([diagnostic]), "several-lines.txt")
  }

  @Test func threeLabelsOnOneLineHangFromTheirMarks() throws {
    let source = MarkedText("if: 1️⃣aa2️⃣ && 3️⃣bb4️⃣ && 5️⃣cc6️⃣")
    let file = SourceFile(path: "a", text: source.text)
    let diagnostic = Diagnostic(
      .typeMismatch, "not bool", at: source.place("3️⃣", "4️⃣", file), label: "this one",
      related: [.init(source.place("1️⃣", "2️⃣", file), "a bool"), .init(source.place("5️⃣", "6️⃣", file), "another bool")])
    try expectGolden(HumanRenderer().render([diagnostic]), "three-labels.txt")
  }

  @Test func spansOfSeveralLinesHaveABarAtTheSide() throws {
    let source = MarkedText(
      "steps:\n  1️⃣- get: /a\n    with:\n      x: 12️⃣\n  - get: 3️⃣[1,\n      2,\n      3,\n      4,\n      5,\n      6,\n      7]4️⃣\n")
    let file = SourceFile(path: "a.flow.yaml", text: source.text)
    let whole = Diagnostic(.missingKey, "a step needs `id`", at: source.place("1️⃣", "2️⃣", file), label: "this step")
    let cut = Diagnostic(.invalidValue, "too many", at: source.place("3️⃣", "4️⃣", file), label: "7 items")
    try expectGolden(HumanRenderer().render([whole, cut]), "multi-line.txt")
  }

  @Test func caretsStandUnderWhatIsShown() throws {
    let source = MarkedText("\t日本: 1️⃣é漢2️⃣ e\u{301}x 3️⃣\u{1B}]52;4️⃣ \u{202E}5️⃣z6️⃣")
    let file = SourceFile(path: "a", text: source.text)
    let diagnostics = [("1️⃣", "2️⃣"), ("3️⃣", "4️⃣"), ("5️⃣", "6️⃣"), ("6️⃣", "6️⃣")].map {
      Diagnostic(.invalidValue, "here", at: source.place($0.0, $0.1, file), label: "here")
    }
    try expectGolden(HumanRenderer().render(diagnostics), "widths.txt")
  }

  @Test func aVeryLongLineIsCut() throws {
    let source = MarkedText(String(repeating: "left ", count: 100) + "1️⃣wrong2️⃣" + String(repeating: " right", count: 100))
    let file = SourceFile(path: "a", text: source.text)
    try expectGolden(
      HumanRenderer().render([Diagnostic(.invalidValue, "wrong", at: source.place("1️⃣", "2️⃣", file), label: "here")]), "long-line.txt")
  }

  @Test func withoutAPlaceOnlyTheRemarksFollow() throws {
    let diagnostic = Diagnostic(
      .missingInput, "the input `phone` is missing", at: nil, help: ["give it with `--input phone=…`\nor in a file"])
    try expectGolden(HumanRenderer().render([diagnostic]), "no-place.txt")
  }

  @Test func coloursAreThoseOfRustc() throws {
    let file = SourceFile(path: "a", text: "x: y")
    let diagnostic = Diagnostic(
      .unknownKey, "unknown key `x`", at: Place(file, Span(0, 1)), label: "here", severity: .warning,
      related: [.init(Place(file, Span(3, 4)), "its value")], help: ["drop it"])
    let shown = HumanRenderer(style: .coloured).render([diagnostic]).replacing("\u{1B}", with: "ESC")
    try expectGolden(shown, "colours.txt")
  }

  @Test func theRestIsCounted() {
    let error = Diagnostic(.unknownKey, "no", at: nil)
    let warning = Diagnostic(.unknownKey, "no", at: nil, severity: .warning)
    let text = HumanRenderer().render(Array(repeating: error, count: 27) + [warning])
    #expect(text.hasSuffix("error[unknown-key]: no\n\nand 7 more errors and 1 more warning\n"))
    #expect(text.split(separator: "\n").count == 21)
    #expect(!HumanRenderer().render(Array(repeating: error, count: 20)).contains("more"))
  }
}

extension MarkedText {
  func place(_ start: String, _ end: String, _ file: SourceFile) -> Place { Place(file, Span(self[start], self[end])) }
}
