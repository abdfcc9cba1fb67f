import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// What only a step that sets off an emergency response takes, and what only it may send.
extension Resolver {
  /// `dedupe_key`, `valid_for` and `unverifiable`.
  mutating func checkEmergencyModifiers(_ step: StepSyntax, of name: String, isEmergency: Bool) {
    if isEmergency {
      if step.dedupeKey == nil {
        report(
          .missingDedupeKey, "`\(name)` sets off an emergency response and needs a `dedupe_key`", at: step.action.span,
          help: ["a text that is the same for the same emergency, such as `dedupe_key: ${{ inputs.incident }}`"])
      }
      if let validFor = step.validFor, validFor.value <= .zero {
        report(
          .invalidValue, "an emergency that is valid for no time is never sent", at: validFor.span,
          help: ["say how long after its start it may still be sent, such as `valid_for: 5m`"])
      }
      return
    }
    let strangers: [(name: String, span: Span?)] = [
      ("dedupe_key", step.dedupeKey?.span), ("valid_for", step.validFor?.span), ("unverifiable", step.unverifiable?.span),
    ]
    for case (let name, let span?) in strangers {
      report(.invalidValue, "`\(name)` is for steps that set off an emergency response", at: span, help: ["leave it out"])
    }
  }

  mutating func resolveDedupeKey(_ step: StepSyntax) -> DataPlan? {
    guard let syntax = step.dedupeKey else { return nil }
    let key = resolveData(syntax, .string(TextRules()), named: "dedupe_key", Locals())
    if let fresh = key.hostCall {
      report(
        .missingDedupeKey, "this `dedupe_key` is new at every run, so that it guards against nothing", at: syntax.span,
        label: "`\(fresh)()` differs each time", help: ["take a text that is the same for the same emergency, such as an input"])
    }
    return key
  }

  // MARK: - reserved routes

  /// A plain request to a route that belongs to an emergency, as far as it is known before the run.
  ///
  /// - Parameter method: nil where only the run tells.
  mutating func checkReserved(_ method: String?, _ url: Located<String>, _ with: [DataSyntax.Entry], _ connection: Int?) {
    guard let method, !url.value.contains("${{") else { return }
    let target = filled(url.value, with)
    guard let owner = owner(of: method, target, connection.map { connections[$0] }) else { return }
    report(
      .emergencyRoute, "`\(method) \(url.value)` sets off an emergency response, and a plain request may not", at: url.span,
      label: "reserved for `\(owner)`", help: ["write `uses: \(owner)`, with its `dedupe_key`"])
  }

  private func owner(of method: String, _ target: String, _ connection: ConnectionPlan?) -> String? {
    let routes = EmergencyRoutes(catalogue, hosts: literalHosts)
    switch Target(target) {
    case .wholeURL: return (try? WebAddress(target)).flatMap { routes.owner(of: method, $0) }
    case .path:
      guard let connection else { return nil }
      guard let base = connection.literalBase else { return routes.owner(of: method, path: target, ofSystem: connection.system.name) }
      guard !base.isLoopback, let address = try? base.appending(target) else { return nil }
      return routes.owner(of: method, address) ?? routes.owner(of: method, path: address.path, ofSystem: connection.system.name)
    case .unknown, .neither: return nil
    }
  }

  /// `{name}` in a path is filled from the `path` of the request, where that is literal.
  private func filled(_ url: String, _ with: [DataSyntax.Entry]) -> String {
    guard case .map(let parts, _)? = with.first(where: { $0.key.value == "path" })?.value else { return url }
    return parts.reduce(url) { url, part in
      guard let text = part.value.constant?.scalarText else { return url }
      return url.replacing("{\(part.key.value)}", with: PercentEncoding.component(text))
    }
  }

  /// The hosts that the flow itself names for its connections, by system.
  private var literalHosts: [String: [String]] {
    var hosts: [String: [String]] = [:]
    for connection in connections {
      if let base = connection.literalBase { hosts[connection.system.name, default: []].append(base.host) }
    }
    return hosts
  }
}

extension ConnectionPlan {
  /// Its `base_url` where the flow states it; nil where only the run tells.
  fileprivate var literalBase: WebAddress? {
    guard case .map(let members) = settings, case .constant(.string(let text))? = members.first(where: { $0.key == "base_url" })?.value
    else { return nil }
    return try? WebAddress(text)
  }
}
