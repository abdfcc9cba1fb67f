import Values

extension AferoSandbox {
  static let password = Form.object([Form.required("password", .text(6...255))])

  static let newAccount = Form.object([
    Form.optional("account", .object([Form.optional("type", .filledText), Form.optional("description", .anyText)])),
    Form.required(
      "user",
      .object([
        Form.Member("firstName", .text(1...255), isRequired: true, reported: "firstname"),
        Form.Member("lastName", .text(1...255), isRequired: true, reported: "lastname"),
      ])),
    Form.required(
      "credential",
      .object([
        Form.required("credentialId", .pattern(.email)), Form.required("password", .text(6...255)), Form.optional("type", .filledText),
        Form.optional("verified", .flag),
      ])),
  ])

  static let mobileDevice = Form.object([
    Form.required("platform", .choice(["IOS", "ANDROID"])), Form.required("mobileDeviceId", .pattern(.uuid)),
    Form.optional("pushId", .pattern(.base64)), Form.optional("appId", .anyText), Form.optional("extendedData", .free),
  ])

  static let association = Form.object([
    Form.required("associationId", .filledText),
    Form.optional(
      "location",
      .object([
        Form.required("latitude", .pattern(.degrees)), Form.required("longitude", .pattern(.degrees)),
        Form.optional("locationSourceType", .anyText),
      ])),
  ])

  static let location = Form.object([
    Form.required("latitude", .pattern(.degrees)), Form.required("longitude", .pattern(.degrees)),
    Form.optional("locationSourceType", .anyText), Form.optional("formattedAddressLines", .list(.anyText)),
  ])

  static let timezone = Form.object([Form.required("timezone", .text(1...64)), Form.required("userOverride", .flag)])

  static let action = Form.object([
    Form.required("type", .choice(["attribute_write", "attribute_read"])), Form.required("attrId", .count),
    Form.optional("data", .pattern(.hex)), Form.optional("value", .anyText),
  ])

  static let requests = Form.list(
    .object([
      Form.required("type", .choice(["attribute_write", "attribute_read", "notify_viewing"])), Form.optional("attrId", .count),
      Form.optional("value", .anyText), Form.optional("seconds", .count),
    ]))

  static let tag = Form.object([
    Form.optional("deviceTagId", .anyText), Form.optional("key", .anyText), Form.required("value", .filledText),
    Form.optional("deviceTagType", .choice(["ACCOUNT", "SYSTEM"])), Form.optional("localizationKey", .anyText),
  ])

  static let group = Form.object([
    Form.required("accountId", .filledText), Form.required("label", .filledText), Form.optional("deviceGroupId", .anyText),
    Form.optional(
      "devices", .list(.object([Form.required("deviceId", .filledText), Form.optional("clientMetadata", .free)]))),
    Form.optional("clientMetadata", .free),
  ])

  static let schedule = Form.object([
    Form.optional("scheduleId", .anyText),
    Form.required("dayOfWeek", .list(.choice(["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]))),
    Form.required(
      "time",
      .object([
        Form.required("hour", .integer(0...23)), Form.required("minute", .integer(0...59)), Form.optional("seconds", .integer(0...59)),
        Form.required("timeZone", .text(1...64)),
      ])),
  ])

  private static let attributeValue = Form.object([Form.required("id", .count), Form.required("value", .anyText)])

  static let rule = Form.object([
    Form.optional("ruleId", .anyText), Form.required("accountId", .filledText), Form.optional("label", .anyText),
    Form.optional("enabled", .flag), Form.optional("scheduleId", .anyText), Form.optional("deviceGroupId", .anyText),
    Form.optional(
      "deviceActions",
      .list(
        .object([
          Form.required("deviceId", .filledText), Form.required("attributes", .list(attributeValue)),
          Form.optional("durationSeconds", .count),
        ]))),
    Form.optional(
      "deviceFilterCriteria",
      .list(
        .object([
          Form.required("attribute", attributeValue), Form.required("operation", .choice(["EQUALS", "GREATER_THAN", "LESS_THAN"])),
          Form.required("deviceId", .filledText), Form.optional("trigger", .flag),
        ]))),
    Form.optional(
      "userNotifications",
      .list(.object([Form.required("userId", .filledText), Form.required("notificationId", .filledText)]))),
    Form.optional("accountNotificationId", .anyText),
  ])

  static let invitation = Form.object([
    Form.required("targetEmail", .pattern(.email)), Form.optional("targetLocale", .anyText),
    Form.required("sourceAccountId", .filledText), Form.required("sourceUserId", .filledText),
    Form.optional("startAccessTimestamp", .milliseconds), Form.optional("endAccessTimestamp", .milliseconds),
    Form.optional("accountPrivilegesDto", .object([Form.optional("canWrite", .flag), Form.optional("owner", .flag)])),
    Form.optional("customMessage", .anyText),
  ])

  static let activity = Form.object([
    Form.required("createdTimestamp", .milliseconds), Form.required("message", .anyText),
    Form.required("historyType", .choice(historyTypes)), Form.optional("deviceId", .anyText),
    Form.optional("deviceFriendlyName", .anyText), Form.optional("attributeId", .count), Form.optional("attributeValue", .anyText),
    Form.optional("icon", .anyText), Form.optional("deviceIcon", .anyText), Form.optional("controlIcon", .anyText),
  ])

  static let historyTypes = [
    "NEW", "ATTRIBUTE", "ACTION_ATTRIBUTE_WRITE", "ACTION_ATTRIBUTE_UPDATE", "ACTION_DEVICE_AVAILABILITY", "ACTION_DEVICE_UPDATE",
    "AVAILABLE", "UNAVAILABLE", "STATE", "VERSION", "CONNECT", "DISCONNECT", "DISCONNECT_NOTIFICATION", "ASSOCIATE", "DISASSOCIATE",
    "LOCATION",
  ]
}
