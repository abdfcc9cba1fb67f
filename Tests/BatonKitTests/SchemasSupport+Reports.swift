import JSONSchema
import Values

@testable import BatonKit

/// The schema of reports with every object closed, so that a member that it does not describe is found.
enum ClosedReportSchema {
  private static let compiled = Result { try Schema.compile(closed(SchemaValues.report)) }

  static func violations(of text: String) throws -> [String] {
    try compiled.get().validate(try JSON.parse(text)).map { "\($0.instancePath): \($0.message)" }
  }

  private static func closed(_ schema: Value) -> Value {
    switch schema {
    case .list(let items): return .list(items.map(closed))
    case .map(let map):
      let isObject = map["type"] == "object" && map["properties"] != nil
      let inner = map.mapValues(closed)
      return isObject ? Value.map(inner).with("additionalProperties", false) : .map(inner)
    default: return schema
    }
  }
}
