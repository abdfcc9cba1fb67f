import FlowPlan
import Reporters
import StepKit
import Values

/// Writes down the steps of a flow with all that stands inside them, and the hosts that they lead to.
struct OutlineBuilder {
  private(set) var hosts = HostList()

  mutating func outlines(of steps: [StepPlan], in scope: KnownScope, mayNotRun: Bool = false) -> [StepOutline] {
    var mayNotRun = mayNotRun
    var outlines: [StepOutline] = []
    for step in steps {
      outlines.append(outline(step, scope, mayNotRun))
      // What may end the flow may leave the rest out.
      mayNotRun = mayNotRun || step.mayEnd
    }
    return outlines
  }

  private mutating func outline(_ step: StepPlan, _ scope: KnownScope, _ mayNotRun: Bool) -> StepOutline {
    let mayNotRun = mayNotRun || step.condition != nil
    var outline = StepOutline(
      id: step.id, action: action(of: step, scope), place: step.place, mayNotRun: mayNotRun, condition: step.condition?.source)
    if case .handler(let handler) = step.action, handler.sends { outline.sending = sending(of: step, handler, scope) }
    outline.notes = StepNotes(step, scope).all
    outline.bodies = bodies(of: step, scope, mayNotRun)
    return outline
  }

  // MARK: - what it does

  private func action(of step: StepPlan, _ scope: KnownScope) -> String {
    switch step.action {
    case .handler(let handler):
      guard handler.isPlainHTTP else { return handler.label }
      let request = PlannedRequest(handler, in: scope)
      return "\(request.method) \(request.url)"
    case .wait(let duration): return "wait \(duration.text)"
    case .fail(let code, _): return "fail \(code)"
    case .end(let passed): return "end \(passed ? "passed" : "failed")"
    case .set(let values): return "set \(values.map { "\($0.root == .state ? "state." : "")\($0.name)" }.joined(separator: ", "))"
    case .group, .choose, .forEach, .repeating, .parallel, .call: return step.action.label
    }
  }

  private mutating func sending(of step: StepPlan, _ handler: HandlerPlan, _ scope: KnownScope) -> StepOutline.Sending {
    let about = handler.step.about
    var sending = StepOutline.Sending(
      connection: handler.connection.map { scope.plan.connections[$0].alias }, effect: handler.effect, token: about.token,
      isEmergency: about.isEmergency, attemptTimeout: handler.attemptTimeout, timeout: step.timeout, mostRequests: step.worstCase.requests)
    if let connection = handler.connection {
      sending.base = scope.shownBase(of: connection)
      note(connection, scope)
    }
    if handler.isPlainHTTP {
      let request = PlannedRequest(handler, in: scope)
      sending.token = request.token ?? (handler.connection == nil ? .none : about.token)
      sending.requests = [.init(method: request.method, url: request.url)]
      if request.url != sending.base, sending.base == nil || !request.url.hasPrefix(sending.base ?? "") {
        hosts.add(url: request.url, for: step.id)
      }
    } else if let target = scope.shownMembers(handler.with)["token_url"]?.redacted.stringValue {
      // `oauth/token` names its endpoint itself, whole or below the connection's base URL.
      let isWhole = target.contains("://") || sending.base == nil
      sending.requests = [
        .init(method: "POST", url: isWhole ? target : "\(sending.base ?? "")\(target.hasPrefix("/") ? "" : "/")\(target)")
      ]
      if isWhole { hosts.add(url: target, for: step.id) }
    } else if let base = sending.base {
      sending.requests = about.reserves.map { .init(method: $0.method, url: base + $0.path) }
    }
    return sending
  }

  /// Every URL among a connection's settings may be asked.
  private mutating func note(_ connection: Int, _ scope: KnownScope) {
    let alias = scope.plan.connections[connection].alias
    if let base = scope.base(of: connection) {
      hosts.add(base, for: alias)
    } else {
      hosts.add(url: scope.shownBase(of: connection), for: alias)
    }
    guard scope.settings.indices.contains(connection) else { return }
    for (name, value) in scope.settings[connection].values where name.text.hasSuffix("_url") && name.text != "base_url" {
      if let address = value.exposed.stringValue.flatMap({ try? WebAddress($0) }) { hosts.add(address, for: alias) }
    }
  }

  // MARK: - what stands inside

  private mutating func bodies(of step: StepPlan, _ scope: KnownScope, _ mayNotRun: Bool) -> [BodyOutline] {
    var bodies = actionBodies(of: step, scope, mayNotRun)
    if let reconcile = step.reconcile {
      let title = "reconcile, where nobody knows what became of it; delivered: \(reconcile.delivered.source)"
      bodies.append(body(.reconcile, title, reconcile.steps, scope))
    }
    for branch in step.branches { bodies.append(body(.onError, branch.title, branch.body, scope)) }
    if let undo = step.undo {
      bodies.append(body(.undo, undo.isAlways ? "undo, at the end of every run" : "undo, after a failure or a cancel", undo.steps, scope))
    }
    return bodies
  }

  private mutating func actionBodies(of step: StepPlan, _ scope: KnownScope, _ mayNotRun: Bool) -> [BodyOutline] {
    switch step.action {
    case .handler, .wait, .set, .fail, .end: return []
    case .group(let steps): return [body(.steps, "", steps, scope, mayNotRun)]
    case .choose(let cases):
      return cases.map { choice in
        let kind = choice.condition == nil ? BodyOutline.Kind.else : .case
        return body(kind, choice.condition.map { "case: \($0.source)" } ?? "else", choice.body.steps, scope)
      }
    case .forEach(let loop): return [body(.item, "", loop.body.steps, scope, mayNotRun || loop.minItems == 0)]
    case .repeating(let loop): return [body(.round, "", loop.body.steps, scope, mayNotRun)]
    case .parallel(let parallel):
      return parallel.branches.map { body(.branch, "branch \($0.name)", $0.body.steps, scope, mayNotRun) }
    case .call(let call):
      let inner = scope.scope(of: call)
      let flow = body(.flow, "", call.flow.steps, inner, mayNotRun)
      return call.flow.finally.isEmpty ? [flow] : [flow, body(.flow, "finally", call.flow.finally, inner, mayNotRun)]
    }
  }

  private mutating func body(
    _ kind: BodyOutline.Kind, _ title: String, _ steps: [StepPlan], _ scope: KnownScope, _ mayNotRun: Bool = true
  ) -> BodyOutline {
    BodyOutline(kind: kind, title: title, steps: outlines(of: steps, in: scope, mayNotRun: mayNotRun))
  }
}

extension HandlerPlan {
  /// Whether it talks to a server: plain requests, and the steps of systems.
  var sends: Bool { isPlainHTTP || step.about.system != nil }
}

extension StepPlan {
  fileprivate var mayEnd: Bool {
    if case .end = action { return true }
    let ends = branches.contains { branch in
      if case .end = branch.ending { return true }
      return branch.body.contains(where: \.mayEnd)
    }
    return ends || action.bodies.flatMap { $0 }.contains(where: \.mayEnd)
  }
}

extension BranchPlan {
  /// `on http.404, if error.attempt > 1: continue`
  fileprivate var title: String {
    let codes = when.map(\.text).joined(separator: ", ")
    let condition = condition.map { ", if \($0.source)" } ?? ""
    let end =
      switch ending {
      case .continue: "continue"
      case .retry(let max): "retry, at most \(max) \(max == 1 ? "time" : "times")"
      case .fail(let code, _): code.map { "fail with \($0)" } ?? "fail"
      case .end(let passed, let code): "end \(passed ? "passed" : "failed")\(code.map { " with \($0)" } ?? "")"
      }
    return "on \(codes)\(condition): \(end)"
  }
}
