import SourceText
import Testing

@Suite struct EmbeddedTextTests {
  /// `"a\u00e9b"` in a file: the escape of six bytes becomes two.
  let text = EmbeddedText(
    text: "aéb",
    pieces: [
      .init(text: Span(0, 1), file: Span(11, 12)), .init(text: Span(1, 3), file: Span(12, 18)), .init(text: Span(3, 4), file: Span(18, 19)),
    ],
    fileSpan: Span(11, 19))

  @Test func mapsThroughAnEscape() {
    #expect(text.fileSpan(of: Span(3, 4)) == Span(18, 19))
    #expect(text.fileSpan(of: Span(1, 3)) == Span(12, 18))
    #expect(text.fileSpan(of: Span(0, 4)) == Span(11, 19))
  }

  @Test func aSliceKeepsItsMap() {
    let slice = text.slice(Span(1, 4))
    #expect(slice.text == "éb")
    #expect(slice.fileSpan(of: Span(2, 3)) == Span(18, 19))
  }

  @Test func theEndIsAPlace() {
    #expect(text.fileSpan(of: Span(4, 4)) == Span(19, 19))
  }
}

@Suite struct SourceFileTests {
  @Test func columnsCountScalars() {
    let file = SourceFile(path: "a", text: "é1\nx\n")
    #expect(file.position(of: 2) == Position(line: 1, column: 2))
    #expect(file.position(of: 4) == Position(line: 2, column: 1))
    #expect(file.position(of: 99) == Position(line: 3, column: 1))
    #expect(file.line(1) == "é1")
  }
}

@Suite struct NearestNameTests {
  @Test(arguments: [("usrname", "username"), ("client-id", "client_id"), ("tpyes", "types")])
  func finds(_ misspelt: String, _ meant: String) {
    #expect(nearestName(to: misspelt, among: ["username", "client_id", "types"]) == meant)
  }

  /// Whoever leaves a name half written means the rest of it; a slip of a letter is likelier still.
  @Test(arguments: [
    ("shop/order", "shop/order-item"), ("client", "client_id"), ("list-user", "list-users"), ("id", nil), ("ord", nil),
  ])
  func theRestOfANameCounts(_ written: String, _ meant: String?) {
    let known = [
      "shop/find-order", "shop/order-items-of-all", "shop/order-item", "client_id", "list-users", "list-user-devices", "id-token",
    ]
    #expect(nearestName(to: written, among: known) == meant)
  }

  @Test func offersNothingFarAway() {
    #expect(nearestName(to: "phone", among: ["steps", "outputs"]) == nil)
  }
}
