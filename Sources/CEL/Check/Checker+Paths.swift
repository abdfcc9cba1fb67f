import Diagnostics
import SourceText
import Values

extension Checker {
  /// A name, or a field of something: the longest chain of names that is declared is one variable.
  mutating func checkPath(_ syntax: Syntax) -> Expression {
    if let chain = syntax.nameChain {
      let names = chain.names.map(\.value)
      if !chain.isAbsolute, let local = locals.last(where: { $0.name == names[0] }) {
        return fields(chain.names, from: 1, of: local, syntax)
      }
      return checkChain(syntax, chain.names, chain.isAbsolute)
    }
    guard case .select(let operand, let field, let isOptional) = syntax.kind else { return unresolved(syntax, "no value") }
    return select(syntax, check(operand), field, isOptional)
  }

  private mutating func fields(_ names: [Located<String>], from first: Int, of local: Local, _ syntax: Syntax) -> Expression {
    let start = Expression(
      id: syntax.id, span: names[0].span, type: narrowed(local.type, "l\(local.number)"),
      kind: .local(name: local.name, local.number))
    return names.dropFirst(first).reduce(start) { operand, field in step(syntax, operand, field) }
  }

  private mutating func step(_ syntax: Syntax, _ operand: Expression, _ field: Located<String>) -> Expression {
    var part = syntax
    part.span = Span(syntax.span.start, max(field.span.end, operand.span.end))
    if field.span.end == syntax.nameChain?.names.last?.span.end { part.span = syntax.span }
    return select(part, operand, field, false)
  }

  private mutating func checkChain(_ syntax: Syntax, _ names: [Located<String>], _ isAbsolute: Bool) -> Expression {
    let containers = isAbsolute ? [""] : environment.containers
    for count in stride(from: names.count, to: 0, by: -1) {
      let joined = names.prefix(count).map(\.value).joined(separator: ".")
      for container in containers {
        guard let start = global(container + joined, Span(syntax.span.start, names[count - 1].span.end), syntax) else { continue }
        return names.dropFirst(count).reduce(start) { operand, field in step(syntax, operand, field) }
      }
    }
    return reportUnknown(syntax, names)
  }

  /// A declared variable, or the name of a type.
  private func global(_ name: String, _ span: Span, _ syntax: Syntax) -> Expression? {
    if let variable = environment.variable(named: name) {
      return Expression(
        id: syntax.id, span: span, type: narrowed(variable.type, "v\(variable.slot)"),
        kind: .variable(name: name, slot: variable.slot))
    }
    if let type = typeNames[name] {
      return Expression(id: syntax.id, span: span, type: .type(type), kind: .literal(.type(name)))
    }
    return nil
  }

  func narrowed(_ type: ValueType, _ key: String?) -> ValueType {
    if case .nullable(let inner) = type, let key, facts.contains(.notNull(key)) { inner } else { type }
  }

  private mutating func reportUnknown(_ syntax: Syntax, _ names: [Located<String>]) -> Expression {
    // As far as declared names begin like this one.
    var known = ""
    var position = 0
    while position < names.count - 1, environment.goesOn(from: joined(known, names[position].value)) {
      known = joined(known, names[position].value)
      position += 1
    }
    let name = joined(known, names[position].value)
    let span = names[position].span
    if environment.goesOn(from: name), let members = environment.members(of: name) {
      // A prefix of declared names is no value of its own.
      report(
        ExpressionIssue(
          .unknownName, "`\(name)` is no value by itself", at: Span(names[0].span.start, span.end),
          help: ["it has \(list(members))"]))
      return unresolved(syntax, "`\(name)` has no value")
    }
    var candidates = environment.members(of: known) ?? []
    if known.isEmpty { candidates += locals.map(\.name) }
    var help: [String] = []
    if let near = nearestName(to: names[position].value, among: candidates) {
      help = ["did you mean `\(joined(known, near))`?"]
    } else if !candidates.isEmpty, candidates.count <= 8 {
      help = [known.isEmpty ? "known names are \(list(candidates))" : "`\(known)` has \(list(candidates))"]
    }
    report(ExpressionIssue(.unknownName, "unknown name `\(name)`", at: span, help: help))
    return unresolved(syntax, "unknown name `\(name)`")
  }

  private func joined(_ prefix: String, _ name: String) -> String { prefix.isEmpty ? name : "\(prefix).\(name)" }

  func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

  // MARK: Fields

  mutating func select(_ syntax: Syntax, _ operand: Expression, _ field: Located<String>, _ isOptional: Bool) -> Expression {
    let kind = Expression.Kind.select(operand, field: field, isOptional: isOptional)
    guard isStrict else { return made(syntax, .dyn, kind) }
    let key = isOptional ? nil : Facts.key(operand).map { Facts.member($0, field.value) }
    let isGuarded = isOptional || allowsMissing || key.map { facts.contains(.present($0)) } ?? false
    let type = fieldType(types.resolve(operand.type), operand, field, isGuarded: isGuarded)
    if type == .error { return unresolved(syntax, "no field `\(field.value)`") }
    let narrowed = narrowed(type, key)
    return made(syntax, isOptional ? narrowed.asOptional : narrowed, kind)
  }

  /// The type of a field, or the error type where it is reported.
  mutating func fieldType(
    _ type: ValueType, _ operand: Expression, _ field: Located<String>, isGuarded: Bool
  ) -> ValueType {
    switch type {
    case .error: return .error
    case .dyn, .parameter: return .dyn
    case .map(let key, let value):
      if types.accepts(.string, for: key) { return types.resolve(value) }
      report(ExpressionIssue(.typeMismatch, "the keys of `\(text(operand.span))` are of type `\(key)`", at: field.span))
      return .error
    case .record(let record): return fieldType(of: record, operand, field, isGuarded: isGuarded)
    case .optional(let inner):
      let type = fieldType(types.resolve(inner), operand, field, isGuarded: true)
      return type == .error ? .error : type.asOptional
    case .nullable(let inner):
      if !allowsMissing {
        reportNull(operand)
        return .error
      }
      return fieldType(inner, operand, field, isGuarded: isGuarded)
    // What is always null is missing, too.
    case .null where allowsMissing: return .dyn
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .list, .type, .abstract:
      var help: [String] = []
      if field.value == "length" || field.value == "size" { help = ["write `size(\(text(operand.span)))`"] }
      report(
        ExpressionIssue(
          .typeMismatch, "a value of type `\(type)` has no fields", at: field.span, label: "no field `\(field.value)`",
          related: [.init(operand.span, type.description)], help: help))
      return .error
    }
  }

  private mutating func fieldType(
    of record: RecordType, _ operand: Expression, _ field: Located<String>, isGuarded: Bool
  ) -> ValueType {
    guard let found = record.field(field.value) else {
      if record.isOpen { return .dyn }
      let names = record.fields.map(\.name)
      var help: [String] = []
      if let near = nearestName(to: field.value, among: names) {
        help = ["did you mean `\(near)`?"]
      } else if !names.isEmpty, names.count <= 8 {
        help = ["its fields are \(list(names))"]
      }
      report(ExpressionIssue(.unknownName, "no field `\(field.value)` in \(record.name)", at: field.span, help: help))
      return .error
    }
    if found.isOptional, !isGuarded {
      let path = "\(text(operand.span)).\(field.value)"
      report(
        ExpressionIssue(
          .outputMayBeMissing, "`\(field.value)` may be missing from \(record.name)", at: field.span, label: "optional",
          help: ["guard it with `has(\(path))`, or write `default(\(path), …)`"]))
      // What mends that takes care of null as well: it is one mistake.
      if case .nullable(let inner) = found.type { return inner }
    }
    return found.type
  }

  mutating func checkPresence(_ syntax: Syntax, _ operand: Syntax, _ field: Located<String>) -> Expression {
    let operand = check(operand)
    if isStrict, operand.type != .error { _ = fieldType(types.resolve(operand.type), operand, field, isGuarded: true) }
    return made(syntax, .bool, .has(operand, field: field))
  }

  mutating func checkFallback(_ syntax: Syntax, _ path: Syntax, _ fallback: Syntax) -> Expression {
    let outer = allowsMissing
    allowsMissing = true
    let path = check(path)
    allowsMissing = outer
    let fallback = check(fallback)
    var type = types.resolve(path.type).withoutNull
    if case .optional(let inner) = type { type = inner.withoutNull }
    let joined = types.join(type, fallback.type)
    if joined == .dyn, !type.isUnknown, !types.resolve(fallback.type).isUnknown, !(type.isNumeric && fallback.type.isNumeric),
      !type.isMapLike
    {
      report(
        ExpressionIssue(
          .typeMismatch, "the fallback is `\(types.resolve(fallback.type))`, but `\(text(path.span))` is `\(type)`",
          at: fallback.span, label: types.resolve(fallback.type).description, related: [.init(path.span, type.description)]))
    }
    return made(syntax, joined, .fallback(path, fallback))
  }
}

extension ValueType {
  var asOptional: ValueType { if case .optional = self { self } else { .optional(self) } }

  var isMapLike: Bool {
    switch self {
    case .map, .record: true
    default: false
    }
  }
}

/// The names that denote types (language definition, "Values"; `dyn` denotes none).
private let typeNames: [String: ValueType] = [
  "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes,
  "list": .list(.dyn), "map": .map(.dyn, .dyn), "null_type": .null, "type": .type(nil),
  "google.protobuf.Timestamp": .timestamp, "google.protobuf.Duration": .duration, "optional_type": .optional(.dyn),
]
