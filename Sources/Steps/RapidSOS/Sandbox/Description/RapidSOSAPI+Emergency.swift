import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox.API {
  static var schemas: [(name: String, schema: Value)] { accountSchemas + dataSchemas + emergencySchemas }

  /// The trigger.
  static var emergency: [APIOperation] {
    [
      APIOperation(
        "trigger-call-flow", .post, "/v1/rem/trigger", "Starts a call flow.", security: client,
        body: body(
          "Trigger",
          [
            "callflow": "kronos_contacts",
            "variables": [
              "location": ["latitude": 42.6526, "longitude": -73.7562, "uncertainty": 12.0],
              "user": ["full_name": "Dana Reyes", "phone_number": "+12345678888"],
              "contacts": [["full_name": "Ira Reyes", "phone_number": "+12345670000"]], "company": "Kronos",
            ],
          ]),
        answers: [
          ok("Accepted, where `trigger_status` says so.", "Alert"), ok(201, "Accepted, where `trigger_status` says so.", "Alert"),
          ok(202, "Accepted.", "Alert", ["alert_id": "al_7d0c", "status": "accepted"]), invalid, unauthorized, wrongClass, notFound,
        ])
    ]
  }

  /// The media host, and the store of photos behind it.
  static var media: [APIOperation] {
    [
      APIOperation(
        "get-upload-url", .get, "/v1/kronos/upload-url", "Signs the upload of a photo.",
        parameters: [APIParameter("key", in: .query, "The photo's name.", schema: key, example: "a1B2c3D4e5F6g7H8.jpeg")],
        answers: [ok("Where to, and the fields that prove it.", "SignedUpload"), invalid]),
      APIOperation(
        "register-push", .post, "/v1/apollo-config/register", "Registers a device for push messages.", security: client,
        body: body("PushDevice", ["caller_id": "12345678888", "push_token": "9f31c0de"]),
        answers: [ok("Registered.", "Nothing", [:]), invalid, unauthorized, wrongClass]),
      APIOperation(
        "upload-photo", .post, "/kronos-images/", "Uploads a photo by a signed form.",
        body: APIBody("multipart/form-data", schema: .named("Upload"), partTypes: [("file", "image/jpeg")]),
        answers: [
          empty("It is stored."), xml(400, "The form is not whole."), xml(403, "The signature is not accepted."),
          xml(412, "The body is no multipart form."),
        ]),
      APIOperation(
        "photo", .get, "/kronos-images/{key}", "Gives a stored photo back.",
        parameters: [APIParameter("key", in: .path, "The photo's name.", schema: key, example: "a1B2c3D4e5F6g7H8.jpeg")],
        answers: [APIAnswer(200, "The photo.", mediaType: "image/jpeg", schema: [:]), xml(404, "There is none.")]),
    ]
  }

  private static func xml(_ status: Int, _ about: String) -> APIAnswer {
    APIAnswer(status, about, mediaType: "application/xml", schema: text)
  }

  private static let key: Value = ["type": "string", "pattern": #"^[A-Za-z0-9]{16}\.jpeg$"#]

  private static let emergencySchemas: [(name: String, schema: Value)] = [
    ("Trigger", ["anyOf": [.named("KronosTrigger"), .named("OtherTrigger")]]),
    ("KronosTrigger", object([("callflow", ["const": "kronos_contacts"]), ("variables", .named("KronosVariables"))])),
    (
      "OtherTrigger",
      object([("callflow", ["type": "string", "not": ["const": "kronos_contacts"]]), ("variables", free)])
    ),
    (
      "KronosVariables",
      open(
        [
          (
            "location",
            open([("latitude", coordinate), ("longitude", coordinate), ("uncertainty", coordinate)], required: ["latitude", "longitude"])
          ),
          ("user", open([("full_name", filled), ("phone_number", filled)])),
          ("contacts", ["type": "array", "items": object([("full_name", text), ("phone_number", text)])]), ("company", text),
        ], required: ["location", "user"])
    ),
    ("Alert", object([("alert_id", text), ("status", ["const": "accepted"])])),
    (
      "SignedUpload",
      object([
        ("url", ["type": "string", "format": "uri"]),
        (
          "fields",
          object([("AWSAccessKeyId", text), ("key", key), ("policy", text), ("signature", text), ("x-amz-security-token", text)])
        ),
      ])
    ),
    (
      "Upload",
      object([
        ("AWSAccessKeyId", text), ("key", key), ("policy", text), ("signature", text), ("x-amz-security-token", text),
        ("file", ["type": "string", "format": "binary"]),
      ])
    ),
    (
      "PushDevice",
      object([
        ("caller_id", ["type": "string", "pattern": "^[0-9]{10,15}$"]), ("push_token", ["type": "string", "pattern": "^[0-9A-Fa-f]+$"]),
      ])
    ),
  ]

  private static let coordinate: Value = [
    "anyOf": [["type": "number"], ["type": "string", "pattern": #"^-?[0-9]{1,9}(\.[0-9]{1,20})?$"#]]
  ]
}
