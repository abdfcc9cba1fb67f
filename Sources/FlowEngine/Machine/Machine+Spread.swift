import FlowEvents
import FlowPlan
import SourceText
import StepKit
import Values

/// `for_each` and `parallel`: bodies that may run beside each other.
extension Machine {
  mutating func spread(_ parallel: ParallelPlan, _ activation: Activation) {
    let names = parallel.branches.map(\.name)
    start(Spread(keys: names, limit: max(names.count, 1), stopsOnError: parallel.stopsOnError), activation)
  }

  mutating func spread(_ loop: ForEachPlan, _ activation: Activation) {
    var activation = activation
    activation.outputs["items"] = []
    do throws(DataError) {
      let (items, names) = try source(of: loop, in: activation.scope)
      guard let items else { return fail(activation, .notIterable) }
      if let refusal = loop.refusal(ofCount: items.count) { return fail(activation, refusal) }
      var keys = names ?? []
      if let key = loop.itemKey {
        for (index, item) in items.enumerated() {
          guard let text = try text(of: key, item, index, activation) else { return fail(activation, .unusableKey(index)) }
          keys.append(text)
        }
      }
      if let refusal = StepFailure.repeatedKey(in: keys) { return fail(activation, refusal) }
      start(Spread(keys: keys, items: items, limit: max(loop.concurrency, 1), stopsOnError: loop.stopsOnError), activation)
    } catch {
      fail(activation, error)
    }
  }

  /// The items, nil where there are none to be had, and their keys where those are known.
  private mutating func source(of loop: ForEachPlan, in scope: ScopeID) throws(DataError) -> (items: [Value]?, keys: [String]?) {
    switch loop.source {
    case .rows(let rows): return (rows, loop.itemKey == nil ? rows.indices.map(String.init) : nil)
    case .data(let data):
      guard let value = try evaluate(data, in: scope) else { return (nil, nil) }
      // What is in a secret is secret; the keys in it name nothing, since names are shown.
      let isSecret = if case .secret = value { true } else { false }
      let shown: (Value) -> Value = isSecret ? { $0.hidden() } : { $0 }
      switch value.exposed {
      case .list(let items): return (items.map(shown), loop.itemKey == nil ? items.indices.map(String.init) : nil)
      case .map(let map):
        let items: [Value] = map.map { ["key": shown($0.key.value), "value": shown($0.value)] }
        let names = isSecret ? (0..<map.count).map(String.init) : map.map(\.key.text)
        return (items, loop.itemKey == nil ? names : nil)
      default: return (nil, nil)
      }
    }
  }

  /// The text that `key` gives an item; nil for what is none, or secret.
  private mutating func text(of key: CompiledExpression, _ item: Value, _ index: Int, _ activation: Activation) throws(DataError) -> String?
  {
    writeItem(item, index, key: nil, activation.plan.slots, in: activation.scope)
    return try evaluate(key, in: activation.scope).templateText
  }

  private mutating func writeItem(_ item: Value?, _ index: Int?, key: String?, _ own: StepSlots, in scope: ScopeID) {
    write(item, to: own.item, in: scope)
    var loop = ValueMap()
    if let index { loop["index"] = .int(Int64(index)) }
    if let key { loop["key"] = .string(key) }
    write(index == nil ? nil : .map(loop), to: own.loop, in: scope)
  }

  // MARK: - members

  private mutating func start(_ spread: Spread, _ activation: Activation) {
    var activation = activation
    activation.phase = .inBody
    activations[activation.id] = activation
    spreads[activation.id] = spread
    for body in activation.plan.action.bodies { reset(body, in: activation.scope) }
    startMembers(activation.id)
    concludeSpread(activation.id)
  }

  private mutating func startMembers(_ id: ActivationID) {
    while let spread = spreads[id], spread.mayStart, let activation = activations[id],
      !isInterrupted(inside: activation) || isPast(spread.next, of: activation, spread), let index = spreads[id]?.start()
    {
      startMember(index, activation)
    }
  }

  private mutating func startMember(_ index: Int, _ activation: Activation) {
    let id = activation.id
    switch activation.plan.action {
    case .forEach(let loop):
      let isAlone = loop.concurrency <= 1
      let scope = isAlone ? activation.scope : openCopy(of: activation.scope, ownSessions: loop.body.ownSessions)
      if isAlone { reset(loop.body.steps, in: scope) }
      let key = spreads[id]?.keys[index]
      writeItem(spreads[id]?.items[index], index, key: key, activation.plan.slots, in: scope)
      open(loop.body.steps, .member(id, index: index), in: activation, scope: scope, key: key)
    case .parallel(let parallel):
      let body = parallel.branches[index].body
      let scope = openCopy(of: activation.scope, ownSessions: body.ownSessions)
      open(body.steps, .member(id, index: index), in: activation, scope: scope)
    case .handler, .group, .choose, .repeating, .call, .set, .wait, .fail, .end: break
    }
  }

  mutating func memberEnded(_ id: ActivationID, _ index: Int, in scope: ScopeID, _ result: BodyResult) {
    guard let activation = activations[id], spreads[id] != nil else { return }
    switch result {
    case .completed: noteCompleted(index, activation, in: scope)
    case .failed(let failed): spreads[id]?.end(index, .failed, failed: failed)
    case .ended:
      spreads[id]?.end(index, .succeeded)
      spreads[id]?.ended = result
    case .cancelled(let failed):
      spreads[id]?.end(index, .cancelled, failed: failed)
      if !isInterrupted(inside: activation) {
        spreads[id]?.cancelled = failed ?? Failed(failure: .cancelled, origin: activation.identity, attempt: 0)
      }
    }
    if scope != activation.scope { closeScope(scope) }
    if spreads[id]?.isDecided == true, !activation.isWindingDown {
      activations[id]?.isWindingDown = true
      unwind()
    }
    startMembers(id)
    concludeSpread(id)
  }

  /// An item's outputs are evaluated inside it.
  private mutating func noteCompleted(_ index: Int, _ activation: Activation, in scope: ScopeID) {
    let id = activation.id
    var outputs = ValueMap()
    let problems = add(activation.plan.memberOutputs(index), to: &outputs, in: scope)
    guard let first = problems.first else {
      spreads[id]?.end(index, .succeeded, outputs: outputs)
      return
    }
    var origin = activation.identity
    origin.place = first.place
    origin.keys += activation.plan.action.isForEach ? spreads[id].map { [$0.keys[index]] } ?? [] : []
    let failure = StepFailure(
      "assertion", title: "an output has no value", detail: "\(first.expression): \(first.problem)", sent: .yes)
    spreads[id]?.end(index, .failed, failed: Failed(failure: failure, origin: origin, attempt: activation.allAttempts))
  }

  /// Where nothing runs any more, and nothing starts, the step goes on.
  private mutating func concludeSpread(_ id: ActivationID) {
    guard let count = spreads[id]?.runningCount, count == 0, var activation = activations[id], let spread = spreads.removeValue(forKey: id)
    else { return }
    let isLoop = activation.plan.action.isForEach
    if isLoop { writeItem(nil, nil, key: nil, activation.plan.slots, in: activation.scope) }
    // A branch that saves the step gives these beside its own.
    activation.outputs = spread.byName
    if isLoop {
      activation.outputs = ValueMap()
      activation.outputs["items"] = spread.list
    }
    let wasCutShort = activation.isTimedOut || isInterrupted(activation.body)
    activation.isWindingDown = false
    activations[id] = activation
    if let decisive = spread.decisive {
      let isOne = spread.stopsOnError || !decisive.failed.failure.isCatchable
      return fail(activation, isOne ? decisive.failed : spread.asFailed(activation))
    }
    if let ended = spread.ended { return actionEnded(id, ended) }
    if spread.cancelled != nil || wasCutShort { return actionEnded(id, .cancelled(spread.cancelled)) }
    succeed(activation, activation.outputs)
  }
}

extension Spread {
  /// `on_item_error: finish`, and some did not.
  fileprivate func asFailed(_ activation: Activation) -> Failed {
    let noun = activation.plan.action.isForEach ? "items" : "branches"
    let failure = StepFailure(
      "parallel.failed", title: "\(problems.count) of \(keys.count) \(noun) failed",
      detail: problems.min { $0.index < $1.index }.map { "\($0.problem.field): \($0.problem.message)" } ?? "",
      sent: .yes, problems: problems.sorted { $0.index < $1.index }.map(\.problem))
    var failed = Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts)
    failed.worst = worst
    return failed
  }
}

extension StepPlan {
  fileprivate func memberOutputs(_ index: Int) -> [OutputPlan] {
    switch action {
    case .forEach(let loop): loop.body.outputs
    case .parallel(let parallel): parallel.branches[index].body.outputs
    case .handler, .group, .choose, .repeating, .call, .set, .wait, .fail, .end: []
    }
  }
}

extension ActionPlan {
  var isForEach: Bool {
    if case .forEach = self { true } else { false }
  }
}

extension ForEachPlan {
  fileprivate func refusal(ofCount count: Int) -> StepFailure? {
    if count < minItems {
      return StepFailure(
        "assertion", title: "too few items", detail: "\(count) came, and at least \(minItems) must; `min_items` says how many")
    }
    if let maxItems, count > maxItems {
      return StepFailure(
        "assertion", title: "too many items", detail: "\(count) came, and at most \(maxItems) may; `max_items` says how many")
    }
    return nil
  }
}

extension StepFailure {
  fileprivate static let notIterable = StepFailure(
    "assertion", title: "there are no items", detail: "`in` gave neither a list nor a map")

  fileprivate static func unusableKey(_ index: Int) -> StepFailure {
    StepFailure(
      "assertion", title: "an item has no key", detail: "`key` of item \(index) must be a text, a number or a bool, and no secret")
  }

  fileprivate static func repeatedKey(in keys: [String]) -> StepFailure? {
    var first: [String: Int] = [:]
    first.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() {
      if let earlier = first.updateValue(index, forKey: key) {
        return StepFailure("assertion", title: "two items have the same key", detail: "items \(earlier) and \(index) are both `\(key)`")
      }
    }
    return nil
  }
}
