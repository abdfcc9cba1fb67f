package import SourceText
package import Values

/// A node of a checked expression: every name is bound, every node has a type.
///
/// Made for walking: an exhaustive `switch` over `kind`, or `children` for all that stands below. Spans are UTF-8
/// offsets in the source of the expression.
package struct Expression: Sendable {
  /// The number of the part of the source that it came from; every call has one of its own.
  package let id: Int
  package let span: Span
  package let type: ValueType
  package let kind: Kind

  package indirect enum Kind: Sendable {
    case literal(Value)
    /// A declared variable: the full dotted name it was declared by, and its slot.
    case variable(name: String, slot: Int)
    /// A name that a comprehension or `cel.bind` made; its number within the program.
    case local(name: String, Int)
    /// `operand.field`, or `operand.?field` where it is optional.
    case select(Expression, field: Located<String>, isOptional: Bool)
    /// `has(operand.field)`.
    case has(Expression, field: Located<String>)
    /// `operand[index]`, or `operand[?index]`.
    case index(Expression, Expression, isOptional: Bool)
    /// A call; the receiver of a method is the first argument. `name` is the span of the function's name.
    case call(Function, name: Span, arguments: [Expression])
    /// Two operands or more, in order.
    case and([Expression])
    case or([Expression])
    case not(Expression)
    case conditional(Expression, then: Expression, else: Expression)
    /// `==` or `!=`, an order, `in`, or arithmetic; never `&&` or `||`.
    case binary(Operator, Expression, Expression)
    case negate(Expression)
    case list([Element])
    case map([Entry])
    case comprehension(Comprehension)
    /// `cel.bind(name, value, body)`; the number of the local name.
    case bind(Int, to: Expression, in: Expression)
    /// `optMap` and `optFlatMap`.
    case optionalMap(Expression, local: Int, Expression, isFlat: Bool)
    /// `default(path, fallback)`: `path` may be missing or null at any step.
    case fallback(Expression, Expression)
    /// What the checker reported or left unchecked; evaluation fails with the message.
    case unresolved(String)
  }

  package struct Element: Sendable {
    package let value: Expression
    package let isOptional: Bool
  }

  package struct Entry: Sendable {
    package let key: Expression
    package let value: Expression
    package let isOptional: Bool
  }

  package struct Comprehension: Sendable {
    package let form: ComprehensionForm
    package let range: Expression
    /// The numbers of its one or two local names.
    package let locals: [Int]
    package let filter: Expression?
    package let body: Expression
  }
}

extension Expression {
  /// The expressions directly below, in the order of the source.
  package var children: [Expression] {
    switch kind {
    case .literal, .variable, .local, .unresolved: []
    case .select(let operand, _, _), .has(let operand, _), .not(let operand), .negate(let operand): [operand]
    case .index(let a, let b, _), .binary(_, let a, let b), .bind(_, let a, let b), .fallback(let a, let b),
      .optionalMap(let a, _, let b, _):
      [a, b]
    case .call(_, _, let arguments): arguments
    case .and(let operands), .or(let operands): operands
    case .conditional(let condition, let yes, let no): [condition, yes, no]
    case .list(let elements): elements.map(\.value)
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .comprehension(let comprehension):
      [comprehension.range] + (comprehension.filter.map { [$0] } ?? []) + [comprehension.body]
    }
  }

  /// Whether the value is the same at every evaluation: it reads no variable and asks no host.
  package var isConstant: Bool {
    switch kind {
    case .variable, .unresolved: false
    case .call(let function, _, _) where function.isAnsweredByHost: false
    default: children.allSatisfy(\.isConstant)
    }
  }

  /// The declared variable and the fields selected from it, where the expression is nothing but that; a literal index
  /// counts as a field. Nil for anything else.
  package var path: (name: String, slot: Int, fields: [String])? {
    switch kind {
    case .variable(let name, let slot): (name, slot, [])
    case .select(let operand, let field, _):
      operand.path.map { ($0.name, $0.slot, $0.fields + [field.value]) }
    case .index(let operand, let index, _):
      if case .literal(.string(let key)) = index.kind { operand.path.map { ($0.name, $0.slot, $0.fields + [key]) } } else { nil }
    default: nil
    }
  }
}
