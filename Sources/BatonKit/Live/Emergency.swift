import FlowPlan
import SourceText
import StepKit
import Values

/// A step that sets off an emergency response, with what is known of it before the run.
struct Emergency {
  let step: StepPlan
  let handler: HandlerPlan
  /// Of the flow that it stands in.
  let scope: KnownScope
  /// Where its connection leads; nil where only the run knows.
  let address: WebAddress?
  /// `dedupe_key`; nil where only the run knows.
  let key: Value?

  init(_ step: StepPlan, _ handler: HandlerPlan, in scope: KnownScope) {
    self.step = step
    self.handler = handler
    self.scope = scope
    address = handler.connection.flatMap { scope.base(of: $0) }
    key = handler.dedupeKey.flatMap { scope.exact($0) }
  }

  /// Whether somebody real answers: everywhere but on loopback, where the sandbox is.
  var isLive: Bool { address.map { !$0.isLoopback } ?? true }

  /// The key as `--confirm` has it; nil where only the run knows.
  var keyText: String? { key?.exposed.stringValue }
}

extension KnownScope {
  /// Every step of the flow, and of those that it calls, that sets off an emergency response.
  var emergencies: [Emergency] {
    (plan.steps + plan.finally).flatMap(\.withInner).flatMap { step -> [Emergency] in
      switch step.action {
      case .handler(let handler): handler.step.about.isEmergency ? [Emergency(step, handler, in: self)] : []
      case .call(let call): scope(of: call).emergencies
      case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: []
      }
    }
  }
}
