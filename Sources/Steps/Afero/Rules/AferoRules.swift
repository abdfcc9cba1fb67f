import HTTPTypes
package import StepKit
import Values

extension Afero {
  /// `afero/list-rules`
  package enum ListRules: AferoOperation {
    package static let about = About(
      "afero/list-rules", "Lists the rules of an account, of one device, or of one group.", effect: .read, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1"}"#, #"{"rules": "*"}"#, user: DeviceExample.user + Rule.exampleUser)

    package struct Input: DescribedRecord {
      let accountID: String
      let deviceID: String?
      let deviceGroupID: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        deviceID = field("device_id", "Only the rules of this device.")
        deviceGroupID = field("device_group_id", "Only the rules of this group; not beside `device_id`.")
      }
    }

    package struct Output: AferoBareAnswer {
      let rules: [Rule]

      package init(_ field: inout Fields) { rules = field("rules", "The rules; an empty list where there are none.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      let target: String
      switch (input.deviceID, input.deviceGroupID) {
      case (nil, nil): target = try path("accounts", input.accountID, "rules")
      case (let device?, nil): target = try path("accounts", input.accountID, "devices", device, "rules")
      case (nil, let group?): target = try path("accounts", input.accountID, "deviceGroups", group, "rules")
      case (_?, _?): throw badRequest.local(detail: "`device_id` and `device_group_id` are both given; give one of them")
      }
      return HTTPCall(.get, target, query: [(name: "expansions", value: "schedule")])
    }
  }

  /// `afero/get-rule`
  package enum GetRule: AferoOperation {
    package static let about = About("afero/get-rule", "Reads one rule, with its schedule.", effect: .read, token: .user)
    package static let example = Example.afero(
      "{\(RuleReference.exampleReference)}",
      """
      {"rule_id": "rul-1", "account_id": "acc-1", "label": "Morning", "enabled": true, "schedule_id": "sch-1", "schedule": "*",
       "device_actions": "*", "device_filter_criteria": [], "user_notifications": []}
      """, user: DeviceExample.user + Rule.exampleUser)

    package typealias Input = RuleReference
    package typealias Output = Rule

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .get, try path("accounts", input.accountID, "rules", input.ruleID), query: [(name: "expansions", value: "schedule,scene")])
    }
  }

  /// `afero/save-rule`
  package enum SaveRule: AferoOperation {
    package static let about = About(
      "afero/save-rule", "Makes a new rule, or replaces the one that `rule_id` names.", effect: .unsafe, token: .user)
    package static let example = Example.afero(
      #"{"account_id": "acc-1", \#(Rule.exampleMembers)}"#, Rule.exampleOutputs, user: DeviceExample.user + Schedule.exampleUser)

    package struct Input: DescribedRecord {
      let accountID: String
      let ruleID: String?
      let deviceGroupID: String?
      let label: String?
      let enabled: Bool
      let scheduleID: String?
      let deviceActions: [DeviceAction]
      let deviceFilterCriteria: [FilterCriterion]
      let userNotifications: [UserNotification]
      let accountNotificationID: String?

      package init(_ field: inout Fields) {
        accountID = field("account_id", Prose.account)
        ruleID = field("rule_id", "The rule that is replaced; without it a new one is made.")
        deviceGroupID = field("device_group_id", "The group that it belongs to.")
        label = field("label", "What people call it.")
        enabled = field("enabled", "Whether it acts by itself.", default: true)
        scheduleID = field("schedule_id", "When it acts, as `afero/create-schedule` gives it.")
        deviceActions = field("device_actions", "What it does.", default: [])
        deviceFilterCriteria = field("device_filter_criteria", "What must be so, or sets it off.", default: [])
        userNotifications = field("user_notifications", "Who is told.", default: [])
        accountNotificationID = field("account_notification_id", "What everybody of the account is told.")
      }
    }

    package typealias Output = Rule

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      var target = try path("accounts", input.accountID)
      if let group = input.deviceGroupID { target = try path("accounts", input.accountID, "deviceGroups", group) }
      let body = body(input, without: [])
      guard let rule = input.ruleID else { return HTTPCall(.post, "\(target)/rules", body: body) }
      guard let segment = PercentEncoding.pathSegment(rule) else { throw badID.local(detail: "`rule_id` is `\(rule)`") }
      return HTTPCall(.put, "\(target)/rules/\(segment)", body: body, effect: .idempotent)
    }
  }

  /// `afero/run-rule`
  package enum RunRule: AferoOperation {
    package static let about = About(
      "afero/run-rule", "Has a rule act now; the devices answer later.", effect: .unsafe, token: .user)
    package static let example = Example.afero(
      "{\(RuleReference.exampleReference)}", #"{"actions": "*"}"#, user: DeviceExample.user + Rule.exampleUser)

    package typealias Input = RuleReference

    package struct Output: AferoBareAnswer {
      let actions: [StartedAction]

      package init(_ field: inout Fields) { actions = field("actions", "What has begun.") }
    }

    package static func call(_ input: Input, _ settings: Settings) throws(StepFailure) -> HTTPCall {
      HTTPCall(
        .post, try path("accounts", input.accountID, "rules", input.ruleID, "actions"), body: .json(["type": "execute_actions"]))
    }
  }
}
