import Diagnostics
import SourceText
import Values

extension Checker {
  mutating func checkList(_ syntax: Syntax, _ elements: [(value: Syntax, isOptional: Bool)]) -> Expression {
    var type: ValueType?
    var checked: [Expression.Element] = []
    for (value, isOptional) in elements {
      let value = check(value)
      checked.append(Expression.Element(value: value, isOptional: isOptional))
      type = types.join(type, isOptional ? contents(value, "a list") : value.type)
    }
    return made(syntax, .list(type ?? types.fresh()), .list(checked))
  }

  mutating func checkMap(_ syntax: Syntax, _ entries: [(key: Syntax, value: Syntax, isOptional: Bool)]) -> Expression {
    var keyType: ValueType?
    var valueType: ValueType?
    var checked: [Expression.Entry] = []
    for (key, value, isOptional) in entries {
      let key = check(key)
      let value = check(value)
      expectKey(key)
      checked.append(Expression.Entry(key: key, value: value, isOptional: isOptional))
      keyType = types.join(keyType, key.type)
      valueType = types.join(valueType, isOptional ? contents(value, "a map") : value.type)
    }
    return made(syntax, .map(keyType ?? types.fresh(), valueType ?? types.fresh()), .map(checked))
  }

  /// What `?value` puts into a list or map.
  private mutating func contents(_ value: Expression, _ container: String) -> ValueType {
    switch types.resolve(value.type) {
    case .optional(let inner): return inner
    case let type where type.isUnknown: return .dyn
    case let type:
      report(
        ExpressionIssue(
          .typeMismatch, "`?` puts an optional into \(container), not `\(type)`", at: value.span, label: type.description,
          help: ["leave out the `?`"]))
      return type
    }
  }

  private mutating func expectKey(_ key: Expression) {
    switch types.resolve(key.type) {
    case .string, .int, .uint, .bool, .dyn, .parameter, .error: break
    case let type:
      report(
        ExpressionIssue(
          .typeMismatch, "the key of a map is a string, int, uint or bool, not `\(type)`", at: key.span,
          label: type.description, help: type.isNumeric || type == .string ? [] : ["write `string(…)`"]))
    }
  }

  mutating func checkIndex(_ syntax: Syntax, _ operand: Syntax, _ index: Syntax, _ isOptional: Bool) -> Expression {
    let operand = check(operand)
    let outer = allowsMissing
    allowsMissing = false
    let index = check(index)
    allowsMissing = outer
    let kind = Expression.Kind.index(operand, index, isOptional: isOptional)
    guard isStrict else { return made(syntax, .dyn, kind) }
    let type = element(types.resolve(operand.type), operand, index, isOptional)
    if type == .error { return unresolved(syntax, "no such element") }
    let whole = made(syntax, type, kind)
    let narrowed = narrowed(type, Facts.key(whole))
    return made(syntax, isOptional ? narrowed.asOptional : narrowed, kind)
  }

  private mutating func element(
    _ type: ValueType, _ operand: Expression, _ index: Expression, _ isOptional: Bool
  ) -> ValueType {
    let key = types.resolve(index.type)
    switch type {
    case .error: return .error
    case .dyn, .parameter: return .dyn
    case .list(let element):
      if key == .int || key == .uint || key.isUnknown { return types.resolve(element) }
      return badIndex("a list is indexed by an int, not `\(key)`", operand, index)
    case .map(let expected, let value):
      if canBeEqual(key, types.resolve(expected)) { return types.resolve(value) }
      return badIndex("the keys are of type `\(types.resolve(expected))`, not `\(key)`", operand, index)
    case .record:
      if case .literal(.string(let name)) = index.kind {
        let path = Facts.key(operand).map { Facts.member($0, name) }
        let isGuarded = isOptional || allowsMissing || path.map { facts.contains(.present($0)) } ?? false
        return fieldType(type, operand, Located(name, index.span), isGuarded: isGuarded)
      }
      if key == .string || key.isUnknown { return .dyn }
      return badIndex("its fields have names, not `\(key)`", operand, index)
    case .optional(let inner):
      let type = element(types.resolve(inner), operand, index, true)
      return type == .error ? .error : type.asOptional
    case .nullable(let inner):
      if allowsMissing { return element(inner, operand, index, isOptional) }
      reportNull(operand)
      return .error
    case .null where allowsMissing: return .dyn
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type, .abstract:
      return badIndex("a value of type `\(type)` has no elements", operand, index)
    }
  }

  private mutating func badIndex(_ message: String, _ operand: Expression, _ index: Expression) -> ValueType {
    report(
      ExpressionIssue(
        .typeMismatch, message, at: index.span, label: types.resolve(index.type).description,
        related: [.init(operand.span, types.resolve(operand.type).description)]))
    return .error
  }
}
