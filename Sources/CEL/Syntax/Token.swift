import SourceText

/// One word of an expression.
struct Token: Sendable {
  enum Kind: Equatable, Sendable {
    case identifier(String)
    /// A name in backticks; stands only behind a dot.
    case quotedName(String)
    case int(Int64)
    /// The magnitude of int64's minimum, which has a value only behind a `-`.
    case intMinimumMagnitude
    case uint(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case punctuation(Punctuation)
    case end
  }

  var kind: Kind
  /// UTF-8 byte offsets in the source of the expression.
  var span: Span
}

enum Punctuation: String, CaseIterable, Sendable {
  case andAnd = "&&"
  case orOr = "||"
  case equalEqual = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
  case plus = "+"
  case minus = "-"
  case star = "*"
  case slash = "/"
  case percent = "%"
  case not = "!"
  case question = "?"
  case colon = ":"
  case comma = ","
  case dot = "."
  case openParenthesis = "("
  case closeParenthesis = ")"
  case openBracket = "["
  case closeBracket = "]"
  case openBrace = "{"
  case closeBrace = "}"
}

/// A text that is no word of the language, and why.
struct LexicalError: Error {
  var message: String
  var span: Span
  var help: String?
  /// Whether a string or a quoted name is still open where the text ends.
  var isUnclosed = false
}
