import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import Values

extension Resolver {
  /// Keys beside JSON Schema's own that an input may have.
  private static let ownKeys = ["optional", "secret", "region"]
  private static let types = ["string", "integer", "number", "boolean", "object", "array", "null"]

  mutating func resolveInput(_ syntax: InputSyntax) -> InputPlan? {
    if let earlier = document.inputs.first(where: { $0.name.value == syntax.name.value }), earlier.name.span != syntax.name.span {
      report(.duplicateKey, "the input `\(syntax.name.value)` is declared twice", at: syntax.name.span, related: [(earlier.name.span, "first here")])
      return nil
    }
    guard var members = inputSchema(syntax) else { return nil }
    let isOptional = members["optional"] == .bool(true)
    let isSecret = members["secret"] == .bool(true)
    let isPhone = members["format"] == "phone"
    let region = members["region"]?.stringValue
    for key in Self.ownKeys { members[key] = nil }
    guard let schema = compileSchema(members, at: syntax.schema.span) else { return nil }
    let fallback = members["default"]
    checkDefault(fallback, schema, syntax)
    return InputPlan(
      name: syntax.name, schema: schema, type: schema.valueType, isRequired: fallback == nil && !isOptional, fallback: fallback,
      phoneRegion: isPhone ? region ?? "" : nil, isSecret: isSecret, about: members["description"]?.stringValue ?? "")
  }

  /// The schema as a map; a bare type name is short for `{ type: … }`.
  private mutating func inputSchema(_ syntax: InputSyntax) -> ValueMap? {
    guard let constant = syntax.schema.constant else {
      report(.invalidValue, "the declaration of an input holds no expressions", at: syntax.schema.span)
      return nil
    }
    if case .string(let type) = constant {
      guard Self.types.contains(type) else {
        reportUnknown(.invalidValue, "type", Located(type, syntax.schema.span), among: Self.types)
        return nil
      }
      var members = ValueMap()
      members["type"] = .string(type)
      return members
    }
    guard case .map(let members) = constant, case .map(let entries, _) = syntax.schema else {
      report(
        .typeMismatch, "the input `\(syntax.name.value)` must be a type or a JSON Schema", at: syntax.schema.span,
        help: ["such as `\(syntax.name.value): string`"])
      return nil
    }
    for entry in entries where !Schema.keywords.contains(entry.key.value) && !Self.ownKeys.contains(entry.key.value) {
      reportUnknown(.unknownKey, "key", entry.key, among: Self.ownKeys + Schema.keywords.sorted())
    }
    return members
  }

  private mutating func compileSchema(_ members: ValueMap, at span: Span) -> Schema? {
    do throws(SchemaError) {
      return try Schema.compile(.map(members))
    } catch {
      report(.invalidValue, "this is no valid JSON Schema: \(error.message)", at: span)
      return nil
    }
  }

  private mutating func checkDefault(_ fallback: Value?, _ schema: Schema, _ syntax: InputSyntax) {
    guard let fallback, let violation = schema.validate(fallback).first else { return }
    report(.invalidValue, "the default of `\(syntax.name.value)` is not valid: \(violation.message)", at: syntax.schema.span)
  }
}
