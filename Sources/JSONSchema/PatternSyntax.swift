/// A pattern of ECMA-262, as schemas write them, in the syntax of RE2: long names of Unicode properties become short
/// ones, `\uXXXX` becomes `\x{XXXX}`. The rest is the same, or RE2 refuses it (look-ahead, back references).
func re2Syntax(ofECMAScript pattern: String) -> String {
  guard pattern.utf8.contains(UInt8(ascii: "\\")) else { return pattern }
  var result = ""
  var rest = pattern.unicodeScalars[...]
  while let scalar = rest.popFirst() {
    guard scalar == "\\", let kind = rest.popFirst() else {
      result.unicodeScalars.append(scalar)
      continue
    }
    switch kind {
    case "p", "P":
      if let name = braced(&rest) { result += "\\\(kind){\(shortPropertyName(name))}" } else { result += "\\\(kind)" }
    case "u":
      if let code = braced(&rest) ?? codeUnits(&rest) { result += "\\x{\(code)}" } else { result += "\\u" }
    default: result += "\\\(kind)"
    }
  }
  return result
}

/// What stands in braces here; takes nothing where there are none.
private func braced(_ rest: inout Substring.UnicodeScalarView) -> String? {
  guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
  defer { rest = rest[rest.index(after: end)...] }
  return String(rest[rest.index(after: rest.startIndex)..<end])
}

/// Four hexadecimal digits, or the one scalar that two such escapes of a surrogate pair mean.
private func codeUnits(_ rest: inout Substring.UnicodeScalarView) -> String? {
  guard rest.count >= 4, let first = UInt32(String(rest.prefix(4)), radix: 16) else { return nil }
  rest = rest.dropFirst(4)
  if 0xD800..<0xDC00 ~= first, rest.starts(with: "\\u".unicodeScalars),
    let second = UInt32(String(rest.dropFirst(2).prefix(4)), radix: 16), 0xDC00..<0xE000 ~= second
  {
    rest = rest.dropFirst(6)
    return String(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00)), radix: 16)
  }
  return String(first, radix: 16)
}

private func shortPropertyName(_ name: String) -> String {
  let value = name.split(separator: "=").last.map(String.init) ?? name
  return shortCategoryNames[value] ?? value
}

/// The long names of general categories (Unicode's PropertyValueAliases).
private let shortCategoryNames: [String: String] = [
  "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
  "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
  "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
  "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
  "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S",
  "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs",
  "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf",
  "Private_Use": "Co", "Surrogate": "Cs",
]
