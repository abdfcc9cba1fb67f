import CEL
import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// One pass over a flow in the order in which it runs: binds, compiles and checks.
struct Resolver {
  let document: FlowDocument
  let catalogue: StepCatalogue
  var diagnostics: [Diagnostic] = []
  var table: StepTable
  var connections: [ConnectionPlan] = []
  var inputs: [InputPlan] = []
  var prompts: [PromptPlan] = []
  /// What is certain at the point that is being resolved.
  var state = FlowState()
  /// The bodies around that point, outermost first.
  var scope: [Int] = []
  /// Conditions that hold at that point.
  var guards: [Guard] = []
  /// How many `do` bodies stand around that point: inside one, `error` is seen.
  var errorDepth = 0

  /// A condition that is true wherever the step under it runs.
  struct Guard {
    let text: String
    let expression: Expression
  }

  init(_ document: FlowDocument, _ catalogue: StepCatalogue) {
    self.document = document
    self.catalogue = catalogue
    table = StepTable(document)
  }

  var file: SourceFile { document.file }

  mutating func resolve() -> Plan {
    diagnostics += table.duplicates(in: file)
    checkUnique(document.secrets.map { ($0.value, $0.span) }, what: "secret")
    inputs = document.inputs.compactMap { resolveInput($0) }
    connections = document.connections.compactMap { resolveConnection($0) }
    let steps = resolveBody(document.steps)
    let outputs = resolveOutputs(document.outputs, Locals())
    // Nothing is certain in `finally`: the run may have ended anywhere.
    state = state.afterAnything(entries: table.indices(in: document.steps))
    let finally = document.finally.map { step in
      let before = state
      let plan = resolveStep(step)
      state = before.joined(with: state)
      return plan
    }
    return Plan(
      file: file, name: flowName, inputs: inputs, secrets: document.secrets, connections: connections, steps: steps,
      finally: finally.compactMap { $0 }, outputs: outputs, slots: Slots(count: table.slotCount),
      budget: BudgetPlan(time: document.budget?.time?.value, requests: document.budget?.requests?.value), prompts: prompts)
  }

  /// Stated, or the file's name without its endings.
  private var flowName: String {
    if let name = document.name { return name.value }
    let last = file.path.split(separator: "/").last.map(String.init) ?? file.path
    return last.split(separator: ".").first.map(String.init) ?? last
  }

  mutating func report(
    _ kind: DiagnosticKind, _ message: String, at span: Span, label: String = "", related: [(Span, String)] = [], notes: [String] = [],
    help: [String] = [], severity: Diagnostic.Severity = .error
  ) {
    diagnostics.append(
      Diagnostic(
        kind, message, at: Place(file, span), label: label, severity: severity,
        related: related.map { Diagnostic.Label(Place(file, $0.0), $0.1) }, notes: notes, help: help))
  }

  /// Reports an unknown name with its nearest candidate, or with all of them where they are few.
  mutating func reportUnknown(_ kind: DiagnosticKind, _ what: String, _ name: Located<String>, among known: [String], help: [String] = []) {
    var help = help
    if let nearest = nearestName(to: name.value, among: known) {
      help.insert("did you mean `\(nearest)`?", at: 0)
    } else if !known.isEmpty, known.count <= 8 {
      help.insert("known: \(known.map { "`\($0)`" }.joined(separator: ", "))", at: 0)
    }
    report(kind, "unknown \(what) `\(name.value)`", at: name.span, help: help)
  }

  mutating func checkUnique(_ names: [(name: String, span: Span)], what: String) {
    var first: [String: Span] = [:]
    for (name, span) in names {
      if let earlier = first[name] {
        report(.duplicateKey, "the \(what) `\(name)` is declared twice", at: span, related: [(earlier, "first here")])
      } else {
        first[name] = span
      }
    }
  }
}
