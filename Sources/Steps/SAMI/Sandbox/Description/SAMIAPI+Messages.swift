import HTTPTypes
import SandboxKit
import Values

extension SAMISandbox.API {
  private static let found: Value = list(of: .named("Message"))

  /// Messages, and what is counted of them.
  static var messages: [APIOperation] {
    [
      operation(
        "post-message", .post, "/messages", "Sends a message or an action.",
        body: (
          SAMISandbox.MessageRoutes.postFields,
          ["sdid": "d-31", "type": "message", "ts": 1_732_150_800_000, "data": ["numberOfSteps": 5120]]
        ),
        data("It is taken.", object([("mid", text)]), ["mid": "m-9001"]),
        also: [refusal(413, "The message is larger than 10 KB.", 413, "Message size exceeds 10 KB")]),
      operation(
        "get-messages", .get, "/messages", "Finds messages.", query: SAMISandbox.MessageRoutes.findFields,
        APIAnswer(
          200, "One page.",
          schema: object([
            ("uid?", text), ("sdid?", text), ("startDate?", count), ("endDate?", count), ("count", count),
            ("order", ["enum": ["asc", "desc"]]), ("size", count), ("next?", text), ("data", found),
          ]))),
      operation(
        "get-last-messages", .get, "/messages/last", "Reads the newest messages of devices.", query: SAMISandbox.MessageRoutes.lastFields,
        APIAnswer(200, "The messages.", schema: object([("sdids", text), ("count", count), ("size", count), ("data", found)]))),
      operation(
        "get-presence", .get, "/messages/presence", "Tells when there are messages.", query: SAMISandbox.AnalyticsRoutes.presenceFields,
        APIAnswer(
          200, "The pieces that have messages.",
          schema: object([
            ("sdid?", text), ("fieldPresence?", text), ("interval", ["enum": ["MINUTE", "HOUR", "DAY", "MONTH", "YEAR"]]),
            ("startDate", count), ("endDate", count), ("size", count),
            ("data", ["type": "array", "items": object([("startDate", count)])]),
          ]))),
      operation(
        "get-aggregates", .get, "/messages/analytics/aggregates", "Sums up a field.", query: SAMISandbox.AnalyticsRoutes.aggregateFields,
        statistics),
      operation(
        "get-histogram", .get, "/messages/analytics/histogram", "Sums up a field piece by piece.",
        query: SAMISandbox.AnalyticsRoutes.aggregateFields + [SAMISandbox.AnalyticsRoutes.intervalField], statistics),
    ]
  }

  /// The dates are texts here.
  private static let statistics = APIAnswer(
    200, "The sums.",
    schema: object([
      ("sdid", text), ("startDate", text), ("endDate", text), ("field", text), ("interval?", text), ("size", count),
      ("data", list(of: .named("Statistic"))),
    ]))

  static var exports: [APIOperation] {
    [
      operation(
        "create-export", .post, "/messages/export", "Asks for a file with many messages.",
        body: (
          SAMISandbox.ExportRoutes.fields, ["uids": "u-12", "startDate": 1_731_900_000_000, "endDate": 1_732_150_800_000]
        ),
        data(
          "It is being made.",
          object([
            ("exportId", text), ("uids?", text), ("sdids?", text), ("sdtids?", text), ("startDate", count), ("endDate", count),
            ("order", text), ("format", text),
          ]))),
      operation(
        "list-exports", .get, "/messages/export/history", "Lists the exports.",
        query: SAMIPage.fields() + [.init("trialId", .text, least: 1)], page("exports", "ExportStatus")),
      operation(
        "get-export-status", .get, "/messages/export/{id}/status", "Tells how far an export is.",
        APIAnswer(200, "How far it is.", schema: .named("ExportStatus"))),
      operation(
        "get-export-result", .get, "/messages/export/{id}/result", "Fetches the file.",
        APIAnswer(200, "The file.", mediaType: "application/x-compressed", schema: [:])),
    ]
  }

  static var subscriptions: [APIOperation] {
    let one = data("The subscription.", .named("Subscription"))
    let made = data("It has to be confirmed.", .named("Subscription"))
    var confirm = operation(
      "validate-subscription", .post, "/subscriptions/{id}/validate", "Confirms a subscription.",
      body: (SAMISandbox.SubscriptionRoutes.validationFields, ["aid": "app-1", "nonce": "n-44"]), one)
    confirm.security = nil
    confirm.answers.removeAll { $0.status == 401 || $0.status == 429 }
    return [
      operation(
        "create-subscription", .post, "/subscriptions", "Asks to be told of messages.", as: app,
        body: (
          SAMISandbox.SubscriptionRoutes.fields,
          [
            "messageType": "message", "uid": "u-12", "description": "all devices", "callbackUrl": "https://hooks.example.test/sami?u=12",
          ]
        ), made),
      operation(
        "list-subscriptions", .get, "/subscriptions", "Lists the application's subscriptions.", as: app,
        query: SAMIPage.fields() + [.init("uid", .text, least: 1)], page(nil, "Subscription")),
      operation("get-subscription", .get, "/subscriptions/{id}", "Reads a subscription.", as: app, one),
      operation("delete-subscription", .delete, "/subscriptions/{id}", "Deletes a subscription.", as: app, one),
      confirm,
      operation(
        "get-notification-messages", .get, "/notifications/{id}/messages", "Reads the messages of a notification.", as: app,
        query: SAMIPage.fields() + [.init("order", .choice(["asc", "desc"]))],
        APIAnswer(
          200, "One page.",
          schema: object([("order", text), ("total", count), ("offset", count), ("count", count), ("data", found)]))),
    ]
  }

  static var rules: [APIOperation] {
    let one = data("The rule.", .named("Rule"))
    let uid = [SAMISandbox.RuleRoutes.uid]
    let rule: Value = [
      "name": "steps", "enabled": true,
      "rule": [
        "if": ["and": [["sdid": "d-31", "field": "numberOfSteps", "operator": ">=", "operand": ["value": 10_000]]]],
        "then": [["ddid": "d-40", "action": "setOn", "parameters": [:]]],
      ],
    ]
    return [
      operation("list-rules", .get, "/rules", "Lists a user's rules.", query: SAMIPage.fields() + uid, page(nil, "Rule")),
      operation("create-rule", .post, "/rules", "Makes a rule.", body: (SAMISandbox.RuleRoutes.fields, rule), one),
      operation("get-rule", .get, "/rules/{id}", "Reads a rule.", query: uid, one),
      operation("update-rule", .put, "/rules/{id}", "Replaces a rule.", body: (SAMISandbox.RuleRoutes.fields, rule), one),
      operation("delete-rule", .delete, "/rules/{id}", "Deletes a rule.", query: uid, one),
      operation(
        "get-rule-executions", .get, "/rules/{id}/executions", "Tells how often a rule was applied.", query: uid,
        data("How often.", object([("countApply", count), ("lastApply?", count)]), ["countApply": 3, "lastApply": 1_732_150_800_000])),
      operation(
        "can-test-rule", .get, "/rules/{id}/actions", "Tells whether a rule may be tried out.", query: uid,
        data("Whether it may.", object([("testable", flag)]), ["testable": true])),
      operation(
        "test-rule", .post, "/rules/{id}/actions", "Carries out a rule's actions.", body: (uid, [:]),
        data("They are carried out.", free, [:])),
    ]
  }
}
