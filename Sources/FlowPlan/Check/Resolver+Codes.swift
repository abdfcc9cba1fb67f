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
    var codes: [String] = []
    switch action {
    case .handler(let handler): codes = raisable(handler, expect)
    case .group(let steps):
      guard case .group(let syntax, _) = step.action, isWhole(step, steps, syntax) else { return nil }
      codes = steps.flatMap { raisable(inside: $0) }
    case .wait: break
    case .fail(let code, _): codes = [code]
    case .end: break
    }
    if timeout != nil { codes.append(action.label == "prompt" ? "timeout.prompt" : "timeout.step") }
    if !outputs.isEmpty || !expect.checks.isEmpty || expect.error != nil { codes.append("assertion") }
    return codes
  }

  /// Whether every step of a group was read and resolved.
  private func isWhole(_ step: StepSyntax, _ plans: [StepPlan], _ syntax: [StepSyntax]) -> Bool {
    let unread = document.unreadableSteps.contains { $0.span.start >= step.span.start && $0.span.end <= step.span.end }
    guard !unread, plans.count == syntax.count else { return false }
    return zip(plans, syntax).allSatisfy { plan, inner in
      guard case .group(let innerPlans) = plan.action, case .group(let innerSyntax, _) = inner.action else { return true }
      return isWhole(inner, innerPlans, innerSyntax)
    }
  }

  private func raisable(_ handler: HandlerPlan, _ expect: ExpectPlan) -> [String] {
    var codes = handler.step.errors.map(\.code) + ["schema.input"]
    if handler.effect == .once { codes.append("indeterminate") }
    guard handler.sendsRequests else { return codes }
    codes += Self.transport
    if let connection = handler.connection, connections[connection].system.tokens != nil { codes += Self.auth }
    if handler.isPlainHTTP { codes.append("assertion") }
    let wanted = expect.statuses.isEmpty ? [200...299] : expect.statuses.map(\.value.statuses)
    codes += (100...599).filter { status in !wanted.contains { $0.contains(status) } }.map { "http.\($0)" }
    return codes
  }

  private func raisable(inside plan: StepPlan) -> [String] {
    var codes: [String] = []
    switch plan.action {
    case .handler(let handler): codes = raisable(handler, plan.expect)
    case .group(let steps): codes = steps.flatMap { raisable(inside: $0) }
    case .fail(let code, _): codes = [code]
    case .wait, .end: break
    }
    for branch in plan.branches {
      codes += branch.body.flatMap { raisable(inside: $0) }
      if case .fail(let code?, _) = branch.ending { codes.append(code) }
    }
    if plan.timeout != nil { codes.append(plan.action.label == "prompt" ? "timeout.prompt" : "timeout.step") }
    if !plan.outputs.isEmpty || !plan.expect.checks.isEmpty || plan.expect.error != nil { codes.append("assertion") }
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
    if family == "http", code.hasPrefix("http.") {
      let isStatus = code.utf8.count == 8 && ("1"..."5").contains(code.utf8.dropFirst(5).first.map { String(UnicodeScalar($0)) } ?? "")
      if codes.contains(where: { $0.hasPrefix("http.") }), isStatus { return ["the step succeeds with that status"] }
      if !isStatus { return ["a status is `http.404`, a class of them `http.4xx`"] }
    }
    let pattern = CodePattern(code)
    let owners = (catalogue.builtIn + catalogue.systems.flatMap(\.steps)).filter { step in
      step.errors.contains { pattern.matches(code: $0.code) }
    }
    if let owner = owners.first, family != "auth" { return ["`\(code)` is raised by `\(owner.about.name)`"] }
    let close = codes.filter { !$0.hasPrefix("http.") }
    if let nearest = nearestName(to: code, among: close + families(of: codes)) { return ["did you mean `\(nearest)`?"] }
    if let nearest = nearestName(to: code, among: Self.transport + Self.auth + Self.others) { return ["did you mean `\(nearest)`?"] }
    switch family {
    case "timeout": return ["give the step a `timeout` of its own"]
    case "user": return ["codes from `user.` on are raised by `fail`, inside a group"]
    default: break
    }
    let declared = close.filter { code in !Self.transport.contains(code) && !Self.auth.contains(code) && !Self.others.contains(code) }
    return declared.isEmpty ? [] : ["it declares \(quotedList(Set(declared).sorted()))"]
  }

  private func families(of codes: [String]) -> [String] {
    Set(codes.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted()
  }
}
