import Values

/// A `.tgz`: a tar (POSIX ustar) in a gzip whose blocks are stored and not compressed (RFC 1951 §3.2.4, RFC 1952).
enum SAMIArchive {
  static func bytes(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    gzip(files.flatMap { header($0.name, size: $0.bytes.count) + padded($0.bytes) } + [UInt8](repeating: 0, count: 1024))
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512) }

  private static func header(_ name: String, size: Int) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ offset: Int) { block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8) }
    put(String(name.prefix(99)), 0)
    put("0000644\0", 100)
    put("0000000\0", 108)
    put("0000000\0", 116)
    put(octal(size, 11) + "\0", 124)
    put(octal(0, 11) + "\0", 136)
    put("        ", 148)
    put("0", 156)
    put("ustar\u{0}00", 257)
    // The sum of the whole block, in which the sum itself is blanks.
    put(octal(block.reduce(0) { $0 + Int($1) }, 6) + "\0 ", 148)
    return block
  }

  private static func octal(_ number: Int, _ digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      out.append(rest.isEmpty ? 1 : 0)
      out += little(UInt32(length), 2) + little(UInt32(~length), 2) + block
    } while !rest.isEmpty
    return out + little(checksum(bytes), 4) + little(UInt32(truncatingIfNeeded: bytes.count), 4)
  }

  private static func little(_ number: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  /// CRC-32 (RFC 1952 §8).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xff)] ^ sum >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
  }
}
