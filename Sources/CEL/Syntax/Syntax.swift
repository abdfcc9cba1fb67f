import SourceText
import Values

/// A node of the parse tree: macros are expanded, names are not yet resolved.
struct Syntax: Sendable {
  var id: Int
  var span: Span
  /// The length of the longest way down to a leaf; bounds the recursion of every stage behind the parser.
  var depth: Int
  var kind: Kind

  indirect enum Kind: Sendable {
    case literal(Value)
    /// `isAbsolute` where a dot stands before it, which passes over local names and the container.
    case name(String, isAbsolute: Bool)
    case select(Syntax, field: Located<String>, isOptional: Bool)
    case has(Syntax, field: Located<String>)
    case index(Syntax, Syntax, isOptional: Bool)
    case call(target: Syntax?, name: Located<String>, isAbsolute: Bool, arguments: [Syntax])
    /// All operands of a run of `&&` or `||`; two of any other.
    case operation(Operator, [Syntax])
    case not(Syntax)
    case negate(Syntax)
    case conditional(Syntax, Syntax, Syntax)
    case list([(value: Syntax, isOptional: Bool)])
    case map([(key: Syntax, value: Syntax, isOptional: Bool)])
    case comprehension(Comprehension)
    case bind(Located<String>, to: Syntax, in: Syntax)
    case optionalMap(Syntax, Located<String>, Syntax, isFlat: Bool)
    case fallback(Syntax, Syntax)
  }

  struct Comprehension: Sendable {
    var form: ComprehensionForm
    var range: Syntax
    var variables: [Located<String>]
    var filter: Syntax?
    var body: Syntax
  }
}

/// What a comprehension makes of its range.
package enum ComprehensionForm: String, Hashable, Sendable {
  case all, exists, existsOne, filter, map, transformList, transformMap, transformMapEntry, sortBy
}

/// An operator with two operands.
package enum Operator: String, Hashable, Sendable {
  case or = "||"
  case and = "&&"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case isIn = "in"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
}

extension Syntax {
  /// The segments of a chain such as `a.b.c`, outermost last; nil for anything else.
  var nameChain: (names: [Located<String>], isAbsolute: Bool)? {
    switch kind {
    case .name(let name, let isAbsolute): ([Located(name, span)], isAbsolute)
    case .select(let operand, let field, isOptional: false):
      operand.nameChain.map { ($0.names + [field], $0.isAbsolute) }
    default: nil
    }
  }

  /// The name if the node is nothing but one.
  var simpleName: Located<String>? {
    if case .name(let name, isAbsolute: false) = kind { Located(name, span) } else { nil }
  }
}
