import Values

/// A key as a token of a JSON Pointer (RFC 6901 §3).
func escapedPointerToken(_ key: String) -> String {
  guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
  var escaped = ""
  for scalar in key.unicodeScalars {
    switch scalar {
    case "~": escaped += "~0"
    case "/": escaped += "~1"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}

/// The tokens of a JSON Pointer, unescaped; nil for a text that is none.
func pointerTokens(_ pointer: String) -> [String]? {
  if pointer.isEmpty { return [] }
  guard pointer.hasPrefix("/") else { return nil }
  return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { token in
    var plain = ""
    var isEscape = false
    for scalar in token.unicodeScalars {
      if isEscape {
        plain += scalar == "1" ? "/" : scalar == "0" ? "~" : "~" + String(scalar)
        isEscape = false
      } else if scalar == "~" {
        isEscape = true
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    return isEscape ? plain + "~" : plain
  }
}

/// The text without its percent escapes; what is no escape stays.
func percentDecoded(_ text: String) -> String {
  guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
  let bytes = Array(text.utf8)
  var decoded: [UInt8] = []
  var index = 0
  while index < bytes.count {
    if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
      let low = hexValue(bytes[index + 2])
    {
      decoded.append(high << 4 | low)
      index += 3
    } else {
      decoded.append(bytes[index])
      index += 1
    }
  }
  return String(decoding: decoded, as: UTF8.self)
}

extension Value {
  /// The part of it under one token of a JSON Pointer.
  func member(_ token: String) -> Value? {
    switch self {
    case .map(let map): map[token]
    case .list(let items): Int(token).flatMap { items.indices.contains($0) ? items[$0] : nil }
    default: nil
    }
  }
}
