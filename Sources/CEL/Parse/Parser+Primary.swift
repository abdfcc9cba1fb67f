import SourceText
import Values

extension Parser {
  mutating func member() throws(Failure) -> Syntax { try members(of: try primary()) }

  /// The selections, indexes and calls behind an operand.
  mutating func members(of operand: Syntax) throws(Failure) -> Syntax {
    var left = operand
    while true {
      if try take(.dot) {
        left = try selection(of: left)
      } else if at(.openBracket) {
        let open = token.span
        try advance()
        let isOptional = try take(.question)
        let index = try expression()
        try expect(.closeBracket, closing: open)
        left = try node(
          .index(left, index, isOptional: isOptional), Span(left.span.start, lastEnd), over: [left, index])
      } else {
        return left
      }
    }
  }

  private mutating func selection(of left: Syntax) throws(Failure) -> Syntax {
    let isOptional = try take(.question)
    let field: Located<String>
    var isQuoted = false
    switch token.kind {
    case .identifier(let name) where !literalNames.contains(name): field = Located(name, token.span)
    case .quotedName(let name):
      field = Located(name, token.span)
      isQuoted = true
    case .identifier, .int, .intMinimumMagnitude, .uint, .double, .string, .bytes, .punctuation, .end:
      throw unexpected(wanted: "the name of a field")
    }
    try advance()
    if at(.openParenthesis), !isOptional, !isQuoted {
      let arguments = try callArguments()
      return try call(target: left, field, isAbsolute: false, arguments, Span(left.span.start, lastEnd))
    }
    return try node(
      .select(left, field: field, isOptional: isOptional), Span(left.span.start, lastEnd), over: [left])
  }

  private mutating func primary() throws(Failure) -> Syntax {
    let start = token
    switch start.kind {
    case .int(let value): return try literal(.int(value))
    case .uint(let value): return try literal(.uint(value))
    case .double(let value): return try literal(.double(value))
    case .string(let value): return try literal(.string(value))
    case .bytes(let value): return try literal(.bytes(value))
    case .identifier("true"): return try literal(.bool(true))
    case .identifier("false"): return try literal(.bool(false))
    case .identifier("null"): return try literal(.null)
    case .intMinimumMagnitude:
      throw Self.failure("`9223372036854775808` does not fit in 64 bits, as int must", at: start.span)
    case .identifier: return try name(isAbsolute: false)
    case .punctuation(.dot):
      try advance()
      return try name(isAbsolute: true, from: start.span)
    case .punctuation(.openParenthesis):
      try advance()
      var inner = try expression()
      try expect(.closeParenthesis, closing: start.span)
      inner.span = Span(start.span.start, lastEnd)
      return inner
    case .punctuation(.openBracket): return try list()
    case .punctuation(.openBrace): return try map()
    case .quotedName:
      throw Self.failure("a name in backticks stands only behind a dot", at: start.span, help: ["write `object.`name``"])
    case .punctuation, .end: throw unexpected(wanted: "a value")
    }
  }

  private mutating func literal(_ value: Value) throws(Failure) -> Syntax {
    let span = token.span
    try advance()
    return try node(.literal(value), span)
  }

  private mutating func name(isAbsolute: Bool, from dot: Span? = nil) throws(Failure) -> Syntax {
    guard case .identifier(let name) = token.kind, !literalNames.contains(name) else { throw unexpected(wanted: "a name") }
    guard !reservedNames.contains(name) else {
      throw Self.failure("`\(name)` is a reserved word and cannot be a name", at: token.span)
    }
    let located = Located(name, token.span)
    let start = dot?.start ?? token.span.start
    try advance()
    if at(.openParenthesis) {
      let arguments = try callArguments()
      return try call(target: nil, located, isAbsolute: isAbsolute, arguments, Span(start, lastEnd))
    }
    if at(.openBrace) {
      throw Self.failure("messages cannot be constructed", at: Span(start, lastEnd), help: ["write a map: `{'key': value}`"])
    }
    return try node(.name(name, isAbsolute: isAbsolute), Span(start, lastEnd))
  }

  private mutating func callArguments() throws(Failure) -> [Syntax] {
    let open = token.span
    try expect(.openParenthesis)
    var arguments: [Syntax] = []
    while !at(.closeParenthesis) {
      arguments.append(try expression())
      guard try take(.comma) else { break }
      // A comma before the parenthesis is allowed in lists and maps, but not here.
      if at(.closeParenthesis) { throw unexpected(wanted: "an argument") }
    }
    try expect(.closeParenthesis, closing: open)
    return arguments
  }

  private mutating func call(
    target: Syntax?, _ name: Located<String>, isAbsolute: Bool, _ arguments: [Syntax], _ span: Span
  ) throws(Failure) -> Syntax {
    if !isAbsolute, let expanded = try macro(target: target, name, arguments, span) { return expanded }
    return try node(
      .call(target: target, name: name, isAbsolute: isAbsolute, arguments: arguments), span,
      over: arguments + (target.map { [$0] } ?? []))
  }

  private mutating func list() throws(Failure) -> Syntax {
    let open = token.span
    try advance()
    var elements: [(value: Syntax, isOptional: Bool)] = []
    while !at(.closeBracket) {
      let isOptional = try take(.question)
      elements.append((try expression(), isOptional))
      guard try take(.comma) else { break }
    }
    try expect(.closeBracket, closing: open)
    return try node(.list(elements), Span(open.start, lastEnd), over: elements.map(\.value))
  }

  private mutating func map() throws(Failure) -> Syntax {
    let open = token.span
    try advance()
    var entries: [(key: Syntax, value: Syntax, isOptional: Bool)] = []
    while !at(.closeBrace) {
      let isOptional = try take(.question)
      let key = try expression()
      try expect(.colon)
      entries.append((key, try expression(), isOptional))
      guard try take(.comma) else { break }
    }
    try expect(.closeBrace, closing: open)
    return try node(.map(entries), Span(open.start, lastEnd), over: entries.flatMap { [$0.key, $0.value] })
  }
}

/// Words that are values or operators wherever they stand.
private let literalNames: Set<String> = ["true", "false", "null", "in"]

/// Words that CEL keeps for itself; behind a dot they are ordinary names.
private let reservedNames: Set<String> = [
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "package", "namespace",
  "return", "var", "void", "while",
]
