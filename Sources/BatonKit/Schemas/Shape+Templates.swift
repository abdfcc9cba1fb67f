import StepKit
import Values

extension RecordShape {
  /// The record's JSON Schema as flows write it: an expression may stand for each of its members.
  var flowSchema: Value { jsonSchema.takingTemplatesInside }
}

extension Value {
  /// A schema that a text with `${{ }}` satisfies too.
  private var takingTemplates: Value {
    guard let map = mapValue else { return self }
    var annotations = ValueMap()
    for keyword in ["description", "default"] { annotations[keyword] = map[keyword] }
    return .map(annotations).joined(with: Self.uniting(alternatives))
  }

  /// The schema with `takingTemplates` for its members and items.
  fileprivate var takingTemplatesInside: Value {
    guard var map = mapValue else { return self }
    if let properties = map["properties"]?.mapValue { map["properties"] = .map(properties.mapValues(\.takingTemplates)) }
    for keyword in ["items", "additionalProperties"] { map[keyword] = map[keyword]?.takingTemplates }
    return .map(map)
  }

  /// What `anyOf` unites, at any depth, without texts for people.
  private var alternatives: [Value] {
    if let schemas = self["anyOf"]?.listValue { return schemas.flatMap(\.alternatives) }
    guard var map = takingTemplatesInside.mapValue else { return [self] }
    map["description"] = nil
    map["default"] = nil
    return [.map(map)]
  }

  private static func uniting(_ schemas: [Value]) -> Value {
    if schemas.contains(where: { $0.mapValue?.isEmpty == true }) { return [:] }
    let all = schemas.contains(where: \.takesEveryText) ? schemas : schemas + [.ref("template")]
    return all.count == 1 ? all[0] : ["anyOf": .list(all)]
  }

  private var takesEveryText: Bool {
    guard let map = mapValue, map.count == 1, let type = map["type"] else { return false }
    return type == "string" || type.listValue?.contains("string") == true
  }
}
