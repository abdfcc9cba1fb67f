import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// What a case expects.
extension ScenarioResolver {
  /// - Parameters:
  ///   - own: what the run states itself, without the defaults.
  ///   - isKilled: whether it is stopped before it has an end.
  mutating func resolveExpect(
    _ syntax: ScenarioExpectSyntax?, own: ScenarioExpectSyntax?, isKilled: Bool, _ world: ScenarioWorld, of name: String, at place: Span
  ) -> ScenarioExpect {
    var plan = ScenarioExpect()
    if isKilled, let own { checkEndless(own) }
    guard let syntax else {
      if isWhole, !isKilled {
        report(
          .cannotFail, "the case `\(name)` expects nothing, so it cannot fail", at: place,
          help: ["say how it ends: `expect: { verdict: passed }`"])
      }
      return plan
    }
    plan.isFromTable = isTable
    if !isKilled {
      resolveEnd(syntax, &plan)
      if let outputs = syntax.outputs { resolveOutputs(outputs, plan, into: &plan.outputs) }
    }
    plan.steps = syntax.steps.map { resolve(stepID: $0.id, status: $0.status) }
    plan.requests = syntax.requests.map { resolve($0, world) }
    plan.that = syntax.that.compactMap { compile($0, .outcome, isCheck: true) }
    plan.maxDuration = syntax.maxDuration.map { .init(value: $0.value, place: Place(file, $0.span)) }
    return plan
  }

  /// Verdict and code. Without either the run must pass; a code alone says nothing of the verdict.
  private mutating func resolveEnd(_ syntax: ScenarioExpectSyntax, _ plan: inout ScenarioExpect) {
    if let verdict = syntax.verdict {
      plan.verdict = .init(value: verdict.value, place: Place(file, verdict.span))
    } else if syntax.code == nil {
      plan.verdict = .init(value: "passed", place: Place(file, line(of: syntax.span)))
    }
    guard let code = syntax.code else { return }
    plan.code = .init(value: CodePattern(code.value), place: Place(file, code.span))
    checkCode(code)
  }

  /// Families that are not declared by a step or by the author.
  private static let families = [
    "assertion", "auth", "budget", "cancelled", "config", "decode", "expr", "http", "indeterminate", "network", "parallel", "poll",
    "repeat", "schema", "timeout", "tls",
  ]

  private mutating func checkCode(_ code: Located<String>) {
    let family = code.value.split(separator: ".").first.map(String.init) ?? ""
    if Self.families.contains(family) { return }
    let declared = flow.declaredCodes
    let pattern = CodePattern(code.value)
    guard !declared.contains(where: { pattern.matches(code: $0) }) else { return }
    reportUnknown(.impossibleCode, "this flow can never end with `\(code.value)`", code, among: declared.sorted() + Self.families)
  }

  // MARK: - outputs

  private mutating func resolveOutputs(_ data: DataSyntax, _ plan: ScenarioExpect, into outputs: inout [ScenarioExpect.Output]) {
    guard case .map(let entries, let span) = data else {
      return report(.typeMismatch, "`outputs` must be a map of names and values", at: line(of: data.span))
    }
    if plan.verdict.map({ $0.value != "passed" }) ?? true {
      return report(
        .invalidValue, "only a run that passed has outputs", at: entries.first?.key.span ?? line(of: span),
        help: ["leave `outputs` out, or expect `verdict: passed`"])
    }
    let known = flow.outputs.map(\.name)
    for entry in entries {
      let key = entry.key
      guard known.contains(key.value) else {
        reportUnknown(.unknownName, "the flow has no output `\(key.value)`", key, among: known, none: "this flow has no outputs")
        continue
      }
      guard let value = constant(entry.value, "`outputs`") else { continue }
      // A table knows no types: 3 may be the number or the text.
      outputs.append(.init(name: key.value, value: value, place: Place(file, line(of: entry.key.span.joined(with: entry.value.span)))))
    }
  }

  // MARK: - steps and requests

  private mutating func resolve(stepID id: Located<String>, status: Located<String>) -> ScenarioExpect.Step {
    // `create[ada]` is the step of one item.
    checkStep(Located(String(id.value.prefix { $0 != "[" }), id.span))
    return .init(title: id.value, status: status.value, place: Place(file, id.span.joined(with: status.span)))
  }

  private mutating func resolve(_ requests: ScenarioExpectSyntax.Requests, _ world: ScenarioWorld) -> ScenarioExpect.Requests {
    checkRoute(requests.route, world.routes, mayBeReal: true)
    let that = requests.that.compactMap { compile($0, .request, isCheck: true) }
    let end = requests.count?.span ?? requests.route.span
    return .init(
      route: requests.route.value, count: requests.count?.value, that: that, place: Place(file, requests.route.span.joined(with: end)))
  }
}

extension Plan {
  /// Codes that steps declare and that the author made up.
  var declaredCodes: Set<String> {
    var codes: Set<String> = []
    for step in (steps + finally).flatMap(\.withInner) {
      switch step.action {
      case .handler(let handler): codes.formUnion(handler.step.errors.map(\.code))
      case .fail(let code, _): codes.insert(code)
      case .call(let call): codes.formUnion(call.flow.declaredCodes)
      case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .end: break
      }
      for branch in step.branches {
        switch branch.ending {
        case .fail(let code?, _), .end(_, let code?): codes.insert(code)
        case .continue, .retry, .fail, .end: break
        }
      }
    }
    return codes
  }
}
