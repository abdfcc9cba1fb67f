import SandboxKit
import Values

extension AferoSandbox.API {
  static var schemas: [(name: String, schema: Value)] { people + things + kept }

  private static let privileges = open([("owner", flag), ("canWrite", flag)])

  private static var people: [(name: String, schema: Value)] {
    let account = open([("accountId", text), ("type", text), ("description", text), ("createdTimestamp", whole)])
    let fieldError = open([("error", text), ("error_description", text), ("field", text), ("rejectedValue", [:])])
    return [
      (
        "Error",
        open(
          [
            ("error", text), ("error_description", text), ("fieldErrors", list(of: fieldError)), ("timestamp", whole),
            ("status", whole), ("service_name", text), ("region", text),
          ], required: ["error", "error_description"])
      ),
      (
        "Token",
        open([
          ("access_token", text), ("token_type", ["const": "bearer"]), ("expires_in", whole), ("refresh_token", text), ("scope", text),
        ])
      ),
      ("Account", account),
      ("Description", open([("description", text)])),
      (
        "User",
        open([
          ("userId", text), ("firstName", text), ("lastName", text),
          (
            "credential",
            open(
              [("credentialId", text), ("type", text), ("verified", flag), ("lastUsedTimestamp", whole), ("failedAttempts", whole)],
              required: ["credentialId", "type", "verified", "failedAttempts"])
          ),
          ("accountAccess", ["type": "array", "items": open([("account", account), ("privileges", privileges)])]),
          ("partnerAccess", list(of: free)), ("tos", list(of: free)),
        ])
      ),
      (
        "Conclave",
        open([
          (
            "conclaveHosts",
            ["type": "array", "items": open([("type", text), ("host", text), ("port", whole), ("ssl", flag), ("compression", flag)])]
          ),
          (
            "tokens",
            ["type": "array", "items": open([("token", text), ("channelId", text), ("expiresTimestamp", whole), ("client", free)])]
          ),
        ])
      ),
      (
        "AccountUser",
        open([
          ("userId", text), ("firstName", text), ("lastName", text), ("credentialId", text),
          (
            "userAccountAccess",
            open([
              ("accountId", text), ("userId", text), ("privileges", privileges), ("startAccessTimestamp", whole),
              ("endAccessTimestamp", whole),
            ])
          ),
        ])
      ),
      (
        "Invitation",
        open([
          ("value", text), ("credentialId", text), ("accountId", text), ("type", text), ("createdTimestamp", whole),
          ("expiresTimestamp", whole), ("tokenParams", text),
        ])
      ),
      (
        "Summary",
        open([
          ("users", list(of: .named("AccountUser"))), ("invitations", list(of: .named("Invitation"))),
        ])
      ),
    ]
  }

  private static var things: [(name: String, schema: Value)] {
    let maybeText: Value = maybeText
    let tag = open([
      ("deviceTagId", text), ("key", maybeText), ("value", text), ("deviceTagType", text), ("localizationKey", maybeText),
    ])
    let plain: [(String, Value)] = [
      ("deviceId", text), ("profileId", text), ("deviceTypeId", text), ("partnerId", text), ("friendlyName", text),
      ("createdTimestamp", whole), ("updating", flag), ("virtual", flag), ("developerDevice", flag),
      ("disconnectNotificationLevel", ["enum": ["LOW", "MEDIUM"]]),
    ]
    let expanded: [(String, Value)] = [
      ("deviceState", free), ("deviceTags", list(of: tag)), ("attributes", list(of: free)),
      ("extendedData", free), ("profile", free), ("timezone", free),
    ]
    return [
      ("Device", open(plain + expanded, required: plain.map(\.0))),
      ("Tag", tag),
      ("FriendlyName", open([("friendlyName", text)])),
      ("Versions", free),
      (
        "Location",
        open(
          [
            ("latitude", text), ("longitude", text), ("locationSourceType", text),
            ("formattedAddressLines", list(of: text)), ("lastUpdatedTimestamp", whole),
          ], required: ["latitude", "longitude"])
      ),
      ("Timezone", open([("timezone", text), ("userOverride", flag)])),
      (
        "Activity",
        open(
          [
            ("historyId", text), ("createdTimestamp", whole), ("message", text),
            ("historyType", ["enum": .list(AferoSandbox.historyTypes.map { .string($0) })]), ("deviceId", text),
            ("deviceFriendlyName", text), ("attributeId", whole), ("attributeValue", text), ("icon", text), ("deviceIcon", text),
            ("controlIcon", text),
          ], required: ["historyId", "createdTimestamp", "message", "historyType"])
      ),
      (
        "Started",
        open([("type", text), ("requestId", whole), ("timestampMs", whole), ("sender", text), ("source", free)])
      ),
      (
        "Result",
        open([
          ("status", ["enum": ["SUCCESS", "FAILURE", "NOT_ATTEMPTED"]]), ("requestId", whole), ("statusCode", whole),
          ("timestampMs", whole),
        ])
      ),
    ]
  }

  private static var kept: [(name: String, schema: Value)] {
    [
      (
        "Group",
        open([
          ("deviceGroupId", text), ("accountId", text), ("label", text), ("createdTimestamp", whole),
          ("devices", list(of: free)), ("clientMetadata", free),
        ])
      ),
      (
        "Schedule",
        open(
          [("scheduleId", text), ("dayOfWeek", list(of: text)), ("time", free), ("triggeredRuleId", text)],
          required: ["scheduleId", "dayOfWeek", "time"])
      ),
      (
        "Rule",
        open(
          [
            ("ruleId", text), ("accountId", text), ("label", text), ("enabled", flag), ("scheduleId", text),
            ("schedule", .named("Schedule")), ("deviceGroupId", text), ("deviceActions", list(of: free)),
            ("deviceFilterCriteria", list(of: free)), ("userNotifications", list(of: free)),
            ("accountNotificationId", text),
          ], required: ["ruleId", "accountId", "enabled", "deviceActions", "deviceFilterCriteria", "userNotifications"])
      ),
    ]
  }
}
