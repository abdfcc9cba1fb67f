import Diagnostics
import SourceText
import Values

extension Checker {
  mutating func checkComprehension(_ syntax: Syntax, _ comprehension: Syntax.Comprehension) -> Expression {
    let range = check(comprehension.range)
    let (key, value) = elements(of: range, comprehension)
    var numbers: [Int] = []
    if comprehension.variables.count == 2 {
      numbers.append(pushLocal(comprehension.variables[0].value, key))
      numbers.append(pushLocal(comprehension.variables[1].value, value))
    } else {
      let isMap = types.resolve(range.type).isMapLike
      numbers.append(pushLocal(comprehension.variables[0].value, isMap ? key : value))
    }
    let outer = facts
    let filter = comprehension.filter.map { check($0) }
    if let filter {
      expectBool(filter, "the filter must be a bool")
      facts.formUnion(Facts.whenTrue(filter))
    }
    let body = check(comprehension.body)
    facts = outer
    let type = result(comprehension.form, range: range, key: key, body: body)
    locals.removeLast(numbers.count)
    return made(
      syntax, type,
      .comprehension(
        Expression.Comprehension(form: comprehension.form, range: range, locals: numbers, filter: filter, body: body)))
  }

  /// The types of the index or key, and of the element, that a comprehension binds.
  private mutating func elements(
    of range: Expression, _ comprehension: Syntax.Comprehension
  ) -> (key: ValueType, value: ValueType) {
    switch types.resolve(range.type) {
    case .list(let element): return (.int, element)
    case .map(let key, let value): return (key, value)
    case .record: return (.string, .dyn)
    case .error: return (.error, .error)
    case .dyn, .parameter: return (.dyn, .dyn)
    case .nullable:
      reportNull(range)
      return (.error, .error)
    case let type:
      report(
        ExpressionIssue(
          .typeMismatch, "`\(comprehension.form.rawValue)` goes over a list or a map, not `\(type)`", at: range.span,
          label: type.description))
      return (.error, .error)
    }
  }

  private mutating func result(
    _ form: ComprehensionForm, range: Expression, key: ValueType, body: Expression
  ) -> ValueType {
    switch form {
    case .all, .exists, .existsOne:
      expectBool(body, "`\(form.rawValue)` takes a condition")
      return .bool
    case .filter:
      expectBool(body, "`filter` takes a condition")
      // The keys of a map are what its filter gives.
      return types.resolve(range.type).isMapLike ? .list(key) : range.type
    case .map, .transformList: return .list(body.type)
    case .transformMap:
      if case .list = types.resolve(range.type) { return .map(.int, body.type) }
      return .map(key, body.type)
    case .transformMapEntry:
      switch types.resolve(body.type) {
      case .map(let key, let value): return .map(key, value)
      case let type where type.isUnknown: return .map(.dyn, .dyn)
      case let type:
        report(
          ExpressionIssue(
            .typeMismatch, "`transformMapEntry` takes a map such as `{key: value}`, not `\(type)`", at: body.span,
            label: type.description))
        return .error
      }
    case .sortBy: return range.type
    }
  }

  mutating func checkOptionalMap(
    _ syntax: Syntax, _ target: Syntax, _ variable: Located<String>, _ body: Syntax, _ isFlat: Bool
  ) -> Expression {
    let target = check(target)
    var element = ValueType.dyn
    switch types.resolve(target.type) {
    case .optional(let inner): element = inner
    case let type where type.isUnknown: break
    case let type:
      report(
        ExpressionIssue(
          .typeMismatch, "`\(isFlat ? "optFlatMap" : "optMap")` is for optionals, not `\(type)`", at: target.span,
          label: type.description))
    }
    let number = pushLocal(variable.value, element)
    let body = check(body)
    locals.removeLast()
    let type = isFlat ? types.resolve(body.type).asOptional : .optional(body.type)
    return made(syntax, type, .optionalMap(target, local: number, body, isFlat: isFlat))
  }
}
