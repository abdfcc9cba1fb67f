import HTTPTypes
import SandboxKit
import Values

extension RapidSOSSandbox.API {
  /// The emergency profile.
  static var profile: [APIOperation] {
    [
      APIOperation(
        "fetch-profile", .get, "/v1/rain/personal-info", "Reads the profile.", security: user,
        answers: [ok("The profile; a new person has only the id.", "Profile", ["id": 41]), unauthorized, wrongClass, notFound]),
      APIOperation(
        "update-profile", .patch, "/v1/rain/personal-info", "Replaces the sections that are sent.", security: user,
        body: body(
          "ProfileSections",
          [
            "id": "41",
            "full_name": ["display_name": "Name", "type": "string", "value": ["Dana Reyes"]],
          ]),
        answers: [ok("The whole profile.", "Profile"), invalid, unauthorized, wrongClass, notFound]),
    ]
  }

  /// The operations of locations, and of devices.
  static func saved(_ noun: String, _ plural: String, _ sections: RapidSOSSandbox.Sections) -> [APIOperation] {
    let (many, one) = ("/v1/rain/\(plural)", "/v1/rain/\(plural)/{id}")
    let schema = noun.prefix(1).uppercased() + noun.dropFirst()
    let reference = [APIParameter("id", in: .path, "The id of the \(noun).", schema: id, example: 1)]
    let name: Value = noun == "location" ? "Home" : "Dana's phone"
    let title: Value = noun == "location" ? "Location Name" : "Device Name"
    let example: Value = .map(
      [("\(noun)_name", ["display_name": title, "type": "string", "value": [name]] as Value)]
        .reduce(into: ValueMap()) { $0[$1.0] = $1.1 })
    let sent = body("\(schema)Sections", example)
    let links = ["get", "update", "delete"].map { verb in
      (name: "\(verb)-\(noun)", operation: "\(verb)-\(noun)", parameters: ["id": "$response.body#/id"] as Value)
    }
    var created = ok(201, "It is saved.", schema)
    created.links = links
    return [
      APIOperation(
        "list-\(plural)", .get, many, "Lists all \(plural).", security: user,
        answers: [
          APIAnswer(200, "All of them; an empty list for none.", schema: list(of: .named(schema))), unauthorized,
          wrongClass,
        ]),
      APIOperation(
        "create-\(noun)", .post, many, "Saves a new \(noun).", security: user, body: sent,
        answers: [ok("It is saved, where `create_status` says so.", schema), created, invalid, unauthorized, wrongClass]),
      APIOperation(
        "get-\(noun)", .get, one, "Reads one \(noun).", security: user, parameters: reference,
        answers: [ok("The \(noun).", schema), unauthorized, wrongClass, notFound]),
      APIOperation(
        "update-\(noun)", .patch, one, "Replaces the sections that are sent.", security: user, parameters: reference, body: sent,
        answers: [ok("The whole \(noun).", schema), invalid, unauthorized, wrongClass, notFound]),
      APIOperation(
        "replace-\(noun)", .put, one, "Replaces every section.", security: user, parameters: reference, body: sent,
        answers: [ok("The whole \(noun).", schema), invalid, unauthorized, wrongClass, notFound]),
      APIOperation(
        "delete-\(noun)", .delete, one, "Deletes a \(noun).", security: user, parameters: reference,
        answers: [ok("The \(noun) that is gone.", schema), unauthorized, wrongClass, notFound]),
    ]
  }

  static var dataSchemas: [(name: String, schema: Value)] {
    let kinds: [(String, RapidSOSSandbox.Sections)] = [("Profile", .profile), ("Location", .location), ("Device", .device)]
    return kinds.flatMap { name, sections in
      let members = sections.catalogue.definitions.map { definition in
        (
          definition.name,
          object(
            [
              ("display_name", text), ("type", ["const": .string(definition.type)]), ("units", text), ("updated_time", whole),
              ("value", list(of: answeredItem(definition.type))),
            ], required: ["display_name", "type", "updated_time", "value"] + (definition.units == nil ? [] : ["units"]))
        )
      }
      return [(name, object([("id", id)] + members, required: ["id"])), ("\(name)Sections", sections.form.schema)]
    }
  }

  /// A value as answers have it: coordinates are numbers there.
  private static func answeredItem(_ type: String) -> Value {
    switch type {
    case "string": text
    case "timestamp", "float": ["type": "number"]
    case "address":
      item(
        "label", "street_address", "locality", "region", "postal_code", "country_code", "note",
        with: [("latitude", ["type": "number"]), ("longitude", ["type": "number"])])
    case "email": item("email_address", "label", "note")
    case "phone-number": item("number", "label", "note")
    case "emergency-contact": item("full_name", "phone", "email", "label", "note")
    case "language": item("language_code", with: [("preference", whole)])
    case "image-url", "web-url": item("url", "label", "note")
    case "animal": item("full_name", "label", "species", "photo", "note")
    case "video-stream":
      item("label", "url", "format", "note", with: [("latitude", ["type": "number"]), ("longitude", ["type": "number"])])
    case "realtime-metric": item("label", "data_feed", "protocol", "note")
    case "device-id": item("type", "id")
    default: false
    }
  }

  private static func item(_ texts: String..., with others: [(String, Value)] = []) -> Value {
    object(texts.map { ($0, text) } + others, required: [])
  }
}
