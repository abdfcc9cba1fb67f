import Diagnostics

/// `baton check PATH…`: everything that is proven before the first request; no network.
public struct CheckCommand: Sendable {
  public enum Format: String, CaseIterable, Sendable { case human, concise, json, github }

  public var paths: [String]
  public var format: Format
  public var isStrict: Bool

  public init(paths: [String], format: Format = .human, isStrict: Bool = false) {
    self.paths = paths
    self.format = format
    self.isStrict = isStrict
  }

  /// 2 where there is an error, 0 where there is none (1 with `--strict` where there is a warning).
  public func execute(_ terminal: Terminal) -> Int {
    let files = FlowFile.paths(from: paths).map { FlowFile.load($0) }
    guard !files.isEmpty else {
      terminal.show([.noFlows(below: paths)])
      return 2
    }
    let diagnostics = files.flatMap(\.diagnostics)
    switch format {
    case .human:
      terminal.show(diagnostics)
      if !diagnostics.hasErrors { terminal.write("\(counted(files.count, "flow")) checked, no errors\n", to: .error) }
    case .concise: terminal.write(diagnostics.rendered(as: .concise), to: .output)
    case .json: terminal.write(diagnostics.rendered(as: .json), to: .output)
    case .github: terminal.write(diagnostics.rendered(as: .github), to: .output)
    }
    if diagnostics.hasErrors { return 2 }
    return isStrict && !diagnostics.isEmpty ? 1 : 0
  }
}

func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension Diagnostic {
  /// A run over nothing must not look like a success.
  static func noFlows(below paths: [String]) -> Diagnostic {
    Diagnostic(.cannotFail, "there is no `*.flow.yaml` below \(paths.map { "`\($0)`" }.joined(separator: ", "))", at: nil)
  }
}
