/// The worst case of a plan, and the least that it sends. Requests for tokens, the one that follows a 401, and those of
/// redirects are not counted: they are no choice of the flow's.
extension Plan {
  /// What a run asks at most, `finally` and every `undo` among it.
  package var worstCase: Cost { steps.worstCase + finally.worstCase }

  /// How many requests a run sends at least, if it passes.
  var leastRequests: Int { steps.leastRequests }
}

extension [StepPlan] {
  fileprivate var worstCase: Cost { reduce(.none) { $0 + $1.worstCase } }

  /// Behind a step that may end the flow, nothing is sent for certain.
  fileprivate var leastRequests: Int {
    var sum = 0
    for step in self {
      sum = Swift.min(sum + step.leastRequests, Int(Int32.max))
      if step.mayEndFlow { break }
    }
    return sum
  }
}

extension StepPlan {
  /// With its retries and polls, its `reconcile`, its branches and its `undo`.
  package var worstCase: Cost {
    var tries = 1
    var repairs = Cost.none
    var other = Cost.none
    for branch in branches {
      let body = branch.body.worstCase
      if case .retry(let max) = branch.ending {
        tries = tries.addingReportingOverflow(max).overflow ? .max : tries + max
        repairs = repairs + body * max
      } else {
        other = other.or(body)
      }
    }
    let undone = undo.map(\.steps.worstCase) ?? .none
    // What was found not to be delivered may be sent again, and looked up again.
    let lookedUp = (reconcile.map(\.steps.worstCase) ?? .none) * (retry?.attempts ?? 1)
    return (action.worstCase(of: self) + lookedUp) * tries + repairs + other + undone
  }

  fileprivate var leastRequests: Int { condition == nil && branches.isEmpty ? action.leastRequests : 0 }

  fileprivate var mayEndFlow: Bool {
    let inner = action.bodies.flatMap { $0 }.contains(where: \.mayEndFlow)
    let endsInBranch = branches.contains { branch in
      if case .end = branch.ending { return true }
      return branch.body.contains(where: \.mayEndFlow)
    }
    if case .end = action { return true }
    return inner || endsInBranch
  }
}

extension ActionPlan {
  /// Once, with the retries and polls of its step.
  fileprivate func worstCase(of step: StepPlan) -> Cost {
    switch self {
    case .handler(let handler): return handler.worstCase(of: step)
    case .group(let steps): return steps.worstCase.within(step.timeout)
    case .choose(let cases): return cases.map(\.body.steps.worstCase).reduce(Cost.none) { $0.or($1) }.within(step.timeout)
    case .forEach(let loop): return loop.worstCase.within(step.timeout)
    case .repeating(let loop): return loop.worstCase.within(step.timeout)
    case .parallel(let parallel):
      return parallel.branches.map(\.body.steps.worstCase).reduce(Cost.none) { $0.beside($1) }.within(step.timeout)
    case .call(let call): return call.flow.worstCase.within(step.timeout)
    case .wait(let duration): return Cost(time: duration)
    case .set, .fail, .end: return .none
    }
  }

  fileprivate var leastRequests: Int {
    switch self {
    case .handler(let handler): handler.sendsRequests ? 1 : 0
    case .group(let steps): steps.leastRequests
    case .choose(let cases): cases.map(\.body.steps.leastRequests).min() ?? 0
    case .forEach(let loop): loop.body.steps.leastRequests.timesWithin(loop.leastItems)
    case .repeating(let loop): loop.body.steps.leastRequests.timesWithin(loop.until == nil ? loop.max : 1)
    case .parallel(let parallel): parallel.branches.reduce(0) { min($0 + $1.body.steps.leastRequests, Int(Int32.max)) }
    case .call(let call): call.flow.leastRequests
    case .set, .wait, .fail, .end: 0
    }
  }
}

extension HandlerPlan {
  fileprivate func worstCase(of step: StepPlan) -> Cost {
    guard sendsRequests else {
      // A prompt waits for its own time-out; the others take no time worth counting but `exec`.
      return Cost(time: step.timeout ?? (step.action.label == "exec" ? attemptTimeout : .zero))
    }
    let attempt = Cost(requests: 1, time: attemptTimeout)
    let attempts = step.retry?.attempts ?? 1
    // `Retry-After` may stretch every pause to `max_delay`.
    var cost = attempt * attempts + Cost(time: step.retry?.maxDelay ?? .zero) * (attempts - 1)
    if let poll = step.poll {
      let every = max(poll.every.wholeMilliseconds, 1)
      let rounds = poll.timeout.wholeMilliseconds / every + 1
      cost = Cost(requests: (cost * rounds).requests, milliseconds: (Cost(time: poll.timeout) + cost).milliseconds)
    }
    return cost.within(step.timeout)
  }
}

extension ForEachPlan {
  /// How many items there are at most; nil where nothing says so.
  fileprivate var mostItems: Int? {
    switch source {
    case .rows(let rows): rows.count
    case .data(.list(let items)): items.count
    case .data(.map(let members)): members.count
    case .data: maxItems
    }
  }

  fileprivate var leastItems: Int {
    switch source {
    case .rows(let rows): rows.count
    case .data: minItems
    }
  }

  fileprivate var worstCase: Cost {
    let one = body.steps.worstCase
    let all = one * mostItems
    guard concurrency > 1, let items = mostItems else { return all }
    let rounds = items / concurrency + (items % concurrency == 0 ? 0 : 1)
    return Cost(requests: all.requests, milliseconds: (one * rounds).milliseconds)
  }
}

extension RepeatPlan {
  /// A round lasts as long as its steps, or as long as the pause to the next.
  fileprivate var worstCase: Cost {
    let one = body.steps.worstCase
    return (every.map { one.or(Cost(time: $0)) } ?? one) * max
  }
}

extension Int {
  /// So many times, no more than 2³¹ - 1.
  fileprivate func timesWithin(_ count: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: count)
    return overflows ? Int(Int32.max) : Swift.min(product, Int(Int32.max))
  }
}
