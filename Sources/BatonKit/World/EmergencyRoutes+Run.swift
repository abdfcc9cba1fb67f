import FlowPlan
import StepKit
import Steps
import Values

extension EmergencyRoutes {
  /// What is reserved is so on every host to which a connection of its system leads: as the run has it, as its flows are
  /// written, and as its environment says, whether the flow uses that or not.
  static func of(_ run: PreparedRun, environment: RunEnvironment? = nil) -> EmergencyRoutes {
    var hosts: [String: [String]] = [:]
    func add(_ url: Value?, of system: String) {
      guard let text = url?.exposed.stringValue, let address = try? WebAddress(text) else { return }
      hosts[system, default: []].append(address.host)
    }
    for (connection, settings) in zip(run.plan.connections, run.settings) { add(settings["base_url"], of: connection.system.name) }
    for connection in ([run.plan] + run.plan.calledPlans).flatMap(\.connections) {
      add(connection.settings.constant("base_url"), of: connection.system.name)
      add(environment?.connection(for: connection)?.settings["base_url"], of: connection.system.name)
    }
    for (name, connection) in environment?.connections ?? [:] { add(connection.settings["base_url"], of: connection.system ?? name) }
    return EmergencyRoutes(.standard, hosts: hosts)
  }
}

extension DataPlan {
  /// A member that is written as it is.
  fileprivate func constant(_ name: String) -> Value? {
    guard case .map(let members) = self, case .constant(let value)? = members.first(where: { $0.key == name })?.value else { return nil }
    return value
  }
}
