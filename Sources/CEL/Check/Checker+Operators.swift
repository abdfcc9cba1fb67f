import Diagnostics
import SourceText
import Values

extension Checker {
  mutating func checkLogic(_ syntax: Syntax, _ operands: [Syntax]) -> Expression {
    guard case .operation(let operation, _) = syntax.kind else { return unresolved(syntax, "no value") }
    let isAnd = operation == .and
    let outer = facts
    var checked: [Expression] = []
    var areBools = true
    for operand in operands {
      let expression = check(operand)
      // Once is enough: `a || 'x'` is one mistake.
      if areBools {
        areBools = expectBool(expression, "`\(operation.rawValue)` takes bools", help: hints(operation, operands))
      }
      warnIfConstant(expression)
      facts.formUnion(isAnd ? Facts.whenTrue(expression) : Facts.whenFalse(expression))
      checked.append(expression)
    }
    facts = outer
    return made(syntax, .bool, isAnd ? .and(checked) : .or(checked))
  }

  /// `a || 'x'` is how other languages give a fallback.
  private func hints(_ operation: Operator, _ operands: [Syntax]) -> [String] {
    guard operation == .or, operands.count == 2 else { return [] }
    return ["for a value that may be missing, write `default(\(text(operands[0].span)), \(text(operands[1].span)))`"]
  }

  private mutating func warnIfConstant(_ condition: Expression) {
    guard isStrict, condition.isConstant, case .bool(let value)? = constantValue(condition) else { return }
    report(
      ExpressionIssue(
        .constantCondition, "this condition is always `\(value)`", at: condition.span, severity: .warning))
  }

  /// The value of an expression without variables and local names.
  private func constantValue(_ expression: Expression) -> Value? {
    guard locals.isEmpty else { return nil }
    return try? Program(source: "", expression: expression, localCount: localCount).evaluate([])
  }

  mutating func checkConditional(_ syntax: Syntax, _ condition: Syntax, _ yes: Syntax, _ no: Syntax) -> Expression {
    let condition = check(condition)
    expectBool(condition, "the condition before `?` must be a bool")
    warnIfConstant(condition)
    let yes = check(yes, knowing: Facts.whenTrue(condition))
    let no = check(no, knowing: Facts.whenFalse(condition))
    let type = types.join(yes.type, no.type)
    let (a, b) = (types.resolve(yes.type), types.resolve(no.type))
    if type == .dyn, !a.isUnknown, !b.isUnknown, !(a.isNumeric && b.isNumeric), !(a.isMapLike && b.isMapLike) {
      report(
        ExpressionIssue(
          .typeMismatch, "the two values of `?:` differ in type: `\(a)` and `\(b)`", at: no.span, label: b.description,
          related: [.init(yes.span, a.description)], help: ["if both are meant, write `dyn(…)` around one"]))
    }
    return made(syntax, type, .conditional(condition, then: yes, else: no))
  }

  mutating func checkNegation(_ syntax: Syntax, _ operand: Syntax) -> Expression {
    let operand = check(operand)
    let type = types.resolve(operand.type)
    switch type {
    case .int, .double, .dyn, .parameter, .error: break
    case .nullable: reportNull(operand)
    default:
      report(
        ExpressionIssue(
          .typeMismatch, "`-` takes an int or a double, not `\(type)`", at: operand.span, label: type.description))
    }
    return made(syntax, type, .negate(operand))
  }

  mutating func checkBinary(_ syntax: Syntax, _ operation: Operator, _ left: Syntax, _ right: Syntax) -> Expression {
    if operation == .subtract, let hyphenated = hyphenated(syntax, left, right) { return hyphenated }
    let a = check(left)
    let b = check(right)
    let kind = Expression.Kind.binary(operation, a, b)
    guard isStrict else { return made(syntax, .dyn, kind) }
    let (x, y) = (types.resolve(a.type), types.resolve(b.type))
    switch operation {
    case .equal, .notEqual:
      if !canBeEqual(x, y) { mismatch("cannot compare `\(x)` with `\(y)`", a, b) }
      warnOfKinds(a, b)
      return made(syntax, .bool, kind)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if case .nullable = x {
        reportNull(a)
      } else if case .nullable = y {
        reportNull(b)
      } else if !isOrdered(x, y) {
        mismatch("cannot compare `\(x)` with `\(y)`", a, b)
      }
      warnOfKinds(a, b)
      return made(syntax, .bool, kind)
    case .isIn:
      checkMembership(a, b)
      return made(syntax, .bool, kind)
    case .add, .subtract, .multiply, .divide, .remainder:
      return made(syntax, arithmetic(operation, a, b), kind)
    case .and, .or: return unresolved(syntax, "no value")
    }
  }

  /// `steps.log-in.status` reads as a subtraction; ids have `_` instead.
  private mutating func hyphenated(_ syntax: Syntax, _ left: Syntax, _ right: Syntax) -> Expression? {
    guard isStrict, let l = left.nameChain, let r = right.nameChain, left.span.end + 1 == right.span.start else { return nil }
    let prefix = l.names.dropLast().map(\.value).joined(separator: ".")
    guard let last = l.names.last, let first = r.names.first else { return nil }
    let meant = "\(last.value)_\(first.value)"
    guard environment.goesOn(from: prefix, with: meant), !environment.goesOn(from: prefix, with: last.value) else { return nil }
    let written = "\(last.value)-\(first.value)"
    report(
      ExpressionIssue(
        .unknownName, "`\(written)` is read as a subtraction", at: Span(last.span.start, first.span.end),
        help: ["write `\(prefix.isEmpty ? "" : prefix + ".")\(meant)`"]))
    return unresolved(syntax, "`\(written)` is read as a subtraction")
  }

  private mutating func mismatch(_ message: String, _ a: Expression, _ b: Expression, help: [String] = []) {
    report(
      ExpressionIssue(
        .typeMismatch, message, at: b.span, label: types.resolve(b.type).description,
        related: [.init(a.span, types.resolve(a.type).description)], help: help))
  }

  /// Whether values of the types may be equal; the comparison is an error where they never are.
  func canBeEqual(_ a: ValueType, _ b: ValueType) -> Bool {
    switch (a, b) {
    case _ where a.isUnknown || b.isUnknown || a == b: true
    case _ where a.isNumeric && b.isNumeric: true
    case (.nullable, .null), (.null, .nullable), (.optional, .null), (.null, .optional): true
    case (.nullable(let x), let y), (let y, .nullable(let x)): canBeEqual(x, y.withoutNull)
    case (.list(let x), .list(let y)), (.optional(let x), .optional(let y)): canBeEqual(x, y)
    case (.map(let k, let v), .map(let l, let w)): canBeEqual(k, l) && canBeEqual(v, w)
    case (.record, .record): true
    case (.record, .map(let key, _)), (.map(let key, _), .record): canBeEqual(key, .string)
    case (.type, .type): true
    case (.abstract(let name, _), .abstract(let other, _)): name == other
    default: false
    }
  }

  private func isOrdered(_ a: ValueType, _ b: ValueType) -> Bool {
    func hasOrder(_ type: ValueType) -> Bool {
      switch type {
      case .int, .uint, .double, .string, .bytes, .bool, .timestamp, .duration: true
      default: type.isUnknown
      }
    }
    guard hasOrder(a), hasOrder(b) else { return false }
    return a == b || a.isUnknown || b.isUnknown || (a.isNumeric && b.isNumeric)
  }

  /// An unknown value beside a text that looks like another kind: `body.code == '409'` is never true for a number.
  private mutating func warnOfKinds(_ a: Expression, _ b: Expression) {
    for (unknown, literal) in [(a, b), (b, a)] where types.resolve(unknown.type) == .dyn {
      guard case .literal(.string(let value)) = literal.kind, looksLikeOtherKind(value) else { continue }
      let path = text(unknown.span)
      report(
        ExpressionIssue(
          .typeMismatch, "`\(path)` is of unknown type, and `\(value)` in quotes equals no number and no bool", at: literal.span,
          label: "string", severity: .warning, related: [.init(unknown.span, "unknown type")],
          help: ["compare with `\(value)`, or write `string(\(path))`"]))
    }
  }

  private func looksLikeOtherKind(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return text == "true" || text == "false" || ((first.isDigit || first == UInt8(ascii: "-")) && Double(text) != nil)
  }

  private mutating func checkMembership(_ item: Expression, _ container: Expression) {
    let (x, y) = (types.resolve(item.type), types.resolve(container.type))
    let element: ValueType
    switch y {
    case .list(let type): element = type
    case .map(let key, _): element = key
    case .record: element = .string
    case .dyn, .parameter, .error: return
    case .nullable: return reportNull(container)
    case .string:
      return mismatch(
        "`in` looks into lists and maps, not `string`", item, container,
        help: [
          "write `\(text(container.span)).contains(\(text(item.span)))`"
        ])
    default: return mismatch("`in` looks into lists and maps, not `\(y)`", item, container)
    }
    if !canBeEqual(x, element) { mismatch("`\(x)` is never in `\(y)`", item, container) }
  }
}
