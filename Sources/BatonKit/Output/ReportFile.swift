import Diagnostics
import Reporters

/// `--report KIND=PATH`: a report that is written when all is done.
struct ReportFile {
  enum Kind: String, CaseIterable { case json, junit }

  let kind: Kind
  let path: String

  init(_ text: String) throws(Findings) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else {
      let kinds = Kind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw Findings([
        Diagnostic(.invalidValue, "`--report \(text)` names no report", at: nil, help: ["write `--report KIND=PATH`; kinds are \(kinds)"])
      ])
    }
    self.kind = kind
    path = String(parts[1])
    // Before anything runs: a report that cannot be written is no surprise for the end.
    do throws(FileFailure) {
      try FileAccess.probe(path)
    } catch {
      throw Findings([Diagnostic(.missingFile, "the report \(error.message)", at: nil)])
    }
  }

  /// Texts are redacted one by one: a redactor over the whole would cut into the syntax where a secret is a word of it.
  func write(_ report: TestReport, redactor: Redactor) throws(FileFailure) {
    let text =
      switch kind {
      case .json: JSONReport.text(of: report, redactor: redactor)
      case .junit: JUnitReport.text(of: report, redactor: redactor)
      }
    try FileAccess.write(text, to: path)
  }
}
