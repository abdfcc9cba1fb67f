import Testing

/// The documented requests and answers of Afero, and the inputs that make them.
enum AferoRequests {
  /// One request as it must look.
  struct Sent: Sendable, CustomTestStringConvertible {
    let step: String
    let with: String
    let line: String
    var body: String?
    var answer = "{}"

    var testDescription: String { "\(step): \(line)" }
  }

  private static let device = #""account_id": "acc-71", "device_id": "dev-3""#

  static let sent = single + kept

  private static let single: [Sent] = [
    Sent(
      step: "create-account",
      with: #"{"credential_id": "ann@example.test", "password": "hunter22", "first_name": "Ann", "last_name": "Lee"}"#,
      line: "POST /v1/accounts",
      body: """
        {"account":{"type":"CUSTOMER","description":"Primary Account"},"user":{"firstName":"Ann","lastName":"Lee"},
         "credential":{"credentialId":"ann@example.test","password":"hunter22","type":"email","verified":false}}
        """, answer: #"{"accountId":"acc-71","type":"CUSTOMER","description":"Primary Account","createdTimestamp":1732150800000}"#),
    Sent(
      step: "set-account-description", with: #"{"account_id": "acc-71", "description": "Cabin by the lake"}"#,
      line: "PUT /v1/accounts/acc-71/description", body: #"{"description":"Cabin by the lake"}"#,
      answer: #"{"description":"Cabin by the lake"}"#),
    Sent(
      step: "reset-password", with: #"{"credential_id": "ann@example.test"}"#,
      line: "POST /v1/credentials/ann%40example%2Etest/passwordReset"),
    Sent(
      step: "send-password-recovery-email", with: #"{"credential_id": "a-b_c~d+e@x.y"}"#,
      line: "POST /v1/credentials/a%2Db%5Fc%7Ed%2Be%40x%2Ey/passwordReset"),
    Sent(
      step: "get-account-info", with: "{}", line: "GET /v1/users/me",
      answer: """
        {"userId":"usr-9","firstName":"Ann","lastName":"Lee",
         "credential":{"credentialId":"ann@example.test","type":"EMAIL","verified":false,"lastUsedTimestamp":1732150800000,"failedAttempts":0},
         "accountAccess":[{"account":{"accountId":"acc-71","type":"CUSTOMER","description":"Primary Account","createdTimestamp":1732150800000},
           "privileges":{"owner":true,"canWrite":true}}],
         "partnerAccess":[],"tos":[{"tosType":"user","currentVersion":1,"userVersion":1,"needsAcceptance":false,"url":"https://cdn.afero.io/tos/user/v1/user.html"}]}
        """),
    Sent(
      step: "update-device-info",
      with: """
        {"user_id": "usr-9", "platform": "IOS", "mobile_device_id": "7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77", "app_id": "com.example.house",
         "push_id": "nzHA3g==", "extended_data": {"app_identifier":"com.example.house","system_os_version":"17.1"}}
        """,
      line: "POST /v1/users/usr-9/mobileDevices",
      body: """
        {"platform":"IOS","mobileDeviceId":"7E5B1C64-0B6B-4B7E-8E2C-5B9C2E0F1A77","appId":"com.example.house","pushId":"nzHA3g==",
         "extendedData":{"app_identifier":"com.example.house","system_os_version":"17.1"}}
        """),
    Sent(
      step: "disassociate-mobile-device", with: #"{"user_id": "usr-9", "mobile_device_id": "7E5B"}"#,
      line: "DELETE /v1/users/usr-9/mobileDevices/7E5B"),
    Sent(
      step: "update-password-with-code", with: #"{"code": "48/29", "password": "newhunter22"}"#,
      line: "POST /v1/shortvalues/48%2F29/passwordReset", body: #"{"password":"newhunter22"}"#),
    Sent(
      step: "update-password", with: #"{"account_id": "acc-71", "credential_id": "ann@example.test", "password": "newhunter22"}"#,
      line: "PUT /v1/accounts/acc-71/credentials/ann%40example%2Etest/password", body: #"{"password":"newhunter22"}"#),
    Sent(
      step: "resend-verification", with: #"{"account_id": "acc-71", "credential_id": "ann@example.test"}"#,
      line: "POST /v1/accounts/acc-71/credentials/ann%40example%2Etest/resendVerification", body: #"{"credentialId":"ann@example.test"}"#),
    Sent(
      step: "get-conclave-access", with: #"{"account_id": "acc-71"}"#, line: "POST /v1/accounts/acc-71/conclaveAccess",
      body: #"{"user":true}"#,
      answer: """
        {"conclaveHosts":[{"type":"SOCKET","host":"conclave.example.test","port":8883,"ssl":true,"compression":true}],
         "tokens":[{"token":"cv-1","channelId":"acc-71","expiresTimestamp":1732240000000,"client":{"type":"user","userId":"usr-9"}}]}
        """),
    Sent(
      step: "list-activity", with: #"{"account_id": "acc-71", "device_id": "dev-3", "end_timestamp": 1732150900000, "filter": "x y"}"#,
      line: "GET /v1/accounts/acc-71/devices/dev-3/activity?endTimestamp=1732150900000&limit=40&filter=x%20y",
      answer: """
        [{"historyId":"h-2","createdTimestamp":1732150900000,"historyType":"ATTRIBUTE","message":"Fan turned on","deviceId":"dev-3","attributeId":1,"attributeValue":"1"}]
        """),
    Sent(
      step: "list-activity", with: #"{"account_id": "acc-71"}"#,
      line: "GET /v1/accounts/acc-71/activity?endTimestamp=1732150800000&limit=40", answer: "[]"),
    Sent(
      step: "list-devices", with: #"{"account_id": "acc-71"}"#,
      line: "GET /v1/accounts/acc-71/devices?expansions=state%2Ctags%2Cattributes%2CextendedData%2Cprofile%2Ctimezone",
      answer: """
        [{"deviceId":"dev-3","profileId":"prf-1","deviceTypeId":"typ-1","partnerId":"par-1","friendlyName":"Hall fan","createdTimestamp":1732150000000,"updating":false,"virtual":false,"developerDevice":false,"disconnectNotificationLevel":"LOW",
          "deviceState":{"available":true,"visible":true,"dirty":false,"rebooted":false,"connectable":false,"connected":true,"linked":true,"rssi":-51,"updatedTimestamp":1732150900000},
          "attributes":[{"id":1,"data":"01","updatedTimestamp":1732150900000}]}]
        """),
    Sent(
      step: "get-device", with: "{\(device)}", line: "GET /v1/accounts/acc-71/devices/dev-3?expansions=extendedData",
      answer: #"{"deviceId":"dev-3"}"#),
    Sent(
      step: "associate-device",
      with: """
        {"account_id": "acc-71", "association_id": "0123456789abcdef", "locale": "en_US", "verified": true, "expansions": ["state"],
         "location": {"latitude": 47.61, "longitude": "-122.33", "location_source_type": "INITIAL_DEVICE_ASSOCIATE"}}
        """,
      line: "POST /v1/accounts/acc-71/devices?expansions=state&locale=en_US&imageSize=2x&verified=true",
      body: """
        {"associationId":"0123456789abcdef","location":{"latitude":"47.61","longitude":"-122.33","locationSourceType":"INITIAL_DEVICE_ASSOCIATE"}}
        """, answer: #"{"deviceId":"dev-3"}"#),
    Sent(step: "remove-device", with: "{\(device)}", line: "DELETE /v1/accounts/acc-71/devices/dev-3"),
    Sent(
      step: "rename-device", with: #"{\#(device), "friendly_name": "Fan"}"#, line: "PUT /v1/accounts/acc-71/devices/dev-3/friendlyName",
      body: #"{"friendlyName":"Fan"}"#, answer: #"{"friendlyName":"Fan"}"#),
    Sent(
      step: "get-location", with: "{\(device)}", line: "GET /v1/accounts/acc-71/devices/dev-3/location",
      answer: #"{"latitude":47.61,"longitude":"-122.33"}"#),
    Sent(
      step: "set-location", with: #"{\#(device), "latitude": 47.61, "longitude": -122.33, "formatted_address_lines": ["1 Pine St"]}"#,
      line: "PUT /v1/accounts/acc-71/devices/dev-3/location",
      body: """
        {"latitude":"47.61","longitude":"-122.33","locationSourceType":"USER_DEFINED_LOCATION","formattedAddressLines":["1 Pine St"]}
        """, answer: #"{"latitude":"47.61","longitude":"-122.33","lastUpdatedTimestamp":1732150900000}"#),
    Sent(step: "get-timezone", with: "{\(device)}", line: "GET /v1/accounts/acc-71/devices/dev-3/timezone"),
    Sent(
      step: "set-timezone", with: #"{\#(device), "timezone": "America/Los_Angeles"}"#,
      line: "PUT /v1/accounts/acc-71/devices/dev-3/timezone", body: #"{"timezone":"America/Los_Angeles","userOverride":true}"#),
    Sent(
      step: "send-action", with: #"{\#(device), "attr_id": 1, "data": "01"}"#, line: "POST /v1/accounts/acc-71/devices/dev-3/actions",
      body: #"{"type":"attribute_write","attrId":1,"data":"01"}"#,
      answer: """
        {"type":"attribute_write","requestId":14,"timestampMs":1732150900000,"sender":"ClientApi","source":{"type":"user","userId":"usr-9","firstName":"Ann","lastName":"Lee"}}
        """),
    Sent(
      step: "send-requests", with: #"{\#(device), "requests": [{"type": "attribute_write", "attr_id": 1, "value": "1"}]}"#,
      line: "POST /v1/accounts/acc-71/devices/dev-3/requests", body: #"[{"type":"attribute_write","attrId":1,"value":"1"}]"#,
      answer: #"[{"status":"NOT_ATTEMPTED","requestId":0,"statusCode":424,"timestampMs":1732150900000}]"#),
    Sent(
      step: "add-tag", with: #"{\#(device), "key": "room", "value": "hall"}"#, line: "POST /v1/accounts/acc-71/devices/dev-3/deviceTag",
      body: #"{"key":"room","value":"hall","deviceTagType":"ACCOUNT"}"#,
      answer: #"{"deviceTagId":"tag-5","key":"room","value":"hall","deviceTagType":"ACCOUNT","localizationKey":null}"#),
    Sent(
      step: "update-tag", with: #"{\#(device), "device_tag_id": "tag-5", "value": "attic"}"#,
      line: "PUT /v1/accounts/acc-71/devices/dev-3/deviceTag", body: #"{"deviceTagId":"tag-5","value":"attic","deviceTagType":"ACCOUNT"}"#,
      answer: #"{"deviceTagId":"tag-5"}"#),
    Sent(
      step: "delete-tag", with: #"{\#(device), "device_tag_id": "tag-5"}"#,
      line: "DELETE /v1/accounts/acc-71/devices/dev-3/deviceTag/tag-5"),
    Sent(
      step: "get-device-versions", with: "{\(device)}", line: "GET /v1/accounts/acc-71/devices/dev-3/versions",
      answer: #"{"applicationVersion":12,"wifiVersionString":"1.2"}"#),
    Sent(
      step: "list-profiles", with: #"{"account_id": "acc-71", "locale": "en_US", "image_size": "2x"}"#,
      line: "GET /v1/accounts/acc-71/deviceProfiles?locale=en_US&imageSize=2x", answer: #"[{"profileId": "prf-1"}]"#),
    Sent(
      step: "get-profile", with: #"{"account_id": "acc-71", "profile_id": "prf-1"}"#, line: "GET /v1/accounts/acc-71/deviceProfiles/prf-1"),
    Sent(step: "get-device-profile", with: "{\(device)}", line: "GET /v1/accounts/acc-71/devices/dev-3/deviceProfile"),
    Sent(
      step: "get-profile-version", with: #"{"association_id": "0123456789abcdef", "version": 2}"#,
      line: "GET /v1/devices/0123456789abcdef/deviceProfiles/versions/2"),
  ]
}
