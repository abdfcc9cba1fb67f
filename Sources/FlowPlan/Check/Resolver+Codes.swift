import Diagnostics
import FlowSyntax
import SourceText
import StepKit

/// No code that a step can never raise.
extension Resolver {
  private static let network = ["network.dns", "network.connect", "network.reset", "network.protocol", "network.system"]
  private static let transport =
    network + ["tls.certificate", "tls.handshake", "timeout.connect", "timeout.attempt", "decode", "decode.too_large"]
  private static let auth = ["auth.invalid_client", "auth.invalid_grant", "auth.denied", "auth.expired", "auth.pending"]
  private static let others = [
    "timeout.step", "timeout.poll", "timeout.prompt", "assertion", "schema.input", "schema.response", "poll.failed", "repeat.exhausted",
    "parallel.failed", "indeterminate",
  ]
  private static let uncatchable = ["expr", "config", "budget", "cancelled"]

  /// Every code that a step may raise; nil where a part of it could not be resolved.
  func raisable(_ action: ActionPlan, expect: ExpectPlan, outputs: [OutputPlan], timeout: Duration?, _ step: StepSyntax) -> [String]? {
    guard action.bodies.isEmpty || isWhole(step, action) else { return nil }
    return codes(
      of: action, expect, outputs, timeout, mayPollFail: step.poll.map { $0.failIf != nil }, mayStayInDoubt: step.reconcile != nil)
  }

  /// Every code that a step inside another may raise, with those of its branches.
  func raisable(inside plan: StepPlan) -> [String] {
    var codes = codes(
      of: plan.action, plan.expect, plan.outputs, plan.timeout, mayPollFail: plan.poll.map { $0.failIf != nil },
      mayStayInDoubt: plan.reconcile != nil)
    for branch in plan.branches {
      codes += branch.body.flatMap { raisable(inside: $0) }
      if case .fail(let code?, _) = branch.ending { codes.append(code) }
    }
    return codes
  }

  /// - Parameters:
  ///   - mayPollFail: whether it has a `fail_if`; nil where it does not poll.
  ///   - mayStayInDoubt: whether it has a `reconcile`, which may find nothing.
  private func codes(
    of action: ActionPlan, _ expect: ExpectPlan, _ outputs: [OutputPlan], _ timeout: Duration?, mayPollFail: Bool?,
    mayStayInDoubt: Bool
  ) -> [String] {
    var codes: [String] = []
    switch action {
    case .handler(let handler): codes = raisable(handler, expect)
    case .group, .choose, .forEach, .repeating, .parallel: codes = raisable(inBodiesOf: action)
    case .call(let call): codes = calls.codes(of: call.flow) + ["schema.input"]
    case .fail(let code, _): codes = [code]
    case .set, .wait, .end: break
    }
    if mayStayInDoubt { codes.append("indeterminate") }
    if let mayPollFail { codes += ["timeout.poll"] + (mayPollFail ? ["poll.failed"] : []) }
    if timeout != nil { codes.append(action.label == "prompt" ? "timeout.prompt" : "timeout.step") }
    if !outputs.isEmpty || !expect.checks.isEmpty || expect.error != nil { codes.append("assertion") }
    return codes
  }

  /// Whether every step inside was read and resolved.
  private func isWhole(_ step: StepSyntax, _ action: ActionPlan) -> Bool {
    let unread = document.unreadableSteps.contains { $0.span.start >= step.span.start && $0.span.end <= step.span.end }
    guard !unread else { return false }
    return zip(action.bodies, step.action.bodies).allSatisfy { plans, syntax in
      plans.count == syntax.steps.count && zip(plans, syntax.steps).allSatisfy { isWhole($1, $0.action) }
    }
  }

  /// Of an action with steps inside.
  private func raisable(inBodiesOf action: ActionPlan) -> [String] {
    var codes = action.bodies.flatMap { $0 }.flatMap { raisable(inside: $0) }
    if action.bodyOutputs.contains(where: { !$0.isEmpty }) { codes.append("assertion") }
    switch action {
    case .forEach(let loop): codes += ["assertion"] + (loop.stopsOnError ? [] : ["parallel.failed"])
    case .repeating(let loop): if loop.until != nil { codes.append("repeat.exhausted") }
    case .parallel(let parallel): if !parallel.stopsOnError { codes.append("parallel.failed") }
    case .handler, .group, .choose, .call, .set, .wait, .fail, .end: break
    }
    return codes
  }

  private func raisable(_ handler: HandlerPlan, _ expect: ExpectPlan) -> [String] {
    var codes = handler.step.errors.map(\.code) + ["schema.input"]
    if handler.effect == .once { codes.append("indeterminate") }
    guard handler.sendsRequests else { return codes }
    codes += Self.transport
    // Where only the run tells which tokens there are, there may be some.
    if let connection = handler.connection, connections[connection].tokenClasses?.isEmpty != true { codes += Self.auth }
    if handler.isPlainHTTP { codes.append("assertion") }
    let wanted = expect.statuses.isEmpty || expect.error != nil ? [200...299] : expect.statuses.map(\.value.statuses)
    codes += (100...599).filter { status in !wanted.contains { $0.contains(status) } }.map { "http.\($0)" }
    return codes
  }

  // MARK: - checks

  func isPossible(_ code: Located<String>, _ codes: [String]?) -> Bool {
    guard let codes, code.value != "any" else { return true }
    let pattern = CodePattern(code.value)
    return codes.contains { pattern.matches(code: $0) }
  }

  /// Reports a code that the step can never raise; true if it may.
  @discardableResult
  mutating func checkPossible(_ code: Located<String>, _ codes: [String]?) -> Bool {
    let first = code.value.split(separator: ".").first.map(String.init) ?? ""
    if Self.uncatchable.contains(first) {
      report(
        .impossibleCode, "`\(code.value)` cannot be caught", at: code.span,
        help: ["\(quotedList(Self.uncatchable.prefix(3))) and `cancelled` end the run whatever a branch says"])
      return false
    }
    guard let codes, !isPossible(code, codes) else { return true }
    report(.impossibleCode, "this step can never raise `\(code.value)`", at: code.span, help: help(for: code.value, first, codes))
    return false
  }

  private func help(for code: String, _ family: String, _ codes: [String]) -> [String] {
    if family == "http", code != family {
      guard Self.isStatus(code.dropFirst(5)) else { return ["a status is written `http.404`, a class of them `http.4xx`"] }
      return [codes.contains { $0.hasPrefix("http.") } ? "the step succeeds with that status" : "the step sends no requests"]
    }
    let pattern = CodePattern(code)
    if (Self.transport + Self.auth + Self.others + ["http.500"]).contains(where: { pattern.matches(code: $0) }) {
      return reason(for: code, family, codes).map { [$0] } ?? []
    }
    let owner = (catalogue.builtIn + catalogue.systems.flatMap(\.steps)).first { step in
      step.errors.contains { pattern.matches(code: $0.code) }
    }
    if let owner { return ["`\(code)` is raised by `\(owner.about.name)`"] }
    let close = codes.filter { !$0.hasPrefix("http.") } + families(of: codes)
    if let nearest = nearestName(to: code, among: close) ?? nearestName(to: code, among: Self.transport + Self.auth + Self.others) {
      return ["did you mean `\(nearest)`?"]
    }
    if family == "user" { return ["codes from `user.` on are raised by `fail`, inside a group"] }
    let general = Self.transport + Self.auth + Self.others
    let declared = Set(codes.filter { !$0.hasPrefix("http.") && !general.contains($0) }).sorted()
    return declared.isEmpty ? [] : ["it declares \(quotedList(declared))"]
  }

  /// Why a code of the language is none of this step's.
  private func reason(for code: String, _ family: String, _ codes: [String]) -> String? {
    let sends = codes.contains("network.dns")
    switch code {
    case "timeout.step": return "give the step a `timeout`"
    case "timeout.prompt": return "only `prompt` raises it"
    case "indeterminate": return "only a step that must happen once leaves such a doubt"
    case "schema.response": return "check the answer in `expect`: an unmet check raises `assertion`"
    case "timeout.poll": return "give the step a `poll`"
    case "poll.failed": return "only a `poll` with `fail_if` raises it"
    case "repeat.exhausted": return "only a `repeat` with `until` raises it"
    case "parallel.failed": return "only a `for_each` or `parallel` that is to `finish` raises it"
    case "assertion": return "it has neither `expect` nor `outputs` that could be wrong"
    default: break
    }
    switch family {
    case "auth": return sends ? "it goes over no connection that signs in" : "it sends no requests"
    case "network", "tls", "decode", "http", "timeout": return sends ? nil : "it sends no requests"
    default: return nil
    }
  }

  private static func isStatus(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 3, (0x31...0x35).contains(bytes[0]) else { return false }
    return text.hasSuffix("xx") || bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  private func families(of codes: [String]) -> [String] {
    Set(codes.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted()
  }
}

extension ActionPlan {
  /// What its bodies give, evaluated inside them.
  fileprivate var bodyOutputs: [[OutputPlan]] {
    switch self {
    case .choose(let cases): cases.map(\.body.outputs)
    case .forEach(let loop): [loop.body.outputs]
    case .repeating(let loop): [loop.body.outputs]
    case .parallel(let parallel): parallel.branches.map(\.body.outputs)
    case .handler, .group, .call, .set, .wait, .fail, .end: []
    }
  }
}
