import Diagnostics
import FlowPlan
import SourceText
import StepKit
import Values

/// All that `baton plan` has to say of a flow that is proven.
struct FlowOutline {
  struct Host {
    let name: String
    /// Nil where only the run knows.
    let isAllowed: Bool?
    let isLoopback: Bool
    let users: [String]
  }

  struct Emergency {
    let outline: BatonKit.Emergency
    /// `with`, with `⟨…⟩` for what is not known yet.
    let with: ValueMap
    /// Its key, or what stands in for it.
    let key: Value
    /// Those of the run, then its own; empty where it is not live.
    let conditions: [LiveCondition]
  }

  let flow: String
  let file: String
  let environment: RunEnvironment?
  /// What the run is not given yet; no mistake of the flow's.
  var missing: [Diagnostic] = []
  /// Programs of the environment that would be run for secrets, by secret.
  var commands: [(secret: String, words: [String])] = []
  var hosts: [Host] = []
  var steps: [StepOutline] = []
  var finally: [StepOutline] = []
  /// Nil is without a bound.
  var mostRequests: Int?
  var mostTime: Duration?
  let budget: BudgetPlan
  var emergencies: [Emergency] = []
  /// What refuses the run, and what is worth a look.
  var findings: [Diagnostic] = []

  /// Whether a run of it would not be refused, what is missing aside.
  var isSound: Bool { !findings.hasErrors }
}

extension FlowOutline {
  /// - Parameter allows: whether a host is allowed; nil where only the run knows.
  init(_ scope: KnownScope, environment: RunEnvironment?, gate: LiveGate, allows: (WebAddress) -> Bool?) {
    let plan = scope.plan
    flow = plan.name
    file = plan.file.path
    self.environment = environment
    var builder = OutlineBuilder()
    steps = builder.outlines(of: plan.steps, in: scope)
    finally = builder.outlines(of: plan.finally, in: scope)
    hosts = builder.hosts.hosts.map { host in
      Host(
        name: host.name, isAllowed: host.address.flatMap { allows($0) }, isLoopback: host.address?.isLoopback == true, users: host.users)
    }
    let cost = plan.worstCase
    mostRequests = cost.requests
    mostTime = cost.time
    budget = plan.budget
    let all = scope.emergencies
    let live = all.filter(\.isLive)
    let general = live.isEmpty ? [] : gate.conditions(of: live)
    emergencies = all.map { emergency in
      let key = emergency.handler.dedupeKey.flatMap { emergency.scope.shown($0) } ?? .string("none")
      return Emergency(
        outline: emergency, with: emergency.scope.shownMembers(emergency.handler.with), key: emergency.key ?? key,
        conditions: emergency.isLive ? general + gate.conditions(of: emergency) : [])
    }
  }
}
