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
  let sources: PlanSources
  /// The flows that this one calls, and those that are calling it.
  let calls: CallBook
  private(set) var diagnostics: [Diagnostic] = []
  /// What is read more than once (an alias, a default) is told once.
  private var told: Set<Diagnostic> = []
  var table: StepTable
  /// The environment as it was last asked for, without what only one point sees.
  var declared: Environment?
  var connections: [ConnectionPlan] = []
  var inputs: [InputPlan] = []
  /// Inputs whose declaration is wrong; what refers to them is no further error.
  var brokenInputs: Set<String> = []
  var prompts: [PromptPlan] = []
  /// What lasts between runs.
  var states: [StatePlan] = []
  /// What `set` sets anywhere in the flow, in the order of the file.
  let variableNames: [String]
  /// Those that have been set before the point that is being resolved, with their types for life.
  var variables: [String: FlowVariable] = [:]
  /// What is certain at the point that is being resolved.
  var state = FlowState()
  /// The bodies around that point, outermost first.
  var scope: [Int] = []
  /// How many bodies have been entered: their numbers are those of the table.
  var bodyCount = 0
  /// Conditions that held on every way to that point.
  var guards: [Guard] = []
  /// The innermost `on_error` branch around that point, whose `error` is seen; 0 is none.
  var branch = 0
  var branchCount = 0
  /// How often values have changed on the way to that point.
  var versions = Versions()
  /// The step that is being resolved, and whether in its branches rather than in itself.
  var current: Int?
  var isInBranches = false
  /// The steps whose branches are around that point.
  var failing: [Int] = []
  var isInFinally = false
  var isInUndo = false
  var isInReconcile = false
  /// The loops around that point, outermost first.
  var loops: [Loop] = []
  /// How many of them may be resolved again around that point.
  var repeatDepth = 0
  /// The body around that point that runs beside others; nil is none.
  var concurrent: Span?
  /// The connections on which it has a session of its own, because it signs in somewhere.
  var ownSessions: Set<Int> = []
  /// Where a step needs a user on a connection that the caller lends.
  var borrowedNeeds: [Int: Span] = [:]
  /// Who is signed in where the flow ends as passed.
  var finalSessions: FlowState.Sessions = ([:], [:])
  /// Where the flow may end early as passed, and what is certain there.
  var exits: [(state: FlowState, span: Span)] = []

  /// What `set` has given a name.
  struct FlowVariable {
    let type: ValueType
    var isSecret: Bool
    /// Where it was set first.
    let place: Span
  }

  init(_ document: FlowDocument, _ catalogue: StepCatalogue, _ sources: PlanSources, _ calls: CallBook) {
    self.document = document
    self.catalogue = catalogue
    self.sources = sources
    self.calls = calls
    table = StepTable(document)
    variableNames = document.variableNames
  }

  var file: SourceFile { document.file }

  mutating func resolve() -> Plan {
    for duplicate in table.duplicates(in: file) { report(duplicate) }
    checkUnique(document.secrets.map { ($0.value, $0.span) }, what: "secret")
    inputs = document.inputs.compactMap { resolveInput($0) }
    states = document.state.compactMap { resolveState($0) }
    let stateKey = document.stateKey.map { resolveStateKey($0) }
    connections = document.connections.compactMap { resolveConnection($0) }
    let steps = resolveSteps(document.steps)
    let outputs = resolveFlowOutputs()
    let finally = resolveFinally()
    let plan = Plan(
      file: file, name: flowName, inputs: inputs, secrets: document.secrets, connections: connections, steps: steps,
      finally: finally, outputs: outputs, slots: Slots(count: table.slotCount),
      budget: BudgetPlan(
        time: document.budget?.time?.value, requests: document.budget?.requests?.value,
        timePlace: document.budget?.time.map { Place(file, $0.span) }), state: states,
      stateKey: stateKey, prompts: prompts)
    checkBudget(plan)
    return plan
  }

  /// They are read wherever the flow ends as passed: at its end, and at each `end: passed`.
  private mutating func resolveFlowOutputs() -> [OutputPlan] {
    let settled = state
    defer { state = settled }
    if !exits.isEmpty { guards = [] }
    for exit in exits { state = state.joined(with: exit.state, because: ("the flow may end here", exit.span)) }
    finalSessions = state.sessions
    let outputs = resolveOutputs(document.outputs, Locals())
    guards = []
    return outputs
  }

  /// Nothing is certain in `finally`: the run may have ended anywhere, and each of its steps stands on its own.
  private mutating func resolveFinally() -> [StepPlan] {
    isInFinally = true
    state = state.afterAnything(table.entries.prefix(table.mainCount).enumerated().map { ($0, $1.place) })
    return document.finally.compactMap { step in
      let before = state
      let plan = resolveStep(step)
      state = before.joined(with: state)
      guards = []
      return plan
    }
  }

  /// Stated, or the file's name without its endings.
  private var flowName: String {
    if let name = document.name { return name.value }
    let last = file.path.split(separator: "/").last.map(String.init) ?? file.path
    return last.split(separator: ".").first.map(String.init) ?? last
  }

  // MARK: - findings

  mutating func report(_ diagnostic: Diagnostic) {
    if told.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  mutating func report(
    _ kind: DiagnosticKind, _ message: String, at span: Span, label: String = "", related: [(Span, String)] = [], notes: [String] = [],
    help: [String] = [], severity: Diagnostic.Severity = .error
  ) {
    report(
      Diagnostic(
        kind, message, at: Place(file, span), label: label, severity: severity,
        related: related.map { Diagnostic.Label(Place(file, $0.0), $0.1) }, notes: notes, help: help))
  }

  /// Reports an unknown name with its nearest candidate, or with all of them where they are few.
  mutating func reportUnknown(
    _ kind: DiagnosticKind, _ what: String, _ name: Located<String>, among known: [String], label: String = "", help: [String] = []
  ) {
    var help = help
    if let nearest = nearestName(to: name.value, among: known) ?? Self.habits[name.value].flatMap({ known.contains($0) ? $0 : nil }) {
      help = ["did you mean `\(nearest)`?"]
    } else if !known.isEmpty, known.count <= 12 {
      help.append(known.count == 1 ? "the only one is \(quotedList(known))" : "known: \(quotedList(known))")
    }
    report(kind, "unknown \(what) `\(name.value)`", at: name.span, label: label, help: help)
  }

  /// Words of other languages, with ours.
  private static let habits = [
    "int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number", "bool": "boolean", "str": "string",
    "text": "string", "list": "array", "map": "object", "dict": "object",
  ]

  mutating func checkUnique(_ names: [(name: String, span: Span)], what: String) {
    var first: [String: Span] = [:]
    for (name, span) in names {
      if let earlier = first[name] {
        report(.duplicateKey, "the \(what) `\(name)` is declared twice", at: span, label: "again", related: [(earlier, "first here")])
      } else {
        first[name] = span
      }
    }
  }
}
