import SandboxKit
import Values

extension AferoSandbox.API {
  static var schemas: [(name: String, schema: Value)] { people + things + kept }

  private static let privileges = object([("owner", flag), ("canWrite", flag)])

  private static var people: [(name: String, schema: Value)] {
    let account = object([("accountId", text), ("type", text), ("description", text), ("createdTimestamp", number)])
    let fieldError = object([("error", text), ("error_description", text), ("field", text), ("rejectedValue", [:])])
    return [
      (
        "Error",
        object(
          [
            ("error", text), ("error_description", text), ("fieldErrors", ["type": "array", "items": fieldError]), ("timestamp", number),
            ("status", number), ("service_name", text), ("region", text),
          ], required: ["error", "error_description"])
      ),
      (
        "Token",
        object([
          ("access_token", text), ("token_type", ["const": "bearer"]), ("expires_in", number), ("refresh_token", text), ("scope", text),
        ])
      ),
      ("Account", account),
      ("Description", object([("description", text)])),
      (
        "User",
        object([
          ("userId", text), ("firstName", text), ("lastName", text),
          (
            "credential",
            object(
              [("credentialId", text), ("type", text), ("verified", flag), ("lastUsedTimestamp", number), ("failedAttempts", number)],
              required: ["credentialId", "type", "verified", "failedAttempts"])
          ),
          ("accountAccess", ["type": "array", "items": object([("account", account), ("privileges", privileges)])]),
          ("partnerAccess", ["type": "array", "items": free]), ("tos", ["type": "array", "items": free]),
        ])
      ),
      (
        "Conclave",
        object([
          (
            "conclaveHosts",
            ["type": "array", "items": object([("type", text), ("host", text), ("port", number), ("ssl", flag), ("compression", flag)])]
          ),
          (
            "tokens",
            ["type": "array", "items": object([("token", text), ("channelId", text), ("expiresTimestamp", number), ("client", free)])]
          ),
        ])
      ),
      (
        "AccountUser",
        object([
          ("userId", text), ("firstName", text), ("lastName", text), ("credentialId", text),
          (
            "userAccountAccess",
            object([
              ("accountId", text), ("userId", text), ("privileges", privileges), ("startAccessTimestamp", number),
              ("endAccessTimestamp", number),
            ])
          ),
        ])
      ),
      (
        "Invitation",
        object([
          ("value", text), ("credentialId", text), ("accountId", text), ("type", text), ("createdTimestamp", number),
          ("expiresTimestamp", number), ("tokenParams", text),
        ])
      ),
      (
        "Summary",
        object([
          ("users", ["type": "array", "items": .named("AccountUser")]), ("invitations", ["type": "array", "items": .named("Invitation")]),
        ])
      ),
    ]
  }

  private static var things: [(name: String, schema: Value)] {
    let maybeText: Value = ["type": ["string", "null"]]
    let tag = object([
      ("deviceTagId", text), ("key", maybeText), ("value", text), ("deviceTagType", text), ("localizationKey", maybeText),
    ])
    let plain: [(String, Value)] = [
      ("deviceId", text), ("profileId", text), ("deviceTypeId", text), ("partnerId", text), ("friendlyName", text),
      ("createdTimestamp", number), ("updating", flag), ("virtual", flag), ("developerDevice", flag),
      ("disconnectNotificationLevel", ["enum": ["LOW", "MEDIUM"]]),
    ]
    let expanded: [(String, Value)] = [
      ("deviceState", free), ("deviceTags", ["type": "array", "items": tag]), ("attributes", ["type": "array", "items": free]),
      ("extendedData", free), ("profile", free), ("timezone", free),
    ]
    return [
      ("Device", object(plain + expanded, required: plain.map(\.0))),
      ("Tag", tag),
      ("FriendlyName", object([("friendlyName", text)])),
      ("Versions", free),
      (
        "Location",
        object(
          [
            ("latitude", text), ("longitude", text), ("locationSourceType", text),
            ("formattedAddressLines", ["type": "array", "items": text]), ("lastUpdatedTimestamp", number),
          ], required: ["latitude", "longitude"])
      ),
      ("Timezone", object([("timezone", text), ("userOverride", flag)])),
      (
        "Activity",
        object(
          [
            ("historyId", text), ("createdTimestamp", number), ("message", text),
            ("historyType", ["enum": .list(AferoSandbox.historyTypes.map { .string($0) })]), ("deviceId", text),
            ("deviceFriendlyName", text), ("attributeId", number), ("attributeValue", text),
          ], required: ["historyId", "createdTimestamp", "message", "historyType"])
      ),
      (
        "Started",
        object([("type", text), ("requestId", number), ("timestampMs", number), ("sender", text), ("source", free)])
      ),
      (
        "Result",
        object([
          ("status", ["enum": ["SUCCESS", "FAILURE", "NOT_ATTEMPTED"]]), ("requestId", number), ("statusCode", number),
          ("timestampMs", number),
        ])
      ),
    ]
  }

  private static var kept: [(name: String, schema: Value)] {
    [
      (
        "Group",
        object([
          ("deviceGroupId", text), ("accountId", text), ("label", text), ("createdTimestamp", number),
          ("devices", ["type": "array", "items": free]), ("clientMetadata", free),
        ])
      ),
      (
        "Schedule",
        object(
          [("scheduleId", text), ("dayOfWeek", ["type": "array", "items": text]), ("time", free), ("triggeredRuleId", text)],
          required: ["scheduleId", "dayOfWeek", "time"])
      ),
      (
        "Rule",
        object(
          [
            ("ruleId", text), ("accountId", text), ("label", text), ("enabled", flag), ("scheduleId", text),
            ("schedule", .named("Schedule")), ("deviceGroupId", text), ("deviceActions", ["type": "array", "items": free]),
            ("deviceFilterCriteria", ["type": "array", "items": free]), ("userNotifications", ["type": "array", "items": free]),
            ("accountNotificationId", text),
          ], required: ["ruleId", "accountId", "enabled", "deviceActions", "deviceFilterCriteria", "userNotifications"])
      ),
    ]
  }
}
