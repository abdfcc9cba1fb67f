import Crypto
import FoundationEssentials

/// Names bytes by their SHA-256 (FIPS 180-4), in lower-case hexadecimal digits.
package enum ContentDigest {
  package static func of(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = SHA256.hash(data: Data(bytes)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
