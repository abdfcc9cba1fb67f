package import StepKit
import Values

extension Afero {
  /// A day, as Afero writes it.
  package enum Day: String, Choice {
    case sunday = "SUN"
    case monday = "MON"
    case tuesday = "TUE"
    case wednesday = "WED"
    case thursday = "THU"
    case friday = "FRI"
    case saturday = "SAT"
  }

  /// A time of day somewhere.
  package struct TimeOfDay: DescribedRecord {
    let hour: Int
    let minute: Int
    let seconds: Int
    let timeZone: String

    package init(_ field: inout Fields) {
      hour = field("hour", "The hour.", minimum: 0, maximum: 23)
      minute = field("minute", "The minute.", minimum: 0, maximum: 59)
      seconds = field("seconds", "The second.", default: 0, minimum: 0, maximum: 59)
      timeZone = field("time_zone", "Where: a name of the IANA's list, such as `America/Los_Angeles`.")
    }
  }

  /// When a rule runs by itself.
  package struct Schedule: AferoKeptThing {
    let scheduleID: String
    let dayOfWeek: [String]?
    let time: TimeOfDay?
    let triggeredRuleID: String?

    package init(_ field: inout Fields) {
      scheduleID = field("schedule_id", "Its id.")
      dayOfWeek = field("day_of_week", "The days.")
      time = field("time", "The time of day.")
      triggeredRuleID = field("triggered_rule_id", "The rule that it runs.")
    }

    package static let noun = "schedule"
    package static let plural = "schedules"
    package static let exampleID = "sch-1"
    package static let exampleMembers = """
      "day_of_week": ["MON", "TUE"], "time": {"hour": 7, "minute": 30, "seconds": 0, "time_zone": "America/Los_Angeles"}
      """
    package static let exampleUser = #", "schedules": [{"schedule_id": "sch-1", \#(exampleMembers)}]"#
    package static let exampleOutputs = #"{"schedule_id": "sch-1", \#(exampleMembers)}"#
  }

  /// What a new schedule is made of.
  package struct NewSchedule: AferoKeptInput {
    package typealias Thing = Schedule
    package static let pathMembers: Set<String> = ["account_id"]

    package let accountID: String
    let dayOfWeek: [Day]
    let time: TimeOfDay

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      dayOfWeek = field("day_of_week", "The days.")
      time = field("time", "The time of day.")
    }
  }

  /// What a schedule is from now on.
  package struct ChangedSchedule: AferoKeptReference {
    package typealias Thing = Schedule
    package static let pathMembers: Set<String> = ["account_id", "schedule_id"]
    package static let idName = "schedule_id"

    package let accountID: String
    let scheduleID: String
    let dayOfWeek: [Day]
    let time: TimeOfDay

    package var id: String { scheduleID }

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      scheduleID = field("schedule_id", ScheduleReference.about)
      dayOfWeek = field("day_of_week", "The days.")
      time = field("time", "The time of day.")
    }
  }

  /// The input of what concerns a schedule.
  package struct ScheduleReference: AferoKeptReference {
    package typealias Thing = Schedule
    package static let pathMembers: Set<String> = ["account_id", "schedule_id"]
    package static let idName = "schedule_id"
    static let about = "The schedule, as `afero/create-schedule` gives it."

    package let accountID: String
    let scheduleID: String

    package var id: String { scheduleID }

    package init(_ field: inout Fields) {
      accountID = field("account_id", Prose.account)
      scheduleID = field("schedule_id", Self.about)
    }
  }
}
