import FlowEvents
import FlowPlan
import StepKit
import Values

/// A step that an earlier process has ended, and that is not done again: what it left behind is there again.
extension Machine {
  /// The step has ended before: its values are what they were.
  mutating func restore(_ activation: Activation) {
    var activation = activation
    guard let past = activation.past else { return }
    if past.ended?.status == .skipped { return end(activation, .skipped, .completed) }
    let details = past.ended?.details ?? ValueMap()
    activation.attempts = Int(details["attempts"]?.intValue ?? 1)
    activation.requests += Int(details["requests"]?.intValue ?? 0)
    requestCount += Int(details["requests"]?.intValue ?? 0)
    activation.lastRequest = details["request"].flatMap { RequestReport(told: $0, by: activation.identity.id) }
    noteDoubt(of: past, &activation)
    reassign(activation)
    write(.map(hidingSecrets(past.outputs ?? ValueMap(), activation.plan)), to: activation.plan.slots.outputs, in: activation.scope)
    recallSession(activation, past)
    if let response = past.ended?.kept["response"] { write(response, to: activation.plan.slots.response, in: activation.scope) }
    end(activation, .succeeded, .completed)
  }

  /// Who has signed in by what is not done twice, such as a code or a refresh token, is signed in still, until a step signed
  /// them out.
  private mutating func recallSession(_ activation: Activation, _ past: RunHistory.Execution) {
    guard case .handler(let handler) = activation.plan.action, let connection = handler.connection, let ended = past.ended,
      ended.status == .succeeded
    else { return }
    let session: PastSession
    if handler.step.about.signsOut.isCertain(handler.literals) {
      session = .signedOut(by: activation.identity.id)
    } else if handler.keepsToken, let token = Token(outputs: past.outputs ?? ValueMap(), at: ended.at) {
      session = .signedIn(token)
    } else {
      return
    }
    decisions.append(.recallSession(session, scopes[activation.scope]?.sessions ?? .run, connection: connection))
  }

  /// What somebody says a step gave has no marks: those of the flow, and of the step's own outputs, are put on.
  private mutating func hidingSecrets(_ outputs: ValueMap, _ plan: StepPlan) -> ValueMap {
    var secrets = Set(plan.outputs.filter(\.isSecret).map(\.name))
    if case .handler(let handler) = plan.action {
      for field in handler.step.output().fields {
        if case .secret = field.shape { secrets.insert(field.name) }
      }
    }
    var hidden = outputs
    for name in secrets { hidden[name] = outputs[name]?.hidden() }
    let texts = Value.map(hidden).secretTexts
    if !texts.isEmpty { decisions.append(.hide(texts)) }
    return hidden
  }

  /// What may have happened and must not happen twice is so in every later process as well.
  private mutating func noteDoubt(of past: RunHistory.Execution, _ activation: inout Activation) {
    guard past.settled?.isOfDelivery != true, let failure = past.ended?.kept["error"].flatMap(StepFailure.init(stored:)) else { return }
    if past.ended?.status == .indeterminate {
      activation.isInDoubt = true
      activation.hasReconciled = true
      doubt = doubt ?? Failed(failure: failure, origin: activation.identity, attempt: activation.allAttempts)
      markUncertain(around: activation.body)
    } else if activation.effect == .unsafe, failure.sent == .maybe, !failure.isRejected {
      markUncertain(around: activation.body)
    }
  }
}

extension HandlerPlan {
  /// Whether the connection has gone on with the token that the step got; where only the run could tell, it has not.
  fileprivate var keepsToken: Bool {
    guard step.about.signsIn, case .map = with else { return false }
    return step.signsIn(literals) == true || literals["keep"] == .bool(true)
  }

  /// Of its input what the flow spells out.
  fileprivate var literals: ValueMap {
    guard case .map(let members) = with else { return ValueMap() }
    var literals = ValueMap()
    for (key, member) in members {
      if case .constant(let value) = member { literals[key] = value } else { literals[key] = .secret(.null) }
    }
    return literals
  }
}

extension Token {
  /// Of the outputs of a step that signs in; nil where they hold none.
  fileprivate init?(outputs: ValueMap, at time: Timestamp) {
    guard let access = outputs["access_token"]?.exposed.stringValue ?? outputs["token"]?.exposed.stringValue else { return nil }
    let life = outputs["expires_in"]?.exposed.intValue.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil }
    self.init(
      accessToken: access, expires: life.map { Timestamp(seconds: time.seconds + $0, nanoseconds: time.nanoseconds) }, issued: time,
      type: outputs["token_type"]?.exposed.stringValue, refreshToken: outputs["refresh_token"]?.exposed.stringValue,
      scope: outputs["scope"]?.exposed.stringValue)
  }
}

extension RequestReport {
  fileprivate init?(told value: Value, by sender: String) {
    guard let method = value["method"]?.stringValue, let url = value["url"]?.stringValue else { return nil }
    self.init(
      stepID: sender, method: method, url: url, status: value["status"]?.intValue.map(Int.init), sent: value["sent"]?.stringValue ?? "",
      duration: .zero)
  }
}
