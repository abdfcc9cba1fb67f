import HTTPTypes
package import SandboxKit
import Values

extension SecureNodeSandbox {
  package var api: APIDescription? {
    APIDescription(
      title: "SecureNode caller identity", version: "1",
      summary: "As the sandbox stands in for it; what nobody states of the real one is assumed.",
      security: [(API.key, ["type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The key of the account."])],
      schemas: API.schemas, operations: API.directory + API.events + API.devices)
  }

  /// The description of the API.
  enum API: APIVocabulary {
    static let key = "apiKey"

    static func answer(_ status: Int, _ about: String, _ code: String) -> APIAnswer {
      APIAnswer(
        status, about, schema: .named("Error"), example: ["success": false, "error": .string(about), "code": .string(code)])
    }

    static let invalid = answer(400, "The body is no JSON, or something in it is wrong.", "invalid_request")
    static let unauthorized = answer(401, "The key is missing or not known.", "unauthorized")

    /// A POST that answers what nobody reads, or little more.
    static func post(
      _ id: String, _ path: String, _ summary: String, _ form: BodyForm, _ example: Value, _ answers: [APIAnswer]
    ) -> APIOperation {
      APIOperation(
        id, .post, path, summary, security: key, body: APIBody(schema: form.schema, example: example),
        answers: answers + [invalid, unauthorized])
    }

    private static let deviceID = APIParameter(
      "device_id", in: .query, "The device that asks.", schema: text, example: "5C1E0001", isRequired: false)

    static var directory: [APIOperation] {
      [
        APIOperation(
          "sync", .get, "/mobile/branding/sync", "Gives the branded numbers: all, or those that have changed `since`.", security: key,
          parameters: [
            APIParameter(
              "since", in: .query, "The `synced_at` of the sync before.", schema: time,
              example: "2024-11-21T09:00:00Z", isRequired: false),
            deviceID,
          ],
          answers: [ok("The numbers and the account.", "Sync"), invalid, unauthorized]),
        post(
          "ack-sync", "/mobile/branding/sync", "Takes note of what a sync has brought.", Forms.ack,
          ["last_synced_at": "2024-11-21T09:00:00Z", "e164_numbers": ["+61412345678", "+61298765432"]],
          [ok("It is noted.", "AckSync", ["success": true, "last_synced_at": "2024-11-21T09:00:01Z"])]),
        APIOperation(
          "lookup", .get, "/mobile/branding/lookup", "Finds the brand of a number, plain or with `format=public`.", security: key,
          parameters: [
            APIParameter("e164", in: .query, "The number.", schema: BodyForm.number.schema, example: "+61412345678"),
            APIParameter(
              "format", in: .query, "The shape of the answer.", schema: ["enum": ["public"]], example: "public", isRequired: false),
            deviceID,
          ],
          answers: [ok("The brand, or nulls.", "Lookup"), invalid, unauthorized]),
        APIOperation(
          "get-logo", .get, "/logos/{name}", "A brand's picture.",
          parameters: [
            APIParameter("name", in: .path, "The name of the picture.", schema: filled, example: "hc.png")
          ],
          answers: [
            APIAnswer(200, "The picture.", mediaType: "image/png", schema: text),
            APIAnswer(404, "There is none.", mediaType: "text/plain", schema: text),
          ]),
      ]
    }

    static var events: [APIOperation] {
      [
        post(
          "report-event", "/mobile/branding/event", "Reports what a phone has shown; a key is counted once.", Forms.event,
          [
            "phone_number_e164": "+61412345678", "outcome": "displayed", "surface": "display", "displayed_at": "2024-11-21T09:05:00Z",
            "device_id": "5C1E0001", "event_key": "call_event:0B7D0001", "meta": ["branding_applied": true, "branded": true],
          ],
          [
            ok("It is reported.", "Event"),
            ok(202, "It is accepted, and only partly dealt with.", "PartialEvent"),
          ]),
        post(
          "record-imprint", "/mobile/branding/imprint", "Records that a brand was shown.", Forms.imprint,
          [
            "phone_number_e164": "+61412345678", "displayed_at": "2024-11-21T09:05:00Z", "device_id": "5C1E0001", "platform": "ios",
            "os_version": "17.1", "device_model": "9f86d081",
          ], [ok("It is recorded.", "Done")]),
      ]
    }

    static var devices: [APIOperation] {
      [
        post(
          "register-device", "/mobile/device/register", "Registers a device, or changes one.", Forms.registration,
          ["device_id": "5C1E0001", "platform": "ios", "device_type": "iPhone (17.1)", "os_version": "17.1", "app_version": "1.0"],
          [ok("The device.", "Registered")]),
        post(
          "update-device", "/mobile/device/update", "Changes a device that is registered.", Forms.update,
          [
            "device_id": "5C1E0001", "platform": "ios", "last_seen": "2024-11-21T09:00:00Z", "capabilities": ["contacts_enabled": true],
          ], [ok("It is changed.", "Updated"), answer(404, "The device is not registered.", "device_not_registered")]),
        post(
          "send-presence", "/mobile/device/presence", "Says that a device is there.", Forms.presence,
          ["device_id": "5C1E0001", "observed_at": "2024-11-21T09:05:00Z", "platform": "ios"], [ok("It is noted.", "Done")]),
        post(
          "send-log", "/mobile/device/log", "Takes a line of a device's log.", Forms.log,
          ["device_id": "5C1E0001", "level": "warn", "message": "sync failed", "meta": ["latency_ms": 900]],
          [ok("It is taken.", "Done")]),
        post(
          "upload-debug", "/mobile/debug/upload", "Takes a device's log where it was asked for.", Forms.debug,
          ["device_id": "5C1E0001", "nonce": "6a1f5c0e-9c1b-4c1e-8a9e-1c2d3e4f5a6b", "logs": "(sync:ok)"],
          [
            ok("It is taken.", "Uploaded", ["success": true, "id": "du-1"]),
            answer(403, "It was not asked for, or not any more.", "not_permitted"), answer(409, "The nonce was used.", "nonce_replay"),
            answer(413, "The log is too large.", "payload_too_large"),
          ]),
      ]
    }
  }
}
