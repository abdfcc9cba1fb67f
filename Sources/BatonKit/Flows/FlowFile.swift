import Diagnostics
import FlowPlan
import FrontEnds
import SourceText
import StepKit
import Steps

/// A flow's way from its bytes to a plan.
struct FlowFile {
  let path: String
  /// Nil where there is an error among the findings.
  let plan: Plan?
  /// What is known of the flow, and of those that it calls, although there are errors.
  var drafts: [Plan] = []
  let diagnostics: [Diagnostic]

  /// Passwords and their like that are written into it.
  var openSecrets: [String] { drafts.flatMap(\.openSecrets) }

  /// Stage one is the YAML, stage two all the rest; every finding of a stage is reported.
  static func load(_ path: String) -> FlowFile {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileAccess.read(path)
    } catch {
      return FlowFile(path: path, plan: nil, diagnostics: [Diagnostic(.missingFile, error.message, at: nil)])
    }
    let file = SourceFile(path: path, bytes: bytes)
    let (document, findings) = NativeFrontEnd.flow(from: file)
    // Broken YAML has no flow; a flow with wrong keys is still checked for all the rest.
    guard let document else { return FlowFile(path: path, plan: nil, diagnostics: findings) }
    let sources = ProjectSources(root: file, project: Project(of: path)).sources
    let planned = Planner.planned(document, catalogue: .standard, sources: sources)
    let all = (findings + planned.diagnostics).sortedByPlace()
    return FlowFile(path: path, plan: all.hasErrors ? nil : planned.plan, drafts: planned.drafts, diagnostics: all)
  }

  /// The flows that the paths name: files as they are, folders searched for `*.flow.yaml`.
  static func paths(from arguments: [String]) -> [String] {
    arguments.flatMap { FileAccess.isDirectory($0) ? FileAccess.files(below: $0, ending: ".flow.yaml") : [$0] }
  }
}
