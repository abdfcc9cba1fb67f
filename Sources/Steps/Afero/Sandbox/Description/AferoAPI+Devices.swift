import HTTPTypes
import SandboxKit
import Values

extension AferoSandbox.API {
  static var devices: [APIOperation] {
    [
      operation(
        "list-devices", .get, "/devices", "Lists the devices.", at: [expansions],
        list("They.", "Device")),
      operation(
        "associate-device", .post, "/devices", "Puts a device into the account.",
        at: [expansions, query("verified", "Whether it may leave another account.", schema: flag, isRequired: false)] + looks,
        body: body(
          AferoSandbox.association,
          [
            "associationId": "0123456789abcdef",
            "location": ["latitude": "47.61", "longitude": "-122.33", "locationSourceType": "INITIAL_DEVICE_ASSOCIATE"],
          ]),
        ok("The device.", "Device"), ok(409, "It is in an account already.", "Error")),
      one("get-device", .get, "", "Reads a device.", at: [expansions], ok("The device.", "Device")),
      one("remove-device", .delete, "", "Takes a device out of the account.", empty("It is out.")),
      one(
        "rename-device", .put, "/friendlyName", "Renames a device.",
        body: body(.object([.init("friendlyName", AferoSandbox.Form.filledText, isRequired: true)]), ["friendlyName": "Fan"]),
        ok("Its name.", "FriendlyName")),
      one("get-device-versions", .get, "/versions", "Reads which software it runs.", ok("The versions.", "Versions")),
      one("get-location", .get, "/location", "Reads where it is.", ok("The place.", "Location")),
      one(
        "set-location", .put, "/location", "Sets where it is.",
        body: body(
          AferoSandbox.location,
          [
            "latitude": "47.61", "longitude": "-122.33", "locationSourceType": "USER_DEFINED_LOCATION",
            "formattedAddressLines": ["1 Pine St"],
          ]), ok("The place.", "Location")),
      one("get-timezone", .get, "/timezone", "Reads its time zone.", ok("The zone.", "Timezone")),
      one(
        "set-timezone", .put, "/timezone", "Sets its time zone.",
        body: body(AferoSandbox.timezone, ["timezone": "America/Los_Angeles", "userOverride": true]), ok("The zone.", "Timezone")),
      one(
        "add-tag", .post, "/deviceTag", "Puts a tag on it.",
        body: body(AferoSandbox.tag, ["key": "room", "value": "hall", "deviceTagType": "ACCOUNT"]), ok("The tag.", "Tag")),
      one(
        "update-tag", .put, "/deviceTag", "Changes a tag.",
        body: body(AferoSandbox.tag, ["deviceTagId": "tag-1", "key": "room", "value": "hall", "deviceTagType": "ACCOUNT"]),
        ok("The tag.", "Tag")),
      APIOperation(
        "delete-tag", .delete, "/v1/accounts/{accountId}/devices/{deviceId}/deviceTag/{tagId}", "Takes a tag from it.", security: user,
        parameters: [account, device, reference("tagId", "The tag.", "tag-1")], answers: [empty("It is gone.")] + guarded),
    ]
  }

  /// An operation of one device.
  private static func one(
    _ id: String, _ method: HTTPRequest.Method, _ path: String, _ summary: String, at parameters: [APIParameter] = [], body: APIBody? = nil,
    _ answers: APIAnswer...
  ) -> APIOperation {
    APIOperation(
      id, method, "/v1/accounts/{accountId}/devices/{deviceId}\(path)", summary, security: user,
      parameters: [account, device] + parameters, body: body,
      answers: answers + (body == nil ? [] : [invalid]) + guarded)
  }

  static var actions: [APIOperation] {
    let linking = ok(423, "It is being linked.", "Error")
    let offline = ok(424, "It cannot be reached.", "Error")
    return [
      one(
        "send-action", .post, "/actions", "Writes or reads an attribute.",
        body: body(AferoSandbox.action, ["type": "attribute_write", "attrId": 1, "data": "01"]), ok("It has begun.", "Started"), linking,
        offline),
      one(
        "send-requests", .post, "/requests", "Sends several requests.",
        body: body(AferoSandbox.requests, [["type": "attribute_write", "attrId": 1, "value": "1"]]),
        list("What became of each.", "Result"), linking, offline),
    ]
  }

  static var profiles: [APIOperation] {
    let profile = APIAnswer(200, "The profile.", schema: free)
    return [
      operation(
        "list-profiles", .get, "/deviceProfiles", "Lists the profiles of the account's devices.", at: looks,
        APIAnswer(200, "They.", schema: list(of: free))),
      operation(
        "get-profile", .get, "/deviceProfiles/{profileId}", "Reads a profile.",
        at: [reference("profileId", "The profile.", "prf-1")] + looks, profile),
      one("get-device-profile", .get, "/deviceProfile", "Reads a device's profile.", at: looks, profile),
      APIOperation(
        "get-profile-version", .get, "/v1/devices/{associationId}/deviceProfiles/versions/{version}", "Reads a version of a profile.",
        security: user,
        parameters: [
          reference("associationId", "What stands on the device.", "0123456789abcdef"),
          APIParameter("version", in: .path, "Its number.", schema: ["type": "integer", "minimum": 0], example: 1),
        ] + looks, answers: [profile, unauthorized, notFound]),
    ]
  }
}
