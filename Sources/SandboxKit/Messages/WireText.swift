/// The pairs of a query or a form, percent-decoded, `+` as a space (WHATWG URL §5.1).
func formPairs(_ text: String) -> [(name: String, value: String)] {
  text.split(separator: "&").map { pair in
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (percentDecoded(parts[0], plusIsSpace: true), parts.count == 2 ? percentDecoded(parts[1], plusIsSpace: true) : "")
  }
}

/// The text without percent-encoding; a `%` that starts none stands for itself.
func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
  let bytes = Array(text.utf8)
  var decoded: [UInt8] = []
  decoded.reserveCapacity(bytes.count)
  var offset = 0
  while offset < bytes.count {
    if bytes[offset] == UInt8(ascii: "%"), offset + 2 < bytes.count, let high = hexDigit(bytes[offset + 1]),
      let low = hexDigit(bytes[offset + 2])
    {
      decoded.append(high << 4 | low)
      offset += 3
    } else {
      decoded.append(plusIsSpace && bytes[offset] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[offset])
      offset += 1
    }
  }
  return String(decoding: decoded, as: UTF8.self)
}

/// The bytes of standard Base64 (RFC 4648 §4), with or without padding; nil for anything else.
func decodedBase64(_ text: String) -> [UInt8]? {
  var decoded: [UInt8] = []
  var buffer: UInt32 = 0
  var bits = 0
  for byte in text.utf8 where byte != UInt8(ascii: "=") {
    guard let six = base64Digit(byte) else { return nil }
    buffer = buffer << 6 | UInt32(six)
    bits += 6
    if bits >= 8 {
      bits -= 8
      decoded.append(UInt8(truncatingIfNeeded: buffer >> bits))
    }
  }
  return decoded
}

private func base64Digit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

extension String {
  /// Without spaces and tabs at both ends.
  var trimmed: String {
    let rest = drop { $0 == " " || $0 == "\t" }
    let last = rest.lastIndex { $0 != " " && $0 != "\t" }
    return last.map { String(rest[...$0]) } ?? ""
  }
}
