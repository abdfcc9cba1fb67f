import Diagnostics
import Reporters

/// What a command reports beside what people watch.
public struct Reporting: Sendable {
  /// `KIND=PATH`: `json` or `junit`.
  public var files: [String]
  /// Whether the report goes to standard output as JSON; what people watch goes to the error stream then.
  public var printsJSON: Bool
  /// Whether a recovered step counts as failed.
  public var isStrict: Bool
  /// Whether each request has a line of its own.
  public var isVerbose: Bool

  public init(files: [String] = [], printsJSON: Bool = false, isStrict: Bool = false, isVerbose: Bool = false) {
    self.files = files
    self.printsJSON = printsJSON
    self.isStrict = isStrict
    self.isVerbose = isVerbose
  }

  /// Where people watch.
  var stream: Terminal.Stream { printsJSON ? .error : .output }

  /// The files, before anything runs: a report that is misnamed is no surprise at the end.
  func openFiles() throws(Findings) -> [ReportFile] {
    try files.map { (text) throws(Findings) in try ReportFile(text) }
  }

  /// Whether every file could be written; what went wrong is shown.
  func write(_ report: TestReport, to files: [ReportFile], _ terminal: Terminal) -> Bool {
    var isComplete = true
    for file in files {
      do throws(FileFailure) {
        try file.write(report, redactor: terminal.redactor)
      } catch {
        terminal.show([Diagnostic(.missingFile, "the report \(error.message)", at: nil)])
        isComplete = false
      }
    }
    return isComplete
  }

  /// A green run whose report is lost is not green.
  func exitCode(_ code: Int, isComplete: Bool) -> Int { code == 0 && !isComplete ? 3 : code }
}
