import Diagnostics
import FlowSyntax
import SourceText
import Values

/// Every step of a flow: its slots, its scope, and what is known of its outputs so far.
struct StepTable {
  struct Entry {
    let id: String
    /// Nil where the author gave none: nothing can refer to it.
    let idSpan: Span?
    let span: Span
    let slots: StepSlots
    /// The bodies around it, outermost first; a reference must come from within the innermost.
    let scope: [Int]
    /// Known once the step is resolved.
    var outputs = ValueType.dyn
    var hasResponse = false
  }

  private(set) var entries: [Entry] = []
  private var indexBySpan: [Int: Int] = [:]
  private var indexByID: [String: Int] = [:]
  private var bodyCount = 0
  private var repeated: [(id: String, span: Span, earlier: Span)] = []

  init(_ document: FlowDocument) {
    collect(document.steps, scope: [])
    collect(document.finally, scope: [])
  }

  subscript(_ index: Int) -> Entry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  var slotCount: Int { Slots.firstOfSteps + entries.count * StepSlots.count }

  func index(of step: StepSyntax) -> Int? { indexBySpan[step.span.start] }
  func index(ofID id: String) -> Int? { indexByID[id] }
  var ids: [String] { indexByID.keys.sorted() }

  /// The entry that owns a slot of the frame, and which of its four it is.
  func entry(ofSlot slot: Int) -> (index: Int, part: Int)? {
    guard slot >= Slots.firstOfSteps else { return nil }
    return ((slot - Slots.firstOfSteps) / StepSlots.count, (slot - Slots.firstOfSteps) % StepSlots.count)
  }

  /// The steps of a body and all that stand inside them.
  func indices(in steps: [StepSyntax]) -> [Int] {
    steps.flatMap { step in
      (index(of: step).map { [$0] } ?? []) + Self.bodies(of: step).flatMap { indices(in: $0) }
    }
  }

  /// The number of the scope that a body of a step opens.
  func scope(of body: [StepSyntax]) -> [Int] {
    body.first.flatMap { index(of: $0) }.map { entries[$0].scope } ?? []
  }

  func duplicates(in file: SourceFile) -> [Diagnostic] {
    repeated.map {
      Diagnostic(
        .duplicateID, "two steps have the id `\($0.id)`", at: Place(file, $0.span), related: [.init(Place(file, $0.earlier), "first here")],
        help: ["ids are unique in a file, nested ones included"])
    }
  }

  private mutating func collect(_ steps: [StepSyntax], scope: [Int]) {
    for (position, step) in steps.enumerated() {
      let index = entries.count
      let id = step.id?.value ?? "steps[\(position)]"
      entries.append(
        Entry(
          id: id, idSpan: step.id?.span, span: step.span,
          slots: StepSlots(first: Slots.firstOfSteps + index * StepSlots.count), scope: scope))
      indexBySpan[step.span.start] = index
      if let given = step.id {
        if let earlier = indexByID[id], let span = entries[earlier].idSpan {
          repeated.append((id, given.span, span))
        } else {
          indexByID[id] = index
        }
      }
      for body in Self.bodies(of: step) {
        bodyCount += 1
        collect(body, scope: scope + [bodyCount])
      }
    }
  }

  private static func bodies(of step: StepSyntax) -> [[StepSyntax]] {
    var bodies: [[StepSyntax]] = []
    if case .group(let steps, _) = step.action { bodies.append(steps) }
    return bodies + step.onError.map(\.body)
  }
}
