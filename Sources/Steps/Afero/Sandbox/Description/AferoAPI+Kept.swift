import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox.API {
  static var groups: [APIOperation] {
    [
      operation("list-groups", .get, "/deviceGroups", "Lists the groups.", list("They.", "Group")),
      operation(
        "get-group", .get, "/deviceGroups/{id}", "Reads a group.", at: [reference("id", "The group.", "grp-1")], ok("The group.", "Group")),
    ] + saved("group", "/deviceGroups", "Group", AferoSandbox.group, groupExample)
  }

  static var schedules: [APIOperation] {
    saved("schedule", "/schedules", "Schedule", AferoSandbox.schedule, scheduleExample)
  }

  static var rules: [APIOperation] {
    let act = AferoSandbox.Form.object([.init("type", .choice(["execute_actions"]), isRequired: true)])
    let ruleID = reference("id", "The rule.", "rul-1")
    return [
      operation(
        "list-rules", .get, "/rules", "Lists the rules; with the expansion `schedule` in full.", at: [expansions],
        list("They.", "Rule")),
      operation(
        "list-device-rules", .get, "/devices/{deviceId}/rules", "Lists a device's rules.", at: [device, expansions],
        list("They.", "Rule")),
      operation(
        "list-group-rules", .get, "/deviceGroups/{groupId}/rules", "Lists a group's rules.", at: [group, expansions],
        list("They.", "Rule")),
      operation("get-rule", .get, "/rules/{id}", "Reads a rule.", at: [ruleID, expansions], ok("The rule.", "Rule")),
      operation(
        "create-group-rule", .post, "/deviceGroups/{groupId}/rules", "Makes a group's rule.", at: [group],
        body: body(AferoSandbox.rule, ruleExample), ok("The rule.", "Rule")),
      operation(
        "update-group-rule", .put, "/deviceGroups/{groupId}/rules/{id}", "Replaces a group's rule.", at: [group, ruleID],
        body: body(AferoSandbox.rule, ruleExample), ok("The rule.", "Rule")),
      operation(
        "run-rule", .post, "/rules/{id}/actions", "Has a rule act now.", at: [ruleID], body: body(act, ["type": "execute_actions"]),
        list("What has begun.", "Started")),
    ] + saved("rule", "/rules", "Rule", AferoSandbox.rule, ruleExample)
  }

  /// Making, replacing and deleting one.
  private static func saved(
    _ noun: String, _ path: String, _ schema: String, _ form: AferoSandbox.Form, _ example: Value
  ) -> [APIOperation] {
    let one = [reference("id", "Its id.", .string("\(noun)-1"))]
    return [
      operation("create-\(noun)", .post, path, "Makes a \(noun).", body: body(form, example), ok("It.", schema)),
      operation("update-\(noun)", .put, "\(path)/{id}", "Replaces a \(noun).", at: one, body: body(form, example), ok("It.", schema)),
      operation("delete-\(noun)", .delete, "\(path)/{id}", "Deletes a \(noun).", at: one, empty("It is gone.")),
    ]
  }

  private static let groupExample: Value = [
    "accountId": "acc-1", "label": "Upstairs", "devices": [["deviceId": "dev-1", "clientMetadata": [:]]], "clientMetadata": [:],
  ]

  private static let scheduleExample: Value = [
    "dayOfWeek": ["MON", "TUE"], "time": ["hour": 7, "minute": 30, "seconds": 0, "timeZone": "America/Los_Angeles"],
  ]

  private static let ruleExample: Value = [
    "accountId": "acc-1", "label": "Morning", "enabled": true, "scheduleId": "sch-1",
    "deviceActions": [["deviceId": "dev-1", "attributes": [["id": 1, "value": "1"]], "durationSeconds": 600]],
    "deviceFilterCriteria": [], "userNotifications": [],
  ]
}
