import FoundationEssentials
import TestKit
import Testing
import Values

@testable import BatonKit

/// What `baton schema` prints and what is committed are the same; `BATON_RECORD=1` writes it anew.
@Suite struct SchemasFileTests {
  @Test(arguments: SchemaCommand.Kind.allCases)
  func theCommittedFileIsTheGeneratedOne(_ kind: SchemaCommand.Kind) throws {
    let file = URL(filePath: ProjectRoot.path + "schemas/" + kind.fileName)
    if ProcessInfo.processInfo.environment["BATON_RECORD"] == "1" { try Data(kind.text.utf8).write(to: file) }
    let committed = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(committed == kind.text, "record it with BATON_RECORD=1")
  }

  /// Editors read draft-07: what came later would say nothing there.
  @Test(arguments: SchemaCommand.Kind.allCases)
  func editorsKnowEveryKeyword(_ kind: SchemaCommand.Kind) throws {
    let known: Set = [
      "$schema", "$ref", "$defs", "title", "description", "default", "examples", "type", "enum", "const", "format", "pattern", "minLength",
      "maxLength", "minimum", "maximum", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "properties", "required",
      "additionalProperties",
      "propertyNames", "items", "contains", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
    ]
    var found: Set<String> = []
    SchemaWalk.visit(SchemaValues.of(kind)) { schema, _ in found.formUnion(schema.map(\.key.text)) }
    #expect(found.subtracting(known) == [])
    #expect(found.contains("properties"))
  }
}

extension SchemasFileTests {
  /// A definition that nobody refers to is dead weight, a reference that leads nowhere an error in every editor.
  @Test(arguments: SchemaCommand.Kind.allCases)
  func definitionsAndReferencesMatch(_ kind: SchemaCommand.Kind) {
    var used: Set<String> = []
    SchemaWalk.visit(SchemaValues.of(kind)) { schema, _ in
      if let reference = schema["$ref"]?.stringValue { used.insert(reference) }
    }
    let defined = Set((SchemaValues.of(kind)["$defs"]?.mapValue ?? ValueMap()).map { "#/$defs/\($0.key.text)" })
    #expect(used == defined)
  }

  /// To draft-07 a reference is all there is: what stands beside it may explain, but not demand.
  @Test(arguments: SchemaCommand.Kind.allCases)
  func besideAReferenceStandsNoRule(_ kind: SchemaCommand.Kind) {
    var lost: [String] = []
    SchemaWalk.visit(SchemaValues.of(kind)) { schema, path in
      guard schema["$ref"] != nil else { return }
      lost += schema.map(\.key.text).filter { !["$ref", "title", "description", "default", "examples"].contains($0) }.map {
        "\(path)/\($0)"
      }
    }
    #expect(lost == [])
  }
}

/// Every schema inside a schema.
enum SchemaWalk {
  static func visit(_ schema: Value, at path: String = "#", _ body: (ValueMap, String) -> Void) {
    guard let map = schema.mapValue else { return }
    body(map, path)
    for (key, value) in map {
      let inner = "\(path)/\(key.text)"
      switch key.text {
      case "properties", "$defs":
        for (name, member) in value.mapValue ?? ValueMap() { visit(member, at: "\(inner)/\(name.text)", body) }
      case "allOf", "anyOf", "oneOf":
        for (index, member) in (value.listValue ?? []).enumerated() { visit(member, at: "\(inner)/\(index)", body) }
      case "items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else": visit(value, at: inner, body)
      default: break
      }
    }
  }
}
