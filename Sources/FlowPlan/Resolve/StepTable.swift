import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import Values

/// Every step of a flow: its slots, its scope, and what is known of its outputs so far.
struct StepTable {
  struct Entry {
    let id: String
    /// Nil where the author gave none: nothing can refer to it.
    let idSpan: Span?
    /// Where it is pointed at: its id, else its action.
    let place: Span
    let slots: StepSlots
    /// The bodies around it, outermost first; a reference must come from within the innermost.
    let scope: [Int]
    /// Known once the step is resolved.
    var outputs = ValueType.dyn
    var hasResponse = false
    /// The type of the answer's body, where `expect.schema` tells.
    var responseBody = ValueType.dyn
    /// The schema of `expect`, compiled.
    var expectedSchema: Schema?
    /// How many items a `for_each` gives at most; nil where it is none, or not bounded.
    var itemBound: Int?
    /// Whether the item of a `for_each` is secret.
    var hasSecretItem = false
    /// Names of carried values that are secret.
    var secretCarry: Set<String> = []
    /// Names of outputs whose values are secret; dotted where an output holds others.
    var secretOutputs: Set<String> = []
    /// Whether the step succeeds only by failing, so that `error` is there behind it.
    var alwaysHasError = false
  }

  /// One of the slots of a step.
  enum Part: Int { case outputs, status, response, error, item, loop }

  static let statuses = ["succeeded", "recovered", "skipped", "failed", "not_run", "cancelled", "indeterminate", "replayed"]

  private struct Key: Hashable {
    let start: Int
    let body: Int
  }

  private(set) var entries: [Entry] = []
  /// Ids that several steps have; what refers to them is no further error.
  private(set) var ambiguousIDs: Set<String> = []
  /// The steps before this one are those of the main body.
  private(set) var mainCount = 0
  /// An aliased step stands in several bodies, at one place of the file.
  private var indexByKey: [Key: Int] = [:]
  private var indexByID: [String: Int] = [:]
  private var bodyCount = 0
  private var changed: Set<Int> = []
  private var repeated: [(id: String, span: Span, earlier: Span)] = []

  init(_ document: FlowDocument) {
    collect(document.steps, scope: [], path: "steps")
    mainCount = entries.count
    collect(document.finally, scope: [], path: "finally")
    changed = Set(entries.indices)
  }

  subscript(_ index: Int) -> Entry {
    get { entries[index] }
    set {
      entries[index] = newValue
      changed.insert(index)
    }
  }

  /// The entries that are not what they were when this was last asked, all of them the first time.
  mutating func takeChanges() -> Set<Int> {
    defer { changed = [] }
    return changed
  }

  var slotCount: Int { Slots.firstOfSteps + entries.count * StepSlots.count }

  /// The entry of a step in the body with this number; 0 is the flow itself.
  func index(of step: StepSyntax, body: Int) -> Int? { indexByKey[Key(start: step.span.start, body: body)] }

  /// The entry that owns a slot of the frame, and which of its slots it is.
  func entry(ofSlot slot: Int) -> (index: Int, part: Part)? {
    let offset = slot - Slots.firstOfSteps
    guard offset >= 0, let part = Part(rawValue: offset % StepSlots.count) else { return nil }
    return (offset / StepSlots.count, part)
  }

  /// The steps that stand in these bodies, at any depth.
  func indices(inBodies bodies: ClosedRange<Int>) -> [Int] {
    entries.indices.filter { entries[$0].scope.contains { bodies.contains($0) } }
  }

  func duplicates(in file: SourceFile) -> [Diagnostic] {
    repeated.map {
      Diagnostic(
        .duplicateID, "two steps have the id `\($0.id)`", at: Place(file, $0.span), label: "again",
        related: [.init(Place(file, $0.earlier), "first here")], help: ["ids are unique in a file, those of nested steps included"])
    }
  }

  /// Numbers bodies in the order in which the resolver enters them.
  private mutating func collect(_ steps: [StepSyntax], scope: [Int], path: String) {
    for (position, step) in steps.enumerated() {
      let index = entries.count
      let id = step.id?.value ?? "\(path)[\(position)]"
      entries.append(
        Entry(
          id: id, idSpan: step.id?.span, place: step.id?.span ?? step.action.span,
          slots: StepSlots(first: Slots.firstOfSteps + index * StepSlots.count), scope: scope))
      if case .http = step.action { entries[index].hasResponse = true }
      indexByKey[Key(start: step.span.start, body: scope.last ?? 0)] = index
      if let given = step.id { note(given, index) }
      for (body, path) in Self.bodies(of: step, id) {
        bodyCount += 1
        collect(body, scope: scope + [bodyCount], path: path)
      }
    }
  }

  private mutating func note(_ id: Located<String>, _ index: Int) {
    guard let earlier = indexByID[id.value], let span = entries[earlier].idSpan else {
      indexByID[id.value] = index
      return
    }
    ambiguousIDs.insert(id.value)
    repeated.append((id.value, id.span, span))
  }

  private static func bodies(of step: StepSyntax, _ id: String) -> [(steps: [StepSyntax], path: String)] {
    step.action.bodies.map { ($0.steps, "\(id).\($0.name)") } + (step.reconcile.map { [($0.steps, "\(id).reconcile")] } ?? [])
      + step.onError.enumerated().map { ($1.body, "\(id).on_error[\($0)].do") } + (step.undo.map { [($0.steps, "\(id).undo")] } ?? [])
  }
}
