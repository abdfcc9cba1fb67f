import Diagnostics
import SourceText
import Values

/// Binds names, infers types and collects issues; one sub-expression that is reported silences what follows from it.
struct Checker {
  struct Local {
    var name: String
    var number: Int
    var type: ValueType
  }

  let environment: Environment
  let source: [UInt8]
  var types = TypeInference()
  var issues: [ExpressionIssue] = []
  var locals: [Local] = []
  var localCount = 0
  /// What the conditions around the current sub-expression prove.
  var facts: Set<Facts.Fact> = []
  /// Inside the path of `default`, where anything may be missing or null.
  var allowsMissing = false

  init(_ environment: Environment, source: String) {
    self.environment = environment
    self.source = Array(source.utf8)
  }

  var isStrict: Bool { environment.checking == .strict }

  func text(_ span: Span) -> String { String(decoding: source[span.start..<min(span.end, source.count)], as: UTF8.self) }

  mutating func report(_ issue: ExpressionIssue) {
    if isStrict || issue.kind == .invalidExpression { issues.append(issue) }
  }

  func finish(_ expression: Expression) -> Expression {
    Expression(
      id: expression.id, span: expression.span, type: types.resolve(expression.type, freeAsDyn: true), kind: expression.kind)
  }

  func made(_ syntax: Syntax, _ type: ValueType, _ kind: Expression.Kind) -> Expression {
    Expression(id: syntax.id, span: syntax.span, type: isStrict ? types.resolve(type) : .dyn, kind: kind)
  }

  func unresolved(_ syntax: Syntax, _ message: String) -> Expression {
    made(syntax, .error, .unresolved(message))
  }

  mutating func check(_ syntax: Syntax) -> Expression {
    switch syntax.kind {
    case .literal(let value): return made(syntax, value.staticType, .literal(value))
    case .name, .select: return checkPath(syntax)
    case .has(let operand, let field): return checkPresence(syntax, operand, field)
    case .index(let operand, let index, let isOptional): return checkIndex(syntax, operand, index, isOptional)
    case .call(let target, let name, let isAbsolute, let arguments):
      return checkCall(syntax, target, name, isAbsolute, arguments)
    case .operation(.and, let operands), .operation(.or, let operands): return checkLogic(syntax, operands)
    case .operation(let operation, let operands):
      return checkBinary(syntax, operation, operands[0], operands[1])
    case .not(let operand):
      let operand = check(operand)
      expectBool(operand, "`!` takes a bool")
      return made(syntax, .bool, .not(operand))
    case .negate(let operand): return checkNegation(syntax, operand)
    case .conditional(let condition, let yes, let no): return checkConditional(syntax, condition, yes, no)
    case .list(let elements): return checkList(syntax, elements)
    case .map(let entries): return checkMap(syntax, entries)
    case .comprehension(let comprehension): return checkComprehension(syntax, comprehension)
    case .bind(let variable, let value, let body):
      let value = check(value)
      let number = pushLocal(variable.value, value.type)
      let body = check(body)
      locals.removeLast()
      return made(syntax, body.type, .bind(number, to: value, in: body))
    case .optionalMap(let target, let variable, let body, let isFlat):
      return checkOptionalMap(syntax, target, variable, body, isFlat)
    case .fallback(let path, let fallback): return checkFallback(syntax, path, fallback)
    }
  }

  mutating func pushLocal(_ name: String, _ type: ValueType) -> Int {
    localCount += 1
    locals.append(Local(name: name, number: localCount - 1, type: type))
    return localCount - 1
  }

  /// Checks with more known than around it.
  mutating func check(_ syntax: Syntax, knowing more: Set<Facts.Fact>) -> Expression {
    let outer = facts
    facts.formUnion(more)
    defer { facts = outer }
    return check(syntax)
  }

  /// Reports a condition that is not a bool; true if it is one, or may be.
  @discardableResult
  mutating func expectBool(_ expression: Expression, _ message: String, help: [String] = []) -> Bool {
    let type = types.resolve(expression.type)
    if type == .bool || type.isUnknown { return true }
    if case .nullable(.bool) = type {
      reportNull(expression)
    } else {
      report(
        ExpressionIssue(
          .typeMismatch, "\(message), not `\(type)`", at: expression.span, label: type.description, help: help))
    }
    return false
  }

  /// Reports a use of what may be null.
  mutating func reportNull(_ expression: Expression) {
    let source = text(expression.span)
    report(
      ExpressionIssue(
        .typeMismatch, "`\(source)` may be null", at: expression.span, label: expression.type.description,
        help: ["guard it with `\(source) != null`, or write `default(\(source), …)`"]))
  }
}
