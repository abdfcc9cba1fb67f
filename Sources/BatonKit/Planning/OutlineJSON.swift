import Diagnostics
import FlowPlan
import Reporters
import SourceText
import StepKit
import Values

/// An outline as programs read it; `PlanSchema` describes it.
struct OutlineJSON {
  /// A flow that is not sound has findings and nothing else.
  static func value(file: String, findings: [Diagnostic]) -> Value {
    ["file": .string(file), "sound": .bool(!findings.hasErrors), "findings": list(findings)]
  }

  static func value(_ outline: FlowOutline) -> Value {
    var map = ValueMap()
    map["file"] = .string(outline.file)
    map["sound"] = .bool(outline.isSound)
    map["findings"] = list(outline.findings)
    map["flow"] = .string(outline.flow)
    map["environment"] = outline.environment.map { ["name": .string($0.name), "live": .bool($0.isLive)] } ?? .null
    map["missing"] = list(outline.missing)
    map["commands"] = .list(outline.commands.map { ["secret": .string($0.secret), "command": texts($0.words)] })
    map["hosts"] = .list(
      outline.hosts.map { host in
        [
          "host": .string(host.name), "allowed": optional(host.isAllowed), "loopback": .bool(host.isLoopback), "usedBy": texts(host.users),
        ]
      })
    map["steps"] = .list(outline.steps.map(step))
    map["finally"] = .list(outline.finally.map(step))
    map["worstCase"] = ["requests": optional(outline.mostRequests), "timeMs": optional(outline.mostTime)]
    map["budget"] = ["requests": optional(outline.budget.requests), "timeMs": optional(outline.budget.time)]
    map["emergencies"] = .list(outline.emergencies.map(emergency))
    return .map(map)
  }

  private static func step(_ step: StepOutline) -> Value {
    var map = ValueMap()
    map["id"] = .string(step.id)
    map["action"] = .string(step.action)
    map["file"] = .string(step.place.file.path)
    map["line"] = .int(Int64(step.place.start.line))
    map["mayNotRun"] = .bool(step.mayNotRun)
    map["if"] = step.condition.map { .string($0) }
    map["sends"] = step.sending.map(sending)
    map["notes"] = texts(step.notes)
    map["bodies"] = .list(
      step.bodies.map { body in
        ["kind": .string(body.kind.rawValue), "title": .string(body.title), "steps": .list(body.steps.map { Self.step($0) })]
      })
    return .map(map)
  }

  private static func sending(_ sending: StepOutline.Sending) -> Value {
    [
      "connection": sending.connection.map { .string($0) } ?? .null, "baseUrl": sending.base.map { .string($0) } ?? .null,
      "requests": .list(sending.requests.map { ["method": .string($0.method), "url": .string($0.url)] }),
      "effect": .string(sending.effect.rawValue), "token": .string(sending.token.rawValue), "emergency": .bool(sending.isEmergency),
      "attemptTimeoutMs": .int(sending.attemptTimeout.wholeMilliseconds), "timeoutMs": optional(sending.timeout),
      "mostRequests": optional(sending.mostRequests),
    ]
  }

  private static func emergency(_ emergency: FlowOutline.Emergency) -> Value {
    let outline = emergency.outline
    return [
      "step": .string(outline.step.id), "file": .string(outline.step.place.file.path), "line": .int(Int64(outline.step.place.start.line)),
      "live": .bool(outline.isLive), "address": outline.address.map { .string($0.text.withoutLastSlash) } ?? .null,
      "key": ["text": .string(emergency.key.redacted.stringValue ?? emergency.key.redacted.json()), "known": .bool(outline.key != nil)],
      "validForMs": .int(outline.handler.validFor.wholeMilliseconds),
      "verifiedBy": .string(verification(outline)), "unverifiable": outline.handler.unverifiable.map { .string($0) } ?? .null,
      "with": Value.map(emergency.with).redacted,
      "gate": .list(
        emergency.conditions.map { condition in
          [
            "condition": .string(condition.name.rawValue), "met": optional(condition.isMet), "text": .string(condition.text),
            "help": texts(condition.help),
          ]
        }),
    ]
  }

  /// The words of `verifiedBy`.
  enum Verification: String, CaseIterable { case idempotencyKey = "idempotency_key", reconcile, nobody }

  private static func verification(_ emergency: Emergency) -> String {
    let way: Verification =
      emergency.handler.idempotency != nil ? .idempotencyKey : emergency.step.reconcile != nil ? .reconcile : .nobody
    return way.rawValue
  }

  // MARK: - parts

  /// As `baton check --format json` has them.
  private static func list(_ findings: [Diagnostic]) -> Value { (try? JSON.parse(findings.rendered(as: .json))) ?? .list([]) }
  private static func texts(_ texts: [String]) -> Value { .list(texts.map { .string($0) }) }
  private static func optional(_ flag: Bool?) -> Value { flag.map { .bool($0) } ?? .null }
  private static func optional(_ count: Int?) -> Value { count.map { .int(Int64($0)) } ?? .null }
  private static func optional(_ time: Duration?) -> Value { time.map { .int($0.wholeMilliseconds) } ?? .null }
}
