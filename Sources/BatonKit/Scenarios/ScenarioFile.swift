import Diagnostics
import FlowPlan
import FlowSyntax
import FrontEnds
import SourceText
import Values

/// A scenarios file's way from its bytes to cases that can run.
struct ScenarioFile {
  let path: String
  /// The flow that the file is about, as this process finds it; nil where the file does not say.
  let flowPath: String?
  /// Nil where there is an error among the findings, or in the flow.
  let plan: ScenariosPlan?
  /// Those of this file; of a flow with errors no more than that it has them.
  let diagnostics: [Diagnostic]
  /// Those of the flow.
  let flowDiagnostics: [Diagnostic]
  /// Passwords and their like that are written into the flow.
  let openSecrets: [String]

  /// The flows that must not run alone, since this file is about them. Of one that cannot be read nobody knows for sure:
  /// a flow that runs alone goes to real hosts, so every flow that it may be about counts.
  let coveredFlows: [String]

  static let ending = ".scenarios.yaml"

  /// The files of scenarios that the paths name, and those below the folders among them.
  static func paths(from arguments: [String]) -> [String] {
    arguments.flatMap { argument in
      FileAccess.isDirectory(argument) ? FileAccess.files(below: argument, ending: ending) : argument.hasSuffix(ending) ? [argument] : []
    }
  }

  /// Everything that is proven of a scenarios file before anything runs.
  static func load(_ path: String) -> ScenarioFile {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileAccess.read(path)
    } catch {
      return ScenarioFile(path, nil, nil, [Diagnostic(.missingFile, error.message, at: nil)], mayCover: flowsBeside(path, []))
    }
    let file = SourceFile(path: path, bytes: bytes)
    let (document, form) = NativeFrontEnd.scenarios(from: file)
    guard let document else { return ScenarioFile(path, nil, nil, form, mayCover: flowsBeside(path, bytes)) }
    let (rows, table) = rows(of: document)
    let findings = form + table
    let flowPath = sibling(document.flow.value, of: path)
    let flow = FlowFile.load(flowPath)
    guard let flowPlan = flow.plan else {
      return ScenarioFile(path, flowPath, nil, findings + [broken(flow, document)], flow)
    }
    let (plan, meaning) = ScenarioPlanner.plan(
      document, rows: rows, isWhole: !findings.hasErrors, flow: flowPlan, sandbox: .standard)
    let all = (findings + meaning).sortedByPlace()
    return ScenarioFile(path, flowPath, all.hasErrors ? nil : plan, all, flow)
  }

  private init(
    _ path: String, _ flowPath: String?, _ plan: ScenariosPlan?, _ diagnostics: [Diagnostic], _ flow: FlowFile? = nil,
    mayCover: [String] = []
  ) {
    coveredFlows = flowPath.map { [$0] } ?? mayCover
    self.path = path
    self.flowPath = flowPath
    self.plan = plan
    self.diagnostics = diagnostics
    flowDiagnostics = flow?.diagnostics ?? []
    openSecrets = flow?.openSecrets ?? []
  }

  private static func broken(_ flow: FlowFile, _ document: ScenariosDocument) -> Diagnostic {
    let place = Place(document.file, document.flow.span)
    if flow.diagnostics.allSatisfy({ $0.kind == .missingFile && $0.place == nil }) {
      return Diagnostic(
        .missingFile, "the flow `\(document.flow.value)` cannot be read", at: place, notes: flow.diagnostics.map(\.message),
        help: ["the path starts at the folder of this file"])
    }
    return Diagnostic(
      .invalidValue, "the flow `\(document.flow.value)` has errors, so its cases cannot run", at: place,
      help: ["`baton check \(flow.path)` shows them"])
  }

  /// A path that starts at the folder of another file.
  private static func sibling(_ name: String, of path: String) -> String {
    guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
    return String(path[...slash]) + name
  }

  /// The flow of the same name, and the one that a line `flow: …` names.
  private static func flowsBeside(_ path: String, _ bytes: [UInt8]) -> [String] {
    let named = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> String? in
      let text = String(decoding: line, as: UTF8.self)
      guard text.hasPrefix("flow:") else { return nil }
      let value = text.dropFirst("flow:".count).split(separator: " #").first ?? ""
      let name = value.filter { !" \t\r\"'".contains($0) }
      return name.isEmpty ? nil : sibling(name, of: path)
    }
    return [String(path.dropLast(ending.count)) + ".flow.yaml"] + named
  }

  // MARK: - tables

  /// The cases of a table; nil where the document lists its cases.
  private static func rows(of document: ScenariosDocument) -> ([ScenarioRow]?, [Diagnostic]) {
    guard case .table(let path) = document.cases else { return (nil, []) }
    let place = Place(document.file, path.span)
    let bytes: [UInt8]
    let tablePath = sibling(path.value, of: document.file.path)
    do throws(FileFailure) {
      bytes = try FileAccess.read(tablePath)
    } catch {
      return ([], [Diagnostic(.missingFile, error.message, at: place, help: ["the path starts at the folder of this file"])])
    }
    do throws(CSVError) {
      let table = try CSVTable(bytes)
      let file = SourceFile(path: tablePath, bytes: bytes)
      let header = file.place(ofLine: 1)
      let rows = table.rows.map { row in
        ScenarioTable.Row(
          line: row.line, cells: table.header.map { ($0, row.values[$0]?.stringValue ?? "") }, place: file.place(ofLine: row.line))
      }
      let (cases, findings) = NativeFrontEnd.scenarios(
        from: ScenarioTable(name: path.value, rows: rows, header: header), named: path, in: document.file)
      return (cases.map { ScenarioRow($0.scenario, place: $0.row.place ?? place, header: header) }, findings)
    } catch {
      return ([], [Diagnostic(.invalidValue, "`\(path.value)`: \(error)", at: place)])
    }
  }
}

extension SourceFile {
  /// A whole line; the last one for a number past it.
  fileprivate func place(ofLine line: Int) -> Place {
    let number = min(max(line, 1), lineCount)
    let start = startOfLine(number)
    return Place(self, Span(start, start + self.line(number).utf8.count))
  }
}
