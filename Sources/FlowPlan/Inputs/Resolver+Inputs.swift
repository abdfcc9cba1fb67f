import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import Values

extension Resolver {
  /// Keys beside JSON Schema's own that an input may have.
  private static let ownKeys = ["optional", "secret", "region"]
  private static let types = ["string", "integer", "number", "boolean", "object", "array", "null"]
  /// expressions.md, "Delimiters"; others are a misspelling, and JSON Schema would let them pass.
  private static let formats = ["phone", "email", "uri", "uuid", "date", "date-time", "time", "hostname", "ipv4", "ipv6"]

  mutating func resolveInput(_ syntax: InputSyntax) -> InputPlan? {
    if let earlier = document.inputs.first(where: { $0.name.value == syntax.name.value }), earlier.name.span != syntax.name.span {
      report(
        .duplicateKey, "the input `\(syntax.name.value)` is declared twice", at: syntax.name.span, label: "again",
        related: [(earlier.name.span, "first here")])
      return nil
    }
    guard let plan = readInput(syntax) else {
      brokenInputs.insert(syntax.name.value)
      return nil
    }
    return plan
  }

  mutating func readInput(_ syntax: InputSyntax) -> InputPlan? {
    guard var members = inputSchema(syntax) else { return nil }
    let isPhone = members["format"] == "phone"
    let region = members["region"]?.stringValue
    let isOptional = flag("optional", members, syntax)
    let isSecret = flag("secret", members, syntax)
    if !checkRegion(members, syntax) { return nil }
    for key in Self.ownKeys { members[key] = nil }
    guard let schema = compileSchema(.map(members), in: syntax.schema) else { return nil }
    let phoneRegion = isPhone ? region ?? "" : nil
    checkDefault(members["default"], schema, phoneRegion, syntax)
    let fallback = members["default"]
    return InputPlan(
      name: syntax.name, schema: schema, type: schema.valueType(named: "the input `\(syntax.name.value)`"),
      isRequired: fallback == nil && !isOptional, fallback: fallback, phoneRegion: phoneRegion, isSecret: isSecret,
      about: members["description"]?.stringValue ?? "")
  }

  /// The schema as a map; a bare type name is short for `{ type: … }`.
  private mutating func inputSchema(_ syntax: InputSyntax) -> ValueMap? {
    guard let constant = syntax.schema.constant else {
      report(
        .invalidValue, "the declaration of an input holds no expressions", at: syntax.schema.firstExpression ?? syntax.schema.span,
        help: ["inputs are known before anything else is"])
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
    return checkKeywords(entries) ? members : nil
  }

  private mutating func checkKeywords(_ entries: [DataSyntax.Entry]) -> Bool {
    var isFine = true
    for entry in entries {
      let key = entry.key.value
      if !Schema.keywords.contains(key), !Self.ownKeys.contains(key) {
        let candidates = (Self.ownKeys + Schema.keywords.sorted()).filter { $0 != "required" }
        let help = key == "required" ? ["an input is required unless it has a `default` or `optional: true`"] : []
        reportUnknown(.unknownKey, "key", entry.key, among: candidates, help: help)
        isFine = isFine && key == "required"
      } else if key == "required", case .bool? = entry.value.constant {
        report(
          .invalidValue, "an input is required unless it says otherwise", at: entry.key.span,
          help: ["leave `required` out; an input that may be missing has a `default` or `optional: true`"])
        isFine = false
      } else if key == "type", let type = entry.value.constant?.stringValue, !Self.types.contains(type) {
        reportUnknown(.invalidValue, "type", Located(type, entry.value.span), among: Self.types)
        isFine = false
      } else if key == "format", let format = entry.value.constant?.stringValue, !Self.formats.contains(format) {
        reportUnknown(.invalidValue, "format", Located(format, entry.value.span), among: Self.formats)
      }
    }
    return isFine
  }

  private mutating func flag(_ key: String, _ members: ValueMap, _ syntax: InputSyntax) -> Bool {
    switch members[key] {
    case nil: return false
    case .bool(let flag)?: return flag
    case .some:
      report(.typeMismatch, "`\(key)` must be `true` or `false`", at: span(of: [key], in: syntax.schema))
      return false
    }
  }

  /// The region decides how a number without `+` is read.
  private mutating func checkRegion(_ members: ValueMap, _ syntax: InputSyntax) -> Bool {
    guard let region = members["region"] else { return true }
    let place = span(of: ["region"], in: syntax.schema)
    guard members["format"] == "phone" else {
      report(.invalidValue, "`region` belongs to `format: phone`", at: place, help: ["add the format, or leave `region` out"])
      return false
    }
    if let text = region.stringValue, text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) { return true }
    let upper = region.stringValue?.uppercased() ?? ""
    report(
      .invalidValue, "`region` must be a country in two capital letters (ISO 3166)", at: place,
      help: [upper.utf8.count == 2 ? "write `region: \(upper)`" : "such as `region: US`"])
    return false
  }

  /// - Parameter data: where the schema was written.
  mutating func compileSchema(_ value: Value, in data: DataSyntax) -> Schema? {
    do throws(SchemaError) {
      return try Schema.compile(value)
    } catch {
      let path = error.pointer.split(separator: "/").map(String.init)
      report(.invalidValue, "this is no valid JSON Schema: \(error.message)", at: span(of: path, in: data))
      return nil
    }
  }

  private mutating func checkDefault(_ fallback: Value?, _ schema: Schema, _ phoneRegion: String?, _ syntax: InputSyntax) {
    guard var value = fallback else { return }
    let place = span(of: ["default"], in: syntax.schema)
    if let phoneRegion, case .string(let text) = value {
      guard let number = e164(text, region: phoneRegion) else {
        return report(
          .invalidValue, "the default of `\(syntax.name.value)` is no phone number", at: place, help: [phoneHelp(region: phoneRegion)])
      }
      value = .string(number)
    }
    guard let violation = schema.validate(value).first else { return }
    if case .int = value, schema.valueType == .string {
      return report(
        .quoteThisNumber, "the default of `\(syntax.name.value)` is text: a number here must be quoted", at: place,
        label: "a number to YAML",
        help: ["write `default: \"\(file.text(of: place))\"`"])
    }
    let path = violation.path.map { token in
      switch token {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
    report(
      .invalidValue, "the default of `\(syntax.name.value)` is not valid: \(violation.message)",
      at: span(of: ["default"] + path, in: syntax.schema))
  }

  /// Where a member of a tree stands, or the first line of the nearest that there is.
  private func span(of path: [String], in data: DataSyntax) -> Span {
    guard let name = path.first else { return data.span.line(in: file, within: data.span) }
    switch data {
    case .map(let entries, _):
      guard let entry = entries.first(where: { $0.key.value == name }) else { break }
      return span(of: Array(path.dropFirst()), in: entry.value)
    case .list(let items, _):
      guard let position = Int(name), items.indices.contains(position) else { break }
      return span(of: Array(path.dropFirst()), in: items[position])
    case .scalar: break
    }
    return data.span.line(in: file, within: data.span)
  }
}

extension DataSyntax {
  /// Where its first expression stands.
  fileprivate var firstExpression: Span? {
    switch self {
    case .scalar(let scalar): scalar.constant == nil ? scalar.span : nil
    case .list(let items, _): items.lazy.compactMap(\.firstExpression).first
    case .map(let entries, _): entries.lazy.compactMap(\.value.firstExpression).first
    }
  }
}

/// What a phone number looks like, for a message.
func phoneHelp(region: String) -> String {
  region == "US"
    ? "ten digits, or eleven that start with 1; or `+`, another country's code and the number"
    : "`+`, the country's code and the number: 8 to 15 digits"
}
