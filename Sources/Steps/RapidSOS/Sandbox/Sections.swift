import SandboxKit
import Values

extension RapidSOSSandbox {
  /// The sections of a profile, a location or a device, as the server takes and keeps them.
  struct Sections: Sendable {
    let catalogue: SectionCatalogue

    static let profile = Sections(catalogue: .profile)
    static let location = Sections(catalogue: .location)
    static let device = Sections(catalogue: .device)

    /// The body of a request that sends some of them.
    var form: BodyForm {
      .object(
        [.init("id", .id)]
          + catalogue.definitions.map { definition in
            .init(
              definition.name,
              .object([
                .init("display_name", .text), .init("type", .oneText(definition.type)), .init("units", .text),
                .init("updated_time", .number), .init("value", .list(Self.item(definition.type)), isRequired: true),
              ]))
          })
    }

    /// One value of a section of this type.
    static func item(_ type: String) -> BodyForm {
      switch type {
      case "timestamp", "float": .number
      case "address":
        .object(
          BodyForm.texts("label", "street_address", "locality", "region", "postal_code", "country_code", "note") + coordinates)
      case "email": .object(BodyForm.texts("email_address", "label", "note"))
      case "phone-number": .object(BodyForm.texts("number", "label", "note"))
      case "emergency-contact": .object(BodyForm.texts("full_name", "phone", "email", "label", "note"))
      case "language": .object([.init("language_code", .text), .init("preference", .integer)])
      case "image-url", "web-url": .object(BodyForm.texts("url", "label", "note"))
      case "animal": .object(BodyForm.texts("full_name", "label", "species", "photo", "note"))
      case "video-stream": .object(BodyForm.texts("label", "url", "format", "note") + coordinates)
      case "realtime-metric": .object(BodyForm.texts("label", "data_feed", "protocol", "note"))
      case "device-id": .object(BodyForm.texts("type", "id"))
      default: .text
      }
    }

    private static let coordinates: [BodyForm.Member] = [.init("latitude", .numberOrText), .init("longitude", .numberOrText)]

    /// The sections of a request's body as they are kept.
    /// - Throws: 400 with everything that is wrong.
    func read(_ request: SandboxRequest, at now: Timestamp) throws(SandboxReply) -> ValueMap {
      guard let body = request.json, case .map(let map) = body else { throw Refusal.detail("Invalid input.", status: 400) }
      var errors = FieldErrors()
      form.check(body, at: "", &errors)
      try errors.throwIfAny()
      return kept(map, at: now)
    }

    /// Sections of the wire with what the server adds: titles that were not sent, and when.
    func kept(_ sections: ValueMap, at now: Timestamp) -> ValueMap {
      var kept = ValueMap()
      for definition in catalogue.definitions {
        guard let sent = sections[definition.name] else { continue }
        var section = ValueMap()
        section["display_name"] = sent["display_name"] ?? .string(definition.title)
        section["type"] = .string(definition.type)
        section["units"] = sent["units"] ?? definition.units.map { .string($0) }
        section["updated_time"] = .int(now.seconds * 1000 + Int64(now.nanoseconds / 1_000_000))
        section["value"] = sent["value"].map(BodyForm.list(Self.item(definition.type)).stored)
        kept[definition.name] = .map(section)
      }
      return kept
    }

    /// Sections as a scenario gives them: lists of values by name, as the steps take them.
    func given(_ value: Value, at path: String, now: Timestamp) throws(SandboxError) -> ValueMap {
      var given = try GivenMap(value, at: path)
      var lists = ValueMap()
      for definition in catalogue.definitions {
        guard let values = try given.list(definition.name) else { continue }
        var errors = FieldErrors()
        BodyForm.list(Self.item(definition.type)).check(.list(values), at: definition.name, &errors)
        if let wrong = errors.map.first(where: { _ in true }) {
          throw SandboxError("\(wrong.value.listValue?.first?.stringValue ?? "")", at: "\(path).\(wrong.key.text)")
        }
        lists[definition.name] = .list(values)
      }
      try given.finish()
      return kept(catalogue.wire(lists), at: now)
    }
  }
}
