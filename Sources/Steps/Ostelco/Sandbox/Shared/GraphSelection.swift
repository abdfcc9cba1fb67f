import Values

/// The fields that a GraphQL query asks for: fields with aliases, arguments and selections of their own. Fragments and
/// directives are not needed here, and are refused.
struct GraphSelection: Sendable {
  struct Field: Sendable {
    let name: String
    /// The member of the answer.
    let alias: String
    let arguments: ValueMap
    let selection: GraphSelection?
  }

  struct UnknownField: Error { let name: String }

  let fields: [Field]

  /// Nil for what is no query.
  init?(query: String, variables: Value) {
    var reader = GraphReader(query, variables: variables)
    if reader.takes("query") {
      _ = reader.word()
      if reader.peek == "(" { guard reader.skipParentheses() else { return nil } }
    }
    guard let selection = reader.selection(depth: 0), reader.isAtEnd else { return nil }
    self = selection
  }

  fileprivate init(fields: [Field]) { self.fields = fields }

  /// The part of a tree that is asked for; lists give the part of each item. An argument chooses the items of a list whose
  /// member of that name, or whose `region.id` for `regionCode`, is equal to it.
  /// - Parameter isOpen: a member that is not there is null; only some products have a label, and only one is the default.
  /// - Throws: for a field that the tree does not have.
  func chosen(from tree: Value, isOpen: Bool = false) throws(UnknownField) -> Value {
    switch tree {
    case .list(let items):
      var chosenItems: [Value] = []
      for item in items { chosenItems.append(try chosen(from: item, isOpen: isOpen)) }
      return .list(chosenItems)
    case .map(let map):
      var out = ValueMap()
      for field in fields {
        guard let member = map[field.name] ?? (isOpen ? .null : nil) else { throw UnknownField(name: field.name) }
        let kept = field.kept(member)
        let opens = ["presentation", "properties"].contains(field.name)
        out[field.alias] =
          try field.selection.map { selection throws(UnknownField) in try selection.chosen(from: kept, isOpen: opens) } ?? kept
      }
      return .map(out)
    default: return tree
    }
  }
}

extension GraphSelection.Field {
  fileprivate func kept(_ member: Value) -> Value {
    guard case .list(let items) = member else { return member }
    return .list(
      items.filter { item in
        arguments.allSatisfy { argument in
          let its = argument.key.text == "regionCode" ? item["region"]?["id"] : item[argument.key.text]
          return its.map { $0 == argument.value } ?? true
        }
      })
  }
}

/// Reads the tokens of a query.
private struct GraphReader {
  private let tokens: [String]
  private let variables: Value
  private var position = 0

  init(_ text: String, variables: Value) {
    self.variables = variables
    var tokens: [String] = []
    var word = ""
    var isQuoted = false
    for character in text {
      if isQuoted {
        word.append(character)
        if character == "\"" { isQuoted = false }
      } else if character == "\"" {
        word.append(character)
        isQuoted = true
      } else if character.isLetter || character.isNumber || character == "_" || character == "$" {
        word.append(character)
      } else {
        if !word.isEmpty { tokens.append(word) }
        word = ""
        // Commas are blanks.
        if !character.isWhitespace, character != "," { tokens.append(String(character)) }
      }
    }
    if !word.isEmpty { tokens.append(word) }
    self.tokens = tokens
  }

  var peek: String? { position < tokens.count ? tokens[position] : nil }
  var isAtEnd: Bool { position == tokens.count }

  mutating func takes(_ token: String) -> Bool {
    guard peek == token else { return false }
    position += 1
    return true
  }

  /// A name; nil leaves everything as it is.
  mutating func word() -> String? {
    guard let token = peek, token.first.map({ $0.isLetter || $0 == "_" }) ?? false else { return nil }
    position += 1
    return token
  }

  mutating func skipParentheses() -> Bool {
    guard takes("(") else { return false }
    while let token = peek {
      position += 1
      if token == ")" { return true }
    }
    return false
  }

  mutating func selection(depth: Int) -> GraphSelection? {
    guard depth < 32, takes("{") else { return nil }
    var fields: [GraphSelection.Field] = []
    while let first = word() {
      var name = first
      if takes(":") {
        guard let other = word() else { return nil }
        name = other
      }
      guard let arguments = arguments() else { return nil }
      var inner: GraphSelection?
      if peek == "{" {
        inner = selection(depth: depth + 1)
        guard inner != nil else { return nil }
      }
      fields.append(.init(name: name, alias: first, arguments: arguments, selection: inner))
    }
    guard takes("}"), !fields.isEmpty else { return nil }
    return GraphSelection(fields: fields)
  }

  private mutating func arguments() -> ValueMap? {
    var arguments = ValueMap()
    guard takes("(") else { return arguments }
    while let name = word() {
      guard takes(":"), let token = peek else { return nil }
      position += 1
      if token.hasPrefix("$") {
        arguments[name] = variables[String(token.dropFirst())] ?? .null
      } else {
        arguments[name] = token.hasPrefix("\"") ? .string(token.filter { $0 != "\"" }) : Int64(token).map { .int($0) } ?? .string(token)
      }
    }
    return takes(")") ? arguments : nil
  }
}
