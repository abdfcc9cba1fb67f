/// Base64 with the standard alphabet (RFC 4648 §4). Padding is written; it may be left out in what is read.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        result.append(position <= group.count ? alphabet[bits >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func decode(_ text: String) -> [UInt8]? {
    var bytes = Array(text.utf8)
    if bytes.count % 4 == 0 {
      for _ in 0..<2 where bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
    }
    guard bytes.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 4 * 3 + 2)
    var bits = 0
    var count = 0
    for byte in bytes {
      guard let value = digit(byte) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    // What is left over must be zeros, so that every value has one text.
    return bits & ((1 << count) - 1) == 0 ? result : nil
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x41...0x5A: Int(byte) - 0x41
    case 0x61...0x7A: Int(byte) - 0x61 + 26
    case 0x30...0x39: Int(byte) - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
