import HTTPTypes
package import StepKit
import Values

extension SAMI {
  /// `sami/list-rules`
  package enum ListRules: SAMIOperation {
    package static let about = About("sami/list-rules", "Lists a user's rules, page by page.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example(
      with: "{}", outputs: #"{"rules": "*", "total": 1, "offset": 0, "count": 1}"#, given: RuleReference.given, before: [.consent])

    package struct Input: Sendable {
      let uid: String?
      let count: Int?
      let offset: Int?
      let as_: SAMICaller
    }

    package struct Output: Sendable {
      let rules: [Rule]
      let total: Int
      let offset: Int
      let count: Int
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "rules", query: input.wire(without: ["as"]), as: input.as_, list: "rules")
    }
  }

  /// `sami/create-rule`
  package enum CreateRule: SAMIOperation {
    package static let about = About(
      "sami/create-rule", "Makes a rule: actions that follow when messages say so.", effect: .unsafe, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"name": "steps", "rule": \#(RuleReference.rule), "enabled": true}"#,
      outputs: RuleReference.outputs, given: "{\(RuleReference.devices)}", before: [.consent])

    package struct Input: Sendable {
      let name: String
      let description: String?
      let rule: NamedMembers<Value>
      let enabled: Bool?
      let uid: String?
      let as_: SAMICaller
    }

    package typealias Output = Rule

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.post, "rules", body: input.wire(without: ["as"]), as: input.as_)
    }
  }

  /// `sami/update-rule`
  package enum UpdateRule: SAMIOperation {
    package static let about = About("sami/update-rule", "Replaces a rule.", effect: .idempotent, needs: SAMICaller.needs)
    package static let example = Example(
      with: #"{"id": "r-1", "name": "steps", "rule": \#(RuleReference.rule)}"#, outputs: RuleReference.outputs,
      given: RuleReference.given, before: [.consent])

    package struct Input: Sendable {
      let id: String
      let name: String
      let description: String?
      let rule: NamedMembers<Value>
      let enabled: Bool?
      let uid: String?
      let as_: SAMICaller
    }

    package typealias Output = Rule

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.put, "rules", input.id, body: input.wire(without: ["id", "as"]), as: input.as_)
    }
  }

  /// `sami/get-rule`
  package enum GetRule: SAMIOperation {
    package static let about = About("sami/get-rule", "Reads one rule.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example.ofRule(RuleReference.outputs)

    package typealias Input = RuleReference
    package typealias Output = Rule

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "rules", input.id, query: input.query, as: input.as_)
    }
  }

  /// `sami/delete-rule`
  package enum DeleteRule: SAMIOperation {
    package static let about = About(
      "sami/delete-rule", "Deletes a rule, and gives it back once more.", effect: .idempotent, needs: SAMICaller.needs)
    package static let example = Example.ofRule(RuleReference.outputs)

    package typealias Input = RuleReference
    package typealias Output = Rule

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.delete, "rules", input.id, query: input.query, as: input.as_)
    }
  }

  /// `sami/get-rule-executions`
  package enum GetRuleExecutions: SAMIOperation {
    package static let about = About(
      "sami/get-rule-executions", "Tells how often a rule was applied.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example.ofRule(#"{"count_apply": 0}"#)

    package typealias Input = RuleReference

    package struct Output: Sendable {
      let countApply: Int
      let lastApply: Int?
    }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "rules", input.id, "executions", query: input.query, as: input.as_)
    }
  }

  /// `sami/can-test-rule`
  package enum CanTestRule: SAMIOperation {
    package static let about = About(
      "sami/can-test-rule", "Tells whether all actions of a rule may be tried out.", effect: .read, needs: SAMICaller.needs)
    package static let example = Example.ofRule(#"{"testable": true}"#)

    package typealias Input = RuleReference

    package struct Output: Sendable { let testable: Bool }

    package static func request(_ input: Input) throws(StepFailure) -> SAMIRequest {
      SAMIRequest(.get, "rules", input.id, "actions", query: input.query, as: input.as_)
    }
  }

  /// `sami/test-rule`
  package enum TestRule: StepHandler {
    package static let about = About(
      "sami/test-rule", "Carries out all actions of a rule, whatever messages say.", effect: .unsafe, needs: SAMICaller.needs)
    static let notTestable = StepError(
      "sami.rule_not_testable", "an action of the rule may not be tried out, so that none was", help: "ask `sami/can-test-rule` before it")
    package static let errors = usual + [notTestable]
    package static let example = Example.ofRule(#"{"answer": {}}"#)

    package typealias Input = RuleReference

    package struct Output: Sendable {
      let answer: Value?
    }

    package static func run(_ input: Input, _ ports: Ports) async throws(StepFailure) -> Output {
      let request = SAMIRequest(.post, "rules", input.id, "actions", body: input.query, as: input.as_)
      do throws(StepFailure) {
        let reply = try await send(request, ports)
        return Output(answer: reply.body["data"])
      } catch {
        guard error.answer?.status == 400, error.problems.isEmpty else { throw error }
        var failure = notTestable.local(detail: error.detail)
        failure.tags = ["http.400"]
        failure.sent = .yes
        failure.answer = error.answer
        throw failure
      }
    }
  }
}

extension Example {
  /// Of the rule that is there.
  fileprivate static func ofRule(_ outputs: String) -> Example {
    Example(with: #"{"id": "r-1"}"#, outputs: outputs, given: SAMI.RuleReference.given, before: [.consent])
  }
}

extension SAMI.ListRules.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    uid = field("uid", SAMI.RuleReference.aboutUID, minLength: 1)
    count = field("count", Page.aboutCount, minimum: 1, maximum: 100)
    offset = field("offset", Page.aboutOffset, minimum: 0)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.ListRules.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    rules = field("rules", "The rules of this page.")
    total = field("total", Page.aboutTotal)
    offset = field("offset", Page.aboutStart)
    count = field("count", Page.aboutSize)
  }
}

extension SAMI.CreateRule.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    name = field("name", "What it is called.", maxLength: 64)
    description = field("description", "What people say about it.", maxLength: 1400)
    rule = field("rule", "What it says: `if` and `then`.")
    enabled = field("enabled", "Whether it is applied; it is at SAMI unless stated.")
    uid = field("uid", SAMI.RuleReference.aboutUID, minLength: 1)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.UpdateRule.Input: DescribedRecord {
  package init(_ field: inout Fields) {
    id = field("id", "The rule's id.", minLength: 1)
    name = field("name", "What it is called.", maxLength: 64)
    description = field("description", "What people say about it.", maxLength: 1400)
    rule = field("rule", "What it says: `if` and `then`.")
    enabled = field("enabled", "Whether it is applied; it is at SAMI unless stated.")
    uid = field("uid", SAMI.RuleReference.aboutUID, minLength: 1)
    as_ = field("as", SAMICaller.about, default: .user)
  }
}

extension SAMI.GetRuleExecutions.Output: DescribedRecord {
  package init(_ field: inout Fields) {
    countApply = field("count_apply", "How often.")
    lastApply = field("last_apply", "When the last time was, in milliseconds since 1970.")
  }
}

extension SAMI.CanTestRule.Output: DescribedRecord {
  package init(_ field: inout Fields) { testable = field("testable", "Whether they may.") }
}

extension SAMI.TestRule.Output: DescribedRecord {
  package init(_ field: inout Fields) { answer = field("answer", "What SAMI says to it, where it says anything.") }
}
