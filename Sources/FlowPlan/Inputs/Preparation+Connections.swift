import Diagnostics
import SourceText
import StepKit
import Values

/// Settings of connections: the flow's, those that the run is given, and the system's own defaults.
extension Preparation {
  mutating func resolveSettings(inputs: Value, secrets: Value) -> [ValueMap] {
    var frame = [Value?](repeating: nil, count: plan.slots.count)
    frame[plan.slots.inputs] = inputs
    frame[plan.slots.secrets] = secrets
    return plan.connections.map { $0.isBorrowed ? ValueMap() : resolveSettings($0, FlowFrame(slots: frame)) }
  }

  private mutating func resolveSettings(_ connection: ConnectionPlan, _ frame: FlowFrame) -> ValueMap {
    let shape = connection.system.settings()
    var (settings, unknown) = evaluated(connection, frame)
    for source in [connection.system.name, connection.alias] {
      for (key, value) in givens.connections[source] ?? ValueMap() {
        settings[key.text] = value
        unknown.remove(key.text)
      }
    }
    for field in shape.fields where settings[field.name] == nil { settings[field.name] = field.fallback }
    var isAddressWrong = unknown.contains("base_url")
    for violation in shape.violations(in: settings) {
      if case .member("base_url")? = violation.path.first { isAddressWrong = true }
      if case .member(let name)? = violation.path.first, unknown.contains(name) { continue }
      let kind: DiagnosticKind = violation.reason == .missing ? .missingKey : .invalidValue
      report(kind, "the connection `\(connection.alias)`: \(violation.message)", at: connection.place, help: shape.help(for: violation))
    }
    if !isAddressWrong { checkEndpoint(connection, settings) }
    return settings
  }

  /// - Returns: with the names of settings that depend on what is reported as missing already.
  private mutating func evaluated(_ connection: ConnectionPlan, _ frame: FlowFrame) -> (ValueMap, unknown: Set<String>) {
    var settings = ValueMap()
    var unknown: Set<String> = []
    guard case .map(let members) = connection.settings else { return (settings, unknown) }
    let isIncomplete = diagnostics.hasErrors
    for (key, member) in members {
      do throws(DataError) {
        settings[key] = try member.evaluate(frame)
      } catch {
        unknown.insert(key)
        if !isIncomplete { report(.invalidExpression, error.message, at: error.place) }
      }
    }
    return (settings, unknown)
  }

  private mutating func checkEndpoint(_ connection: ConnectionPlan, _ settings: ValueMap) {
    do throws(StepFailure) {
      guard try connection.system.endpoint(settings).base == nil else { return }
      let sandbox = !connection.system.hasSandbox ? "" : ", or run it in the sandbox with `--sandbox`"
      report(
        .missingKey, "the connection `\(connection.alias)` has no `base_url`", at: connection.place,
        help: ["write `base_url: https://…` under it\(sandbox)"])
    } catch {
      report(.invalidValue, "the connection `\(connection.alias)`: \(error.detail)", at: connection.place)
    }
  }
}

extension RecordShape {
  fileprivate func help(for violation: ShapeViolation) -> [String] {
    guard case .member(let name)? = violation.path.first, let field = field(name), !field.about.isEmpty else { return [] }
    return ["`\(name)`: \(field.about.withoutStop)"]
  }
}
