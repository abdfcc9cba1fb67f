package import Values

/// An error that a step declares: a code of its own for what the provider says.
package struct StepError: Hashable, Sendable {
  package let code: String
  package let title: String
  /// What the author can do about it; may be empty.
  package let help: String
  /// Whether the provider says with it that it did not act.
  package let isRejected: Bool

  package init(_ code: String, _ title: String, help: String = "", isRejected: Bool = true) {
    self.code = code
    self.title = title
    self.help = help
    self.isRejected = isRejected
  }

  /// The failure for an answer that means this error; keeps `http.STATUS` as a tag.
  package func failure(_ reply: HTTPReply, detail: String = "", problems: [StepFailure.Problem] = []) -> StepFailure {
    var failure = StepFailure(
      code, title: title, detail: detail, tags: ["http.\(reply.status)"], sent: .yes, isRejected: isRejected, answer: reply.answer,
      problems: problems)
    failure.help = help
    return failure
  }

  /// The failure for input that is refused here, with nothing sent.
  package func local(detail: String) -> StepFailure {
    var failure = StepFailure(code, title: title, detail: detail, sent: .no, isRejected: true)
    failure.help = help
    return failure
  }
}

/// What a step is: the head of its page in the catalogue, and what the engine must know before it runs.
package struct About: Sendable {
  /// `system/step`, or one word for a built-in step.
  package let name: String
  /// One sentence.
  package let summary: String
  package let effect: Effect
  package let token: TokenClass
  /// Whether it signs a user in on its connection when it succeeds (under a condition on its input, see
  /// `StepHandler.signsIn`).
  package let signsIn: Bool
  /// When it signs the user of its connection out.
  package let signsOut: SignOut
  /// Settings that its connection must have for it, beside those that every connection of the system has.
  package let needs: [NeededSetting]
  /// Whether it sets off an emergency response: needs a `dedupe_key`, and refuses every host but loopback outside
  /// the live gate.
  package let isEmergency: Bool
  /// The routes that only this step may use outside of the sandbox; those of an emergency.
  package let reserves: [ReservedRoute]

  package init(
    _ name: String, _ summary: String, effect: Effect, token: TokenClass = .none, signsIn: Bool = false, signsOut: SignOut = .never,
    needs: [NeededSetting] = [], isEmergency: Bool = false, reserves: [ReservedRoute] = []
  ) {
    self.name = name
    self.summary = summary
    self.effect = effect
    self.token = token
    self.signsIn = signsIn
    self.signsOut = signsOut
    self.needs = needs
    self.isEmergency = isEmergency
    self.reserves = reserves
  }

  /// The system before the slash; nil for a built-in step.
  package var system: String? {
    name.firstIndex(of: "/").map { String(name[..<$0]) }
  }
}

/// When a step signs the user of its connection out: it then succeeds with nobody signed in.
package enum SignOut: Hashable, Sendable {
  case never, always
  /// Where this member of its input is true.
  case asked(String)

  /// Whether a step with this input certainly does; `literals` holds what of it is known.
  package func isCertain(_ literals: ValueMap) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .asked(let name): literals[name]?.exposed == .bool(true)
    }
  }
}

/// A setting that a step cannot do without, although a connection can.
package struct NeededSetting: Hashable, Sendable, ExpressibleByStringLiteral {
  /// What the step needs: a setting by its name, `oauth.client_id` inside another; or tokens.
  package enum What: Hashable, Sendable {
    case setting(String)
    /// A token that the connection keeps and renews; a plain one has such where it has `oauth`.
    case tokens
  }

  /// When the need is there.
  package enum Condition: Hashable, Sendable {
    case always
    /// The step's own input may say it instead.
    case unlessGiven(String)
    /// Only this member of its input asks for it, by having this value.
    case onlyIf(String, Value)
  }

  package let what: What
  package let condition: Condition

  package init(_ what: What, _ condition: Condition = .always) {
    self.what = what
    self.condition = condition
  }

  package init(stringLiteral name: String) { self.init(.setting(name)) }

  /// The setting `name`, or the member of the input that stands in for it.
  package static func setting(_ name: String, or input: String) -> NeededSetting { .init(.setting(name), .unlessGiven(input)) }
  /// Tokens, where `input` is true.
  package static func tokens(if input: String) -> NeededSetting { .init(.tokens, .onlyIf(input, true)) }
  /// The settings of these names, where `input` is `value`.
  package static func settings(_ names: [String], if input: String, is value: Value) -> [NeededSetting] {
    names.map { .init(.setting($0), .onlyIf(input, value)) }
  }
  /// Tokens, whatever the input is.
  package static let tokens = NeededSetting(.tokens)
}

/// A method and a path of a system's API that belong to one step.
package struct ReservedRoute: Hashable, Sendable {
  package let method: String
  /// `/v1/flows/{name}`: a name stands for one segment.
  package let path: String

  package init(_ method: String, _ path: String) {
    self.method = method
    self.path = path
  }
}

/// One use of a step, in JSON: checked, run against the sandbox and printed in the catalogue.
package struct Example: Sendable {
  /// A step that has to have run before.
  package struct Preparation: Sendable {
    package let step: String
    package let with: String

    package init(_ step: String, with: String) {
      self.step = step
      self.with = with
    }
  }

  /// The members of `with`.
  package let with: String
  /// The outputs that the sandbox answers; a value of `"*"` stands for any.
  package let outputs: String
  /// What the sandbox of its system has before the first request, as a scenario's `given` has it.
  package let given: String
  package let before: [Preparation]

  package init(with: String, outputs: String, given: String = "{}", before: [Preparation] = []) {
    self.with = with
    self.outputs = outputs
    self.given = given
    self.before = before
  }
}
