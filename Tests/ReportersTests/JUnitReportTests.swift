import FlowEvents
import Reporters
import TestKit
import Testing

@Suite("JUnit reports")
struct JUnitReportTests {
  @Test("of every outcome")
  func tests() throws {
    try expectGolden(JUnitReport.text(of: Sample.tests), "junit.xml")
  }

  @Test("of nothing are documents all the same")
  func empty() {
    #expect(
      JUnitReport.text(of: TestReport(runs: [])) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="baton" tests="0" failures="0" errors="0" skipped="0" time="0.000">
        </testsuites>

        """)
  }

  @Test("hold no character that XML forbids, wherever it came from")
  func characters() {
    let nasty = (0..<0x300).compactMap(Unicode.Scalar.init) + [0xFFFE, 0xFFFF, 0xFEFF, 0x10FFFF].compactMap(Unicode.Scalar.init)
    let text = String(String.UnicodeScalarView(nasty)) + "]]><!--&amp;"
    var report = Sample.errored.report
    report.flow = text
    report.code = text
    report.steps[0].step.id = text
    report.steps[0].error?.stepID = text
    report.steps[0].error?.detail = text
    let xml = JUnitReport.text(of: TestReport(runs: [TestRun(file: text, caseName: text, reports: [report])]))
    for scalar in xml.unicodeScalars {
      #expect(scalar == "\n" || (0x20...0x7E).contains(scalar.value) || (0xA0...0xFFFD).contains(scalar.value) || scalar.value > 0xFFFF)
    }
    #expect(!xml.contains("]]>"))
    #expect(isBalanced(xml))
  }

  /// Whether every element is closed in its turn and every attribute quoted.
  private func isBalanced(_ xml: String) -> Bool {
    var open: [Substring] = []
    for match in xml.matches(of: #/<(/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(/?)>/#) {
      let (_, closing, name, _, selfClosing) = match.output
      if !closing.isEmpty { guard open.popLast() == name else { return false } } else if selfClosing.isEmpty { open.append(name) }
    }
    let tags = xml.matches(of: #/<[a-z\/]/#).count
    return open.isEmpty && tags == xml.matches(of: #/<(/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(/?)>/#).count
  }
}
