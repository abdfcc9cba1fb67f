import Testing

extension AferoRequests {
  /// Those of what an account keeps, and of who may use it.
  static let kept: [Sent] = [
    Sent(
      step: "list-groups", with: #"{"account_id": "acc-71"}"#, line: "GET /v1/accounts/acc-71/deviceGroups",
      answer: """
        [{"accountId":"acc-71","deviceGroupId":"grp-2","label":"Upstairs","createdTimestamp":1732150000000,"devices":[{"deviceId":"dev-3","clientMetadata":{}}],"clientMetadata":{}}]
        """),
    Sent(
      step: "create-group", with: #"{"account_id": "acc-71", "label": "Upstairs", "devices": [{"device_id": "dev-3"}]}"#,
      line: "POST /v1/accounts/acc-71/deviceGroups",
      body: """
        {"accountId":"acc-71","label":"Upstairs","devices":[{"deviceId":"dev-3","clientMetadata":{}}],"clientMetadata":{}}
        """, answer: #"{"deviceGroupId":"grp-2"}"#),
    Sent(
      step: "get-group", with: #"{"account_id": "acc-71", "device_group_id": "grp-2"}"#,
      line: "GET /v1/accounts/acc-71/deviceGroups/grp-2", answer: #"{"deviceGroupId":"grp-2"}"#),
    Sent(
      step: "delete-group", with: #"{"account_id": "acc-71", "device_group_id": "grp-2"}"#,
      line: "DELETE /v1/accounts/acc-71/deviceGroups/grp-2"),
    Sent(
      step: "update-group",
      with: """
        {"account_id": "acc-71", "device_group_id": "grp-2", "label": "Attic", "devices": [{"device_id": "dev-3"}],
         "client_metadata": {"last_seen": {"by_whom": 1}}}
        """,
      line: "PUT /v1/accounts/acc-71/deviceGroups/grp-2",
      body: """
        {"accountId":"acc-71","deviceGroupId":"grp-2","label":"Attic","devices":[{"deviceId":"dev-3","clientMetadata":{}}],
         "clientMetadata":{"last_seen":{"by_whom":1}}}
        """, answer: #"{"deviceGroupId":"grp-2","devices":[]}"#),
    Sent(
      step: "create-schedule",
      with: """
        {"account_id": "acc-71", "day_of_week": ["MON", "TUE"], "time": {"hour": 7, "minute": 30, "time_zone": "America/Los_Angeles"}}
        """, line: "POST /v1/accounts/acc-71/schedules",
      body: #"{"dayOfWeek":["MON","TUE"],"time":{"hour":7,"minute":30,"seconds":0,"timeZone":"America/Los_Angeles"}}"#,
      answer: #"{"scheduleId":"sch-1"}"#),
    Sent(
      step: "save-rule",
      with: """
        {"account_id": "acc-71", "label": "Morning", "schedule_id": "sch-1",
         "device_actions": [{"device_id": "dev-3", "attributes": [{"id": 1, "value": "1"}], "duration_seconds": 600}]}
        """,
      line: "POST /v1/accounts/acc-71/rules",
      body: """
        {"accountId":"acc-71","label":"Morning","enabled":true,"scheduleId":"sch-1","deviceActions":[{"deviceId":"dev-3","attributes":[{"id":1,"value":"1"}],"durationSeconds":600}],"deviceFilterCriteria":[],"userNotifications":[]}
        """, answer: #"{"ruleId":"rul-1"}"#),
    Sent(
      step: "save-rule", with: #"{"account_id": "acc-71", "device_group_id": "grp-2", "rule_id": "rul-1"}"#,
      line: "PUT /v1/accounts/acc-71/deviceGroups/grp-2/rules/rul-1",
      body: """
        {"accountId":"acc-71","ruleId":"rul-1","deviceGroupId":"grp-2","enabled":true,"deviceActions":[],"deviceFilterCriteria":[],"userNotifications":[]}
        """, answer: #"{"ruleId":"rul-1"}"#),
    Sent(
      step: "list-rules", with: #"{"account_id": "acc-71", "device_id": "dev-3"}"#,
      line: "GET /v1/accounts/acc-71/devices/dev-3/rules?expansions=schedule", answer: "[]"),
    Sent(
      step: "list-rules", with: #"{"account_id": "acc-71", "device_group_id": "grp-2"}"#,
      line: "GET /v1/accounts/acc-71/deviceGroups/grp-2/rules?expansions=schedule", answer: "[]"),
    Sent(
      step: "get-rule", with: #"{"account_id": "acc-71", "rule_id": "rul-1"}"#,
      line: "GET /v1/accounts/acc-71/rules/rul-1?expansions=schedule%2Cscene", answer: #"{"ruleId":"rul-1"}"#),
    Sent(
      step: "update-schedule",
      with: """
        {"account_id": "acc-71", "schedule_id": "sch-1", "day_of_week": ["SUN"], "time": {"hour": 7, "minute": 30, "time_zone": "UTC"}}
        """, line: "PUT /v1/accounts/acc-71/schedules/sch-1",
      body: #"{"dayOfWeek":["SUN"],"time":{"hour":7,"minute":30,"seconds":0,"timeZone":"UTC"}}"#,
      answer: #"{"scheduleId":"sch-1","triggeredRuleId":"rul-1"}"#),
    Sent(
      step: "delete-schedule", with: #"{"account_id": "acc-71", "schedule_id": "sch-1"}"#,
      line: "DELETE /v1/accounts/acc-71/schedules/sch-1"),
    Sent(
      step: "delete-rule", with: #"{"account_id": "acc-71", "rule_id": "rul-1"}"#, line: "DELETE /v1/accounts/acc-71/rules/rul-1"),
    Sent(
      step: "list-access", with: #"{"account_id": "acc-71"}"#, line: "GET /v1/accounts/acc-71/userAccountAccess",
      answer: #"[{"userId":"usr-9","userAccountAccess":{"startAccessTimestamp":1,"endAccessTimestamp":2}}]"#),
    Sent(
      step: "run-rule", with: #"{"account_id": "acc-71", "rule_id": "rul-1"}"#, line: "POST /v1/accounts/acc-71/rules/rul-1/actions",
      body: #"{"type":"execute_actions"}"#,
      answer: #"[{"requestId":15,"type":"execute_actions","timestampMs":1732150900000,"sender":"ClientApi","source":{"type":"user"}}]"#),
    Sent(
      step: "invite-user",
      with: """
        {"account_id": "acc-71", "target_email": "bo@example.test", "source_user_id": "usr-9", "can_write": true,
         "custom_message": "Welcome"}
        """,
      line: "POST /v1/accounts/acc-71/invitations",
      body: """
        {"targetEmail":"bo@example.test","targetLocale":"en_US","sourceAccountId":"acc-71","sourceUserId":"usr-9","startAccessTimestamp":0,"endAccessTimestamp":0,"accountPrivilegesDto":{"canWrite":true,"owner":false},"customMessage":"Welcome"}
        """),
    Sent(
      step: "get-user-summary", with: #"{"account_id": "acc-71"}"#, line: "GET /v1/accounts/acc-71/accountUserSummary",
      answer: """
        {"users":[{"userId":"usr-9","firstName":"Ann","lastName":"Lee","credentialId":"ann@example.test","userAccountAccess":{"accountId":"acc-71","userId":"usr-9","privileges":{"canWrite":true,"owner":true},"startAccessTimestamp":0,"endAccessTimestamp":0}}],
         "invitations":[{"value":"inv-1","credentialId":"bo@example.test","accountId":"acc-71","type":"ACCOUNT_INVITE","createdTimestamp":1732150900000,"expiresTimestamp":1732750900000,"tokenParams":"{}"}]}
        """),
    Sent(
      step: "revoke-access", with: #"{"account_id": "acc-71", "user_id": "usr-2"}"#,
      line: "DELETE /v1/accounts/acc-71/userAccountAccess/usr-2"),
    Sent(
      step: "revoke-invitation", with: #"{"account_id": "acc-71", "invitation_id": "inv-1"}"#,
      line: "DELETE /v1/accounts/acc-71/invitations/inv-1"),
  ]
}
