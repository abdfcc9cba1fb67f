package import StepKit
import Values

extension Afero {
  /// The value that an attribute has or gets.
  package struct AttributeValue: DescribedRecord {
    let id: Int
    let value_: String

    package init(_ field: inout Fields) {
      id = field("id", "The attribute's number.")
      value_ = field("value", "Its value as text.")
    }
  }

  /// What a rule does to a device.
  package struct DeviceAction: DescribedRecord {
    let deviceID: String
    let attributes: [AttributeValue]
    let durationSeconds: Int?

    package init(_ field: inout Fields) {
      deviceID = field("device_id", "The device.")
      attributes = field("attributes", "The values that it gets.")
      durationSeconds = field("duration_seconds", "For how long; for good unless given.", minimum: 0)
    }
  }

  /// How a filter compares.
  package enum FilterOperation: String, Choice {
    case equals = "EQUALS"
    case greaterThan = "GREATER_THAN"
    case lessThan = "LESS_THAN"
  }

  /// What must be so for a rule to act, or what sets it off.
  package struct FilterCriterion: DescribedRecord {
    let attribute: AttributeValue
    let operation: FilterOperation
    let deviceID: String
    let trigger: Bool

    package init(_ field: inout Fields) {
      attribute = field("attribute", "The attribute, and what it is compared with.")
      operation = field("operation", "How.")
      deviceID = field("device_id", "The device.")
      trigger = field("trigger", "Whether it sets the rule off.", default: false)
    }
  }

  /// The same as an answer has it, where Afero may know further ways to compare.
  package struct AnsweredCriterion: DescribedRecord {
    let attribute: AttributeValue
    let operation: String
    let deviceID: String?
    let trigger: Bool?

    package init(_ field: inout Fields) {
      attribute = field("attribute", "The attribute, and what it is compared with.")
      operation = field("operation", "How, such as `EQUALS`.")
      deviceID = field("device_id", "The device.")
      trigger = field("trigger", "Whether it sets the rule off.")
    }
  }

  /// Who is told when a rule acts.
  package struct UserNotification: DescribedRecord {
    let userID: String
    let notificationID: String

    package init(_ field: inout Fields) {
      userID = field("user_id", "The person.")
      notificationID = field("notification_id", "What they are told.")
    }
  }

  /// What devices do by themselves.
  package struct Rule: AferoKeptThing {
    let ruleID: String
    let accountID: String?
    let label: String?
    let enabled: Bool?
    let scheduleID: String?
    let schedule: Schedule?
    let deviceGroupID: String?
    let deviceActions: [DeviceAction]
    let deviceFilterCriteria: [AnsweredCriterion]
    let userNotifications: [UserNotification]
    let accountNotificationID: String?

    package init(_ field: inout Fields) {
      ruleID = field("rule_id", "Its id.")
      accountID = field("account_id", "The account that keeps it.")
      label = field("label", "What people call it.")
      enabled = field("enabled", "Whether it acts by itself.")
      scheduleID = field("schedule_id", "When it acts.")
      schedule = field("schedule", "The same in full.")
      deviceGroupID = field("device_group_id", "The group that it belongs to.")
      deviceActions = field("device_actions", "What it does.", default: [])
      deviceFilterCriteria = field("device_filter_criteria", "What must be so, or sets it off.", default: [])
      userNotifications = field("user_notifications", "Who is told.", default: [])
      accountNotificationID = field("account_notification_id", "What everybody of the account is told.")
    }

    package static let noun = "rule"
    package static let plural = "rules"
    package static let exampleID = "rul-1"
    package static let exampleMembers = """
      "label": "Morning", "enabled": true, "schedule_id": "sch-1",
      "device_actions": [{"device_id": "dev-3", "attributes": [{"id": 1, "value": "1"}], "duration_seconds": 600}]
      """
    package static let exampleUser = Schedule.exampleUser + #", "rules": [{"rule_id": "rul-1", \#(exampleMembers)}]"#
    package static let exampleOutputs = """
      {"rule_id": "*", "account_id": "acc-1", "label": "Morning", "enabled": true, "schedule_id": "sch-1", "device_actions": "*",
       "device_filter_criteria": [], "user_notifications": []}
      """
  }

  /// The input of what concerns a rule.
  package struct RuleReference: AferoKeptReference {
    package typealias Thing = Rule
    package static let pathMembers: Set<String> = ["account_id", "rule_id"]
    package static let idName = "rule_id"

    package let accountID: String
    let ruleID: String

    package var id: String { ruleID }

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      ruleID = field("rule_id", "The rule, as `afero/list-rules` gives it.")
    }
  }
}
