import SandboxKit
import Values

extension SecureNodeSandbox {
  /// What a part of a JSON body must be, and its schema in the description.
  indirect enum BodyForm: Sendable {
    case text(ClosedRange<Int>)
    case oneOf([String])
    case time
    case uuid
    case flag
    /// Any object.
    case free
    case anything
    case list(BodyForm)
    case object([Member])

    struct Member: Sendable {
      let name: String
      let form: BodyForm
      let isRequired: Bool
    }

    /// A text that somebody has to have filled in.
    static let name = BodyForm.text(1...255)
    static let anyText = BodyForm.text(0...Int.max)
    static let number = BodyForm.text(1...20)

    /// What is wrong with a value; nil where nothing is.
    func problem(in value: Value, at path: String) -> String? {
      switch (self, value) {
      case (.text(let lengths), .string(let text)):
        let count = text.unicodeScalars.count
        return lengths.contains(count) ? nil : "`\(path)` must have \(lengths.lowerBound) to \(lengths.upperBound) characters"
      case (.oneOf(let texts), .string(let text)):
        return texts.contains(text) ? nil : "`\(path)` must be one of \(texts.joined(separator: ", "))"
      case (.time, .string(let text)):
        return Timestamp(rfc3339: text) == nil ? "`\(path)` must be a time of ISO 8601" : nil
      case (.uuid, .string(let text)):
        return text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) == nil ? "`\(path)` must be a UUID" : nil
      case (.flag, .bool), (.free, .map), (.anything, _): return nil
      case (.list(let element), .list(let items)):
        return items.enumerated().lazy.compactMap { element.problem(in: $1, at: "\(path)[\($0)]") }.first
      case (.object(let members), .map(let map)): return Self.problem(in: map, members, at: path)
      case (.text, _), (.oneOf, _), (.time, _), (.uuid, _): return "`\(path)` must be a text"
      case (.flag, _): return "`\(path)` must be true or false"
      case (.free, _), (.object, _): return "`\(path)` must be an object"
      case (.list, _): return "`\(path)` must be a list"
      }
    }

    /// Assumed: Members that nobody knows are let through.
    private static func problem(in map: ValueMap, _ members: [Member], at path: String) -> String? {
      for member in members {
        if let value = map[member.name] {
          if let problem = member.form.problem(in: value, at: path == "body" ? member.name : "\(path).\(member.name)") { return problem }
        } else if member.isRequired {
          return "`\(member.name)` is missing"
        }
      }
      return nil
    }

    static func object(required: KeyValuePairs<String, BodyForm>, _ optional: KeyValuePairs<String, BodyForm> = [:]) -> BodyForm {
      .object(
        required.map { Member(name: $0.key, form: $0.value, isRequired: true) }
          + optional.map { Member(name: $0.key, form: $0.value, isRequired: false) })
    }

    /// The form as a JSON Schema.
    var schema: Value {
      switch self {
      case .text(let lengths):
        var map = ValueMap(members: ["type": "string"])
        if lengths.lowerBound > 0 { map["minLength"] = .int(Int64(lengths.lowerBound)) }
        if lengths.upperBound < .max { map["maxLength"] = .int(Int64(lengths.upperBound)) }
        return .map(map)
      case .oneOf(let texts): return ["enum": .list(texts.map { .string($0) })]
      case .time: return ["type": "string", "format": "date-time"]
      case .uuid: return ["type": "string", "format": "uuid"]
      case .flag: return ["type": "boolean"]
      case .free: return ["type": "object"]
      case .anything: return [:]
      case .list(let element): return ["type": "array", "items": element.schema]
      case .object(let members):
        var properties = ValueMap()
        for member in members { properties[member.name] = member.form.schema }
        var map = ValueMap(members: ["type": "object", "properties": .map(properties)])
        let required = members.filter(\.isRequired).map { Value.string($0.name) }
        if !required.isEmpty { map["required"] = .list(required) }
        return .map(map)
      }
    }
  }
}
