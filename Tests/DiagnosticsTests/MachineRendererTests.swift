import Diagnostics
import SourceText
import TestKit
import Testing

/// The formats that programs read.
@Suite struct MachineRendererTests {
  let diagnostics: [Diagnostic]

  init() {
    let file = SourceFile(path: "flows/a,b.flow.yaml", text: "x: é\ny: 2\nx: 3\n")
    diagnostics = [
      Diagnostic(
        .duplicateKey, "the key `x` stands twice", at: Place(file, Span(11, 12)), label: "again",
        related: [.init(Place(file, Span(0, 1)), "first here")], help: ["keep one", "or rename it"]),
      Diagnostic(.missingInput, "the input `a\n::add-mask::b` is missing, 100%", at: nil, severity: .warning),
    ]
  }

  @Test func concise() throws { try expectGolden(diagnostics.rendered(as: .concise), "concise.txt") }

  @Test func json() throws { try expectGolden(diagnostics.rendered(as: .json), "diagnostics.json") }

  @Test func github() throws { try expectGolden(diagnostics.rendered(as: .github), "github.txt") }

  @Test func noFindingsAreAnEmptyArray() { #expect([Diagnostic]().rendered(as: .json) == "[]\n") }
}

@Suite struct UntrustedTextTests {
  static let hostile = [
    "\u{1B}]52;c;ZXZpbA==\u{07}", "\u{1B}[2J", "\u{9B}31m", "a\rb", "a\u{202E}b\u{2066}c\u{FEFF}", "a\u{2028}b", "\u{7F}", "\u{E0041}",
  ]

  @Test(arguments: hostile, DiagnosticFormat.allCases)
  func noControlOrBidiCharacterIsPrinted(_ text: String, _ format: DiagnosticFormat) {
    let file = SourceFile(path: "a\(text)", text: "x: \(text)\n")
    let diagnostic = Diagnostic(
      .invalidValue, text, at: Place(file, Span(3, 4)), label: text, related: [.init(Place(file, Span(0, 1)), text)], notes: [text],
      help: [text])
    let shown = [diagnostic].rendered(as: format)
    let hidden = shown.unicodeScalars.filter { $0 != "\n" && [.control, .format, .lineSeparator].contains($0.properties.generalCategory) }
    #expect(hidden.isEmpty)
  }

  static let commands = ["::add-mask::x", "  ::error::x", "ok\n::stop-commands::x", "##[command]x", "a ##vso[task.setvariable]x", "###[x]"]

  @Test(arguments: commands, DiagnosticFormat.allCases)
  func noTextIsACommandToARunner(_ text: String, _ format: DiagnosticFormat) {
    let file = SourceFile(path: "a", text: "\(text)\n")
    let diagnostic = Diagnostic(
      .invalidValue, text, at: Place(file, Span(0, 1)), label: text, related: [.init(Place(file, Span(1, 2)), text)], notes: [text],
      help: [text])
    let lines = [diagnostic].rendered(as: format).split(separator: "\n").map { $0.drop { $0 == " " } }
    if format != .github { #expect(!lines.contains { $0.hasPrefix("::") && !$0.hasPrefix("::: ") }) }
    if format == .github { #expect(lines.count == 1) }
    #expect(!lines.contains { $0.contains("##[") || $0.contains("##vso[") })
  }

  @Test func plainTextStaysAsItIs() {
    #expect(shownText("naïve 日本 👨‍👩‍👧 `x` a::b #1 ##") == "naïve 日本 👨‍👩‍👧 `x` a::b #1 ##")
  }
}
