import StepKit
package import Values

/// The claims of a JSON Web Token (RFC 7519), read and not verified: whoever gave it out answers for it.
package struct TokenClaims: Sendable {
  package let claims: ValueMap

  /// Nil for a token that is no JWT.
  package init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64URL.decoded(String(parts[1])), let claims = (try? JSON.parse(bytes))?.mapValue else {
      return nil
    }
    self.claims = claims
  }

  /// `exp`, in seconds since 1970; a fraction is dropped.
  package var expires: Timestamp? {
    guard let seconds = claims["exp"]?.number, seconds >= 0, seconds < 9e15 else { return nil }
    return Timestamp(seconds: Int64(seconds))
  }
}

/// Base64 for URLs, without padding (RFC 4648 §5).
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  package static func encoded(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count * 4 + 2) / 3)
    var (buffer, bits) = (0 as UInt32, 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        out.append(alphabet[Int(buffer >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { out.append(alphabet[Int(buffer << UInt32(6 - bits) & 63)]) }
    return String(decoding: out, as: UTF8.self)
  }

  /// Padding and the letters of plain base64 are taken too; nil for anything else.
  package static func decoded(_ text: String) -> [UInt8]? {
    var out: [UInt8] = []
    var (buffer, bits) = (0 as UInt32, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") { continue }
      let letter = byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return out
  }
}
