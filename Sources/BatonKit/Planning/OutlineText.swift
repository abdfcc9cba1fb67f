import Diagnostics
import FlowPlan
import Reporters
import SourceText
import StepKit
import Values

/// An outline as people read it. Every text of the flow is shown so that no terminal obeys it.
struct OutlineText {
  private let outline: FlowOutline
  private let isUTF8: Bool

  init(_ outline: FlowOutline, isUTF8: Bool = true) {
    self.outline = outline
    self.isUTF8 = isUTF8
  }

  /// Every line ends with a line break.
  var text: String {
    var lines = head + missing + hosts
    lines += ["", "steps"] + outline.steps.flatMap { stepLines($0, indent: 1) }
    if !outline.finally.isEmpty { lines += ["", "finally"] + outline.finally.flatMap { stepLines($0, indent: 1) } }
    lines += cost + outline.emergencies.flatMap(emergencyLines) + ["", "nothing was sent"]
    let text = lines.map { $0 + "\n" }.joined()
    return isUTF8 ? text : text.replacing("⟨", with: "<").replacing("⟩", with: ">").replacing("…", with: "...")
  }

  // MARK: - the run

  private var head: [String] {
    let environment = outline.environment.map { "\($0.name)\($0.isLive ? ", which is live" : "")" } ?? "none"
    return rows([("flow", "\(outline.flow) (\(outline.file))"), ("environment", environment)], indent: 0)
  }

  private var missing: [String] {
    guard !outline.missing.isEmpty || !outline.commands.isEmpty else { return [] }
    let given = outline.missing.map { finding in
      "  \(shownText(finding.message))\(finding.help.first.map { ": \(shownText($0))" } ?? "")"
    }
    let commands = outline.commands.map { secret, words in
      "  the secret `\(shownText(secret))` comes from `\(shownText(words.joined(separator: " ")))`, which a plan does not run"
    }
    return ["", "not known yet"] + given + commands
  }

  private var hosts: [String] {
    guard !outline.hosts.isEmpty else { return ["", "hosts", "  none: nothing is sent"] }
    let rows = outline.hosts.map { host -> (String, String) in
      let allowed =
        switch host.isAllowed {
        case true?: "allowed"
        case false?: "NOT ALLOWED"
        case nil: host.name.contains("⟨") ? "not known yet" : "allowed or not, the run decides"
        }
      return (host.name, "\(allowed)\(host.isLoopback ? ", this machine" : ""), for \(host.users.joined(separator: ", "))")
    }
    return ["", "hosts"] + self.rows(rows, indent: 1)
  }

  private var cost: [String] {
    let requests = outline.mostRequests.map { counted($0, "request") } ?? "any number of requests"
    let time = outline.mostTime?.text ?? "any time"
    let limits = [outline.budget.requests.map { counted($0, "request") }, outline.budget.time.map(\.text)].compactMap { $0 }
    return [""]
      + rows(
        [
          ("at most", "\(requests), \(time) (tokens, repeats after a 401 and redirects not counted)"),
          ("budget", limits.isEmpty ? "none" : limits.joined(separator: ", ")),
        ], indent: 0)
  }

  // MARK: - steps

  /// - Parameter isCertain: whether what stands around it says nothing of it being left out.
  private func stepLines(_ step: StepOutline, indent: Int, isCertain: Bool = true) -> [String] {
    let space = String(repeating: "  ", count: indent)
    var lines = ["\(space)- \(shownText(step.id)): \(shownText(step.action))\(step.sending?.isEmergency == true ? "  EMERGENCY" : "")"]
    var notes = step.condition.map { ["only if \($0)"] } ?? []
    if isCertain, step.mayNotRun, notes.isEmpty { notes = ["left out where a step before it ends the flow"] }
    if let sending = step.sending { notes += sendingNotes(sending) }
    lines += (notes + step.notes).map { "\(space)    \(shownText($0))" }
    for body in step.bodies {
      if !body.title.isEmpty { lines.append("\(space)    \(shownText(body.title))") }
      let inner = isCertain && !step.mayNotRun && body.kind.alwaysRuns
      lines += body.steps.flatMap { stepLines($0, indent: indent + (body.title.isEmpty ? 2 : 3), isCertain: inner) }
    }
    return lines
  }

  private func sendingNotes(_ sending: StepOutline.Sending) -> [String] {
    var words: [String] = []
    if let connection = sending.connection { words.append("over `\(connection)`\(sending.base.map { " at \($0)" } ?? "")") }
    words.append(sending.effect.rawValue)
    if sending.token != .none { words.append("\(sending.token.rawValue) token") }
    words.append("\(sending.attemptTimeout.text) a request")
    if let timeout = sending.timeout { words.append("\(timeout.text) in all") }
    switch sending.mostRequests {
    case nil: words.append("any number of requests")
    case 0?, 1?: break
    case let most?: words.append("at most \(counted(most, "request"))")
    }
    return [words.joined(separator: ", ")]
  }

  // MARK: - emergencies

  private func emergencyLines(_ emergency: FlowOutline.Emergency) -> [String] {
    let step = emergency.outline.step
    let handler = emergency.outline.handler
    let place = "\(step.place.file.path):\(step.place.start.line)"
    var lines = ["", "emergency \(shownText(step.id)) (\(shownText(place)))"]
    lines += rows(
      [
        ("goes to", goal(of: emergency.outline)),
        ("key", emergency.key.shownKey + (emergency.outline.key == nil ? ", known only when it runs" : "")),
        ("valid for", "\(handler.validFor.text) from its confirmation to its first byte"), ("verified", verification(emergency.outline)),
      ], indent: 1)
    lines.append("  with")
    lines += Value.map(emergency.with).redacted.json(indent: 2).split(separator: "\n").map { "    \(shownText(String($0)))" }
    guard !emergency.conditions.isEmpty else { return lines + ["  the sandbox answers it: nothing has to be confirmed"] }
    return lines + ["  gate"] + emergency.conditions.flatMap(conditionLines)
  }

  private func goal(of emergency: Emergency) -> String {
    guard let address = emergency.address else {
      return emergency.handler.connection.map { emergency.scope.shownBase(of: $0) } ?? "not known yet"
    }
    return address.text.withoutLastSlash + (address.isLoopback ? ", this machine" : "")
  }

  private func verification(_ emergency: Emergency) -> String {
    if emergency.handler.idempotency != nil { return "by the provider, which knows a repeat by its key" }
    if emergency.step.reconcile != nil { return "by `reconcile`" }
    return emergency.handler.unverifiable.map { "by nobody: \($0)" } ?? "by nobody"
  }

  private func conditionLines(_ condition: LiveCondition) -> [String] {
    let mark =
      switch condition.isMet {
      case true?: "[x]"
      case false?: "[ ]"
      case nil: "[?]"
      }
    return ["    \(mark) \(shownText(condition.text))"] + condition.help.map { "        \(shownText($0))" }
  }

  private func rows(_ rows: [(String, String)], indent: Int) -> [String] {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "\(String(repeating: "  ", count: indent))\(shownText($0).padded(to: width + 2))\(shownText($1))" }
  }
}

extension BodyOutline.Kind {
  /// Whether its steps run wherever the step around them does.
  fileprivate var alwaysRuns: Bool {
    switch self {
    case .steps, .round, .branch, .flow: true
    case .case, .else, .item, .onError, .reconcile, .undo: false
    }
  }
}
