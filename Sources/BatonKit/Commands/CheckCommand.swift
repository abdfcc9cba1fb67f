import Diagnostics
import Reporters

/// `baton check PATH…`: everything that is proven before the first request; no network.
public struct CheckCommand: Sendable {
  public enum Format: String, CaseIterable, Sendable { case human, concise, json, github }

  public var paths: [String]
  public var format: Format
  public var isStrict: Bool
  /// The environment of `baton.yaml` whose hosts are held against those of the flows; nil is none.
  public var environment: String?

  public init(paths: [String], format: Format = .human, isStrict: Bool = false, environment: String? = nil) {
    self.paths = paths
    self.format = format
    self.isStrict = isStrict
    self.environment = environment
  }

  /// 2 where there is an error, 0 where there is none (1 with `--strict` where there is a warning).
  public func execute(_ terminal: Terminal) -> Int {
    let scenarios = ScenarioFile.paths(from: paths).map { ScenarioFile.load($0) }
    let files = FlowFile.paths(from: paths.filter { !$0.hasSuffix(ScenarioFile.ending) }).map { FlowFile.load($0) }
    guard !files.isEmpty || !scenarios.isEmpty else {
      terminal.show([.noFlows(below: paths)])
      return 2
    }
    // A finding shows its line, and a password may stand in it.
    terminal.hide(files.flatMap(\.openSecrets) + scenarios.flatMap(\.openSecrets))
    let diagnostics = (files.flatMap(\.diagnostics) + scenarios.flatMap(\.diagnostics) + environmentFindings(files)).sortedByPlace()
    switch format {
    case .human:
      terminal.show(diagnostics)
      if !diagnostics.hasErrors {
        let tables = scenarios.isEmpty ? "" : " and \(counted(scenarios.count, "file")) of scenarios"
        terminal.write("\(counted(files.count, "flow"))\(tables) checked, no errors\n", to: .error)
      }
    case .concise: terminal.write(diagnostics.rendered(as: .concise), to: .output)
    case .json: terminal.write(diagnostics.rendered(as: .json), to: .output)
    case .github: terminal.write(diagnostics.rendered(as: .github), to: .output)
    }
    if diagnostics.hasErrors { return 2 }
    return isStrict && !diagnostics.isEmpty ? 1 : 0
  }

  /// What is wrong in the settings of connections, and between the flows and the environment that they are to run in; a
  /// fault of `baton.yaml` is told once.
  private func environmentFindings(_ files: [FlowFile]) -> [Diagnostic] {
    guard let environment else {
      return files.flatMap { file in
        SettingsCheck(project: Project(of: file.path), environment: nil).findings(in: file)
      }
    }
    var environments: [String: RunEnvironment?] = [:]
    var findings: [Diagnostic] = []
    for file in files {
      let project = Project(of: file.path)
      let key = project.file ?? project.folder
      if environments[key] == nil {
        do throws(Findings) {
          environments[key] = try RunEnvironment.load(environment, of: project)
        } catch {
          environments[key] = .some(nil)
          findings += error.diagnostics
        }
      }
      if let environment = environments[key] ?? nil {
        if let plan = file.plan { findings += HostCheck(environment: environment).findings(in: plan) }
        findings += SettingsCheck(project: project, environment: environment).findings(in: file)
      }
    }
    return findings
  }
}

extension Diagnostic {
  /// A run over nothing must not look like a success.
  static func noFlows(below paths: [String]) -> Diagnostic {
    Diagnostic(.cannotFail, "there is no `*.flow.yaml` below \(paths.map { "`\($0)`" }.joined(separator: ", "))", at: nil)
  }
}
