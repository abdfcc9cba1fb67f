import Diagnostics
import SourceText
import Values

/// Reads an expression (CEL language definition, "Syntax"), expanding macros on the way.
///
/// Stops at the first error of syntax: what stands behind one cannot be told apart from what it was meant to be.
struct Parser {
  /// Deeper nesting is an error, so that no stage runs out of stack.
  static let nestingLimit = 100
  static let depthLimit = 250

  private var lexer: Lexer
  private(set) var token: Token
  /// The end of the token before the current one.
  private(set) var lastEnd = 0
  private var nesting = 0
  private var nextID = 0

  /// Why a text is no expression.
  struct Failure: Error {
    var issue: ExpressionIssue
  }

  static func parse(_ source: String) throws(Failure) -> Syntax {
    var parser = try Parser(source)
    if case .end = parser.token.kind {
      throw failure("the expression is empty", at: Span(0, source.utf8.count))
    }
    let syntax = try parser.expression()
    guard case .end = parser.token.kind else { throw parser.unexpected(wanted: "an operator or the end") }
    return syntax
  }

  private init(_ source: String) throws(Failure) {
    lexer = Lexer(Array(source.utf8))
    token = Token(kind: .end, span: Span(0, 0))
    try advance()
    lastEnd = 0
  }

  // MARK: Tokens

  mutating func advance() throws(Failure) {
    lastEnd = token.span.end
    do throws(LexicalError) {
      token = try lexer.next()
    } catch {
      throw Failure(
        issue: ExpressionIssue(.invalidExpression, error.message, at: error.span, help: error.help.map { [$0] } ?? []))
    }
  }

  func at(_ mark: Punctuation) -> Bool { token.kind == .punctuation(mark) }

  mutating func take(_ mark: Punctuation) throws(Failure) -> Bool {
    guard at(mark) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ mark: Punctuation, closing open: Span? = nil) throws(Failure) {
    if try take(mark) { return }
    var failure = unexpected(wanted: "`\(mark.rawValue)`")
    if let open { failure.issue.related = [.init(open, "opened here")] }
    throw failure
  }

  func unexpected(wanted: String) -> Failure {
    if case .end = token.kind { return Self.failure("the expression ends where \(wanted) should stand", at: token.span) }
    let found = lexer.text(token.span.start, token.span.end)
    return Self.failure("unexpected `\(found)`", at: token.span, label: "expected \(wanted)")
  }

  static func failure(_ message: String, at span: Span, label: String = "", help: [String] = []) -> Failure {
    Failure(issue: ExpressionIssue(.invalidExpression, message, at: span, label: label, help: help))
  }

  // MARK: Nodes

  mutating func node(_ kind: Syntax.Kind, _ span: Span, over children: [Syntax] = []) throws(Failure) -> Syntax {
    let depth = 1 + (children.map(\.depth).max() ?? 0)
    guard depth <= Self.depthLimit else { throw Self.failure("the expression is nested too deeply", at: span) }
    nextID += 1
    return Syntax(id: nextID, span: span, depth: depth, kind: kind)
  }

  mutating func nested(_ body: (inout Parser) throws(Failure) -> Syntax) throws(Failure) -> Syntax {
    guard nesting < Self.nestingLimit else { throw Self.failure("the expression is nested too deeply", at: token.span) }
    nesting += 1
    defer { nesting -= 1 }
    return try body(&self)
  }

  // MARK: Operators

  mutating func expression() throws(Failure) -> Syntax {
    try nested { parser throws(Failure) in
      let condition = try parser.disjunction()
      guard try parser.take(.question) else { return condition }
      let yes = try parser.disjunction()
      try parser.expect(.colon)
      let no = try parser.expression()
      return try parser.node(.conditional(condition, yes, no), condition.span.joined(with: no.span), over: [condition, yes, no])
    }
  }

  private mutating func disjunction() throws(Failure) -> Syntax {
    try run(of: .or, .orOr) { parser throws(Failure) in
      try parser.run(of: .and, .andAnd) { parser throws(Failure) in try parser.relation() }
    }
  }

  /// A run of one logical operator is one node: `a && b && c` has three operands.
  private mutating func run(
    of operation: Operator, _ mark: Punctuation, _ operand: (inout Parser) throws(Failure) -> Syntax
  ) throws(Failure) -> Syntax {
    var operands = [try operand(&self)]
    while try take(mark) { operands.append(try operand(&self)) }
    guard let first = operands.first, let last = operands.last, operands.count > 1 else { return operands[0] }
    return try node(.operation(operation, operands), first.span.joined(with: last.span), over: operands)
  }

  private mutating func relation() throws(Failure) -> Syntax {
    var left = try sum()
    while let operation = relationalOperator {
      try advance()
      let right = try sum()
      left = try binary(operation, left, right)
    }
    return left
  }

  private var relationalOperator: Operator? {
    switch token.kind {
    case .punctuation(.equalEqual): .equal
    case .punctuation(.notEqual): .notEqual
    case .punctuation(.less): .less
    case .punctuation(.lessOrEqual): .lessOrEqual
    case .punctuation(.greater): .greater
    case .punctuation(.greaterOrEqual): .greaterOrEqual
    case .identifier("in"): .isIn
    default: nil
    }
  }

  private mutating func sum() throws(Failure) -> Syntax {
    var left = try product()
    while true {
      let operation: Operator
      switch token.kind {
      case .punctuation(.plus): operation = .add
      case .punctuation(.minus): operation = .subtract
      default: return left
      }
      let sign = token.span
      try advance()
      if operation == .subtract, token.kind == .identifier("in"), left.span.end == sign.start, token.span.start == sign.end {
        throw Self.failure(
          "`-in` is read as a subtraction", at: sign.joined(with: token.span),
          help: ["where `-` is part of a name, write `_`, as in `log_in`"])
      }
      left = try binary(operation, left, try product())
    }
  }

  private mutating func product() throws(Failure) -> Syntax {
    var left = try unary()
    while true {
      let operation: Operator
      switch token.kind {
      case .punctuation(.star): operation = .multiply
      case .punctuation(.slash): operation = .divide
      case .punctuation(.percent): operation = .remainder
      default: return left
      }
      try advance()
      left = try binary(operation, left, try unary())
    }
  }

  private mutating func binary(_ operation: Operator, _ left: Syntax, _ right: Syntax) throws(Failure) -> Syntax {
    try node(.operation(operation, [left, right]), left.span.joined(with: right.span), over: [left, right])
  }

  private mutating func unary() throws(Failure) -> Syntax {
    let start = token.span
    if try take(.not) {
      let operand = try nested { parser throws(Failure) in try parser.unary() }
      return try node(.not(operand), start.joined(with: operand.span), over: [operand])
    }
    guard try take(.minus) else { return try member() }
    // A sign before a number belongs to the literal, so that int's minimum can be written.
    if let negative = negated(token.kind) {
      let span = start.joined(with: token.span)
      try advance()
      return try members(of: try node(.literal(negative), span))
    }
    let operand = try nested { parser throws(Failure) in try parser.unary() }
    return try node(.negate(operand), start.joined(with: operand.span), over: [operand])
  }

  private func negated(_ kind: Token.Kind) -> Value? {
    switch kind {
    case .int(let value): .int(-value)
    case .intMinimumMagnitude: .int(.min)
    case .double(let value): .double(-value)
    default: nil
    }
  }
}
