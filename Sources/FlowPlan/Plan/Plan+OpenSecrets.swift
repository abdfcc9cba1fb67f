import StepKit

extension Plan {
  /// Texts that the flow and those it calls spell out where secrets are asked for, such as a password in a step's input: whoever
  /// shows a line of the flow hides them.
  package var openSecrets: [String] {
    let ofSteps = (steps + finally).flatMap(\.withInner).flatMap { step -> [String] in
      switch step.action {
      case .handler(let handler):
        let shape = handler.step.input()
        return shape.openSecrets(in: handler.with.assumed(as: shape))
      case .call(let call): return call.flow.openSecrets
      case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: return []
      }
    }
    let ofConnections = connections.flatMap { $0.system.openSecrets(in: $0.assumed) }
    return (ofConnections + ofSteps).filter { $0 != DataPlan.madeUpText }
  }
}
