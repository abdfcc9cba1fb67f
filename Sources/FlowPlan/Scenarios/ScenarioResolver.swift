import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// One pass over a scenarios file.
struct ScenarioResolver {
  let document: ScenariosDocument
  let flow: Plan
  let sandbox: SandboxSurface
  /// Whether the cases are rows of a table, whose cells have no types.
  let isTable: Bool
  /// Whether all of the document could be read.
  let isWhole: Bool
  private(set) var diagnostics: [Diagnostic] = []
  /// Defaults are read once for each case; what is wrong with them is told once.
  private var told: Set<Diagnostic> = []
  /// The row of a table that is resolved.
  private var row: ScenarioRow?
  /// Every step of the flow by its id.
  let steps: [String: StepPlan]

  init(_ document: ScenariosDocument, flow: Plan, sandbox: SandboxSurface, isTable: Bool, isWhole: Bool) {
    self.document = document
    self.flow = flow
    self.sandbox = sandbox
    self.isTable = isTable
    self.isWhole = isWhole
    steps = Dictionary((flow.steps + flow.finally).flatMap(\.withInner).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var file: SourceFile { document.file }

  mutating func resolve(_ cases: [ScenarioSyntax], rows: [ScenarioRow]? = nil) -> ScenariosPlan {
    let plans = cases.enumerated().map { index, scenario in
      row = rows?[index]
      return resolve(scenario, number: index + 1)
    }
    row = nil
    return ScenariosPlan(file: file, name: document.name?.value ?? fileName, flow: flow, cases: plans)
  }

  /// The file's name without its endings.
  private var fileName: String {
    let last = file.path.split(separator: "/").last.map(String.init) ?? file.path
    return last.split(separator: ".").first.map(String.init) ?? last
  }

  private mutating func resolve(_ own: ScenarioSyntax, number: Int) -> ScenarioPlan {
    let syntax = document.defaults.map { own.merged(over: $0) } ?? own
    let name = own.name?.value ?? "case \(number)"
    let place = own.name?.span ?? line(of: own.span)
    let world = resolveWorld(syntax, ownsFaults: !own.faults.isEmpty)
    let secrets = resolveSecrets(syntax.secrets)
    let kills = resolveKills(syntax, world)
    let first = ScenarioRunPlan(
      inputs: resolveInputs(syntax.inputs, of: name, at: place), answers: resolveAnswers(syntax.answers, of: name, at: place),
      expect: resolveExpect(syntax.expect, own: own.expect, isKilled: kills.contains(0), world, of: name, at: place),
      isKilled: kills.contains(0))
    var runs = [first]
    for (index, continuation) in syntax.then.enumerated() {
      runs.append(resolve(continuation, behind: runs[index], isKilled: kills.contains(index + 1), of: syntax, world, of: name))
    }
    return ScenarioPlan(
      name: name, place: located(place), tablePlace: row.map { Place(file, $0.scenario.span) },
      tags: unique(document.tags.map(\.value) + syntax.tags.map(\.value)),
      skipReason: syntax.skip?.value, world: world, secrets: secrets, runs: runs)
  }

  /// The inputs and answers are those of the case unless it says otherwise; what is taken up has its inputs.
  private mutating func resolve(
    _ continuation: ContinuationSyntax, behind earlier: ScenarioRunPlan, isKilled: Bool, of syntax: ScenarioSyntax, _ world: ScenarioWorld,
    of name: String
  ) -> ScenarioRunPlan {
    let verb = continuation.verb
    let isResume = verb.value == "resume"
    let inputs = syntax.inputs.merged(with: continuation.inputs)
    let answers = continuation.answers.merged(over: syntax.answers)
    return ScenarioRunPlan(
      inputs: isResume ? earlier.inputs : resolveInputs(inputs, of: name, at: verb.span),
      answers: resolveAnswers(answers, of: name, at: verb.span),
      expect: resolveExpect(
        continuation.expect, own: continuation.expect, isKilled: isKilled, world, of: "\(name)`, `then: \(verb.value)", at: verb.span),
      isResume: isResume, isKilled: isKilled)
  }

  private func unique(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    return tags.filter { seen.insert($0).inserted }
  }

  // MARK: - findings

  mutating func report(_ diagnostic: Diagnostic) {
    if told.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  mutating func report(
    _ kind: DiagnosticKind, _ message: String, at span: Span, label: String = "", related: [(Span, String)] = [], help: [String] = []
  ) {
    report(
      Diagnostic(
        kind, message, at: located(span, isName: kind == .unknownName || kind == .unknownKey), label: label,
        related: related.map { Diagnostic.Label(Place(file, $0.0), $0.1) }, help: help))
  }

  /// Reports a name that is not there, with the nearest that is, or with all where they are few.
  mutating func reportUnknown(
    _ kind: DiagnosticKind, _ message: String, _ name: Located<String>, among known: [String], none: String = ""
  ) {
    var help: [String] = []
    if let nearest = nearestName(to: name.value, among: known) {
      help = ["did you mean `\(nearest)`?"]
    } else if known.isEmpty {
      help = none.isEmpty ? [] : [none]
    } else if known.count <= 12 {
      help = [known.count == 1 ? "the only one is \(quotedList(known))" : "known: \(quotedList(known))"]
    }
    report(kind, message, at: name.span, help: help)
  }

  /// Where a span stands: what a row of a table says in the table, names at those of the columns.
  func located(_ span: Span, isName: Bool = false) -> Place {
    guard let row, row.scenario.span.start <= span.start, span.end <= row.scenario.span.end else { return Place(file, span) }
    return isName ? row.header : row.place
  }

  /// A span cut to its first line.
  func line(of span: Span) -> Span { span.line(in: file, within: span) }

  // MARK: - data

  /// The value of a tree without expressions; nil, with the reason reported, where it holds one.
  mutating func constant(_ data: DataSyntax, _ what: String) -> Value? {
    if let value = data.constant { return value }
    report(
      .invalidValue, "\(what) holds no expressions", at: line(of: data.firstTemplate ?? data.span),
      help: ["a case states what is known before it runs; what depends on the run is checked by `that`"])
    return nil
  }

  mutating func constant(_ entries: [DataSyntax.Entry], _ what: String) -> ValueMap {
    var map = ValueMap()
    for entry in entries { map[entry.key.value] = constant(entry.value, what) }
    return map
  }
}
