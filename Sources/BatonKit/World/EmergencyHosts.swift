import FlowPlan
import StepKit
import Values

extension PreparedRun {
  /// The hosts to which the connections of each system lead: what is reserved there is reserved on them all.
  var hostsBySystem: [String: [String]] {
    var hosts: [String: [String]] = [:]
    for (connection, settings) in zip(plan.connections, settings) {
      guard let url = settings["base_url"]?.exposed.stringValue, let address = try? WebAddress(url) else { continue }
      hosts[connection.system.name, default: []].append(address.host)
    }
    return hosts
  }
}
