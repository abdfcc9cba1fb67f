import SourceText

extension Parser {
  /// The node that a macro stands for; nil for a call that is no macro.
  mutating func macro(
    target: Syntax?, _ name: Located<String>, _ arguments: [Syntax], _ span: Span
  ) throws(Failure) -> Syntax? {
    guard let target else {
      switch (name.value, arguments.count) {
      case ("has", 1): return try presence(arguments[0], span)
      case ("default", 2): return try fallback(arguments[0], arguments[1], span)
      default: return nil
      }
    }
    switch (name.value, arguments.count) {
    case ("bind", 3) where target.simpleName?.value == "cel":
      let variable = try variable(arguments[0], of: "cel.bind")
      return try node(
        .bind(variable, to: arguments[1], in: arguments[2]), span, over: Array(arguments.dropFirst()))
    case ("optMap", 2), ("optFlatMap", 2):
      let variable = try variable(arguments[0], of: name.value)
      return try node(
        .optionalMap(target, variable, arguments[1], isFlat: name.value == "optFlatMap"), span,
        over: [target, arguments[1]])
    default: break
    }
    guard let shape = shapes[name.value]?.first(where: { $0.argumentCount == arguments.count }) else { return nil }
    var variables: [Located<String>] = []
    for argument in arguments.prefix(shape.variables) { variables.append(try variable(argument, of: name.value)) }
    if shape.variables == 2, variables[0].value == variables[1].value {
      throw Self.failure("`\(name.value)` needs two different names", at: variables[1].span)
    }
    let filter = shape.hasFilter ? arguments[shape.variables] : nil
    let body = arguments[arguments.count - 1]
    let comprehension = Syntax.Comprehension(
      form: shape.form, range: target, variables: variables, filter: filter, body: body)
    return try node(.comprehension(comprehension), span, over: [target, body] + (filter.map { [$0] } ?? []))
  }

  private mutating func presence(_ argument: Syntax, _ span: Span) throws(Failure) -> Syntax {
    guard case .select(let operand, let field, isOptional: false) = argument.kind else {
      throw Self.failure(
        "`has` takes a field, such as `has(a.b)`", at: argument.span,
        help: ["for a key of a map, write `'key' in map`"])
    }
    return try node(.has(operand, field: field), span, over: [operand])
  }

  private mutating func fallback(_ path: Syntax, _ value: Syntax, _ span: Span) throws(Failure) -> Syntax {
    switch path.kind {
    case .name, .select, .index: return try node(.fallback(path, value), span, over: [path, value])
    default:
      throw Self.failure(
        "`default` takes a chain of fields and indexes first, such as `default(a.b[0], 'x')`", at: path.span)
    }
  }

  private func variable(_ argument: Syntax, of macro: String) throws(Failure) -> Located<String> {
    guard let name = argument.simpleName else {
      throw Self.failure("`\(macro)` takes a new name here", at: argument.span, label: "expected a name, such as `item`")
    }
    return name
  }
}

private struct Shape {
  var form: ComprehensionForm
  var variables: Int
  var hasFilter = false

  var argumentCount: Int { variables + (hasFilter ? 2 : 1) }
}

/// The comprehensions by the name of their macro (language definition, "Macros"; extensions: two-variable
/// comprehensions, lists).
private let shapes: [String: [Shape]] = [
  "all": [Shape(form: .all, variables: 1), Shape(form: .all, variables: 2)],
  "exists": [Shape(form: .exists, variables: 1), Shape(form: .exists, variables: 2)],
  "exists_one": [Shape(form: .existsOne, variables: 1), Shape(form: .existsOne, variables: 2)],
  "existsOne": [Shape(form: .existsOne, variables: 1), Shape(form: .existsOne, variables: 2)],
  "filter": [Shape(form: .filter, variables: 1)],
  "map": [Shape(form: .map, variables: 1), Shape(form: .map, variables: 1, hasFilter: true)],
  "transformList": [
    Shape(form: .transformList, variables: 2), Shape(form: .transformList, variables: 2, hasFilter: true),
  ],
  "transformMap": [Shape(form: .transformMap, variables: 2), Shape(form: .transformMap, variables: 2, hasFilter: true)],
  "transformMapEntry": [
    Shape(form: .transformMapEntry, variables: 2), Shape(form: .transformMapEntry, variables: 2, hasFilter: true),
  ],
  "sortBy": [Shape(form: .sortBy, variables: 1)],
]
