internal import Diagnostics
internal import SourceText

/// What must hold of a file's bytes before YAML is looked for in them: size, UTF-8, and no character that shows as
/// something else than it is.
enum ByteCheck {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Every finding; the first one that spoils the rest is the last.
  static func findings(in file: SourceFile) -> [Diagnostic] {
    let bytes = file.bytes
    if bytes.count > YAMLParse.maximumBytes {
      return [
        error(
          file, 0, 0, "the file is larger than 1 MiB: it has \(bytes.count) bytes",
          help: "move data to a file of its own and read it from a step")
      ]
    }
    if let encoding = foreignEncoding(bytes) {
      return [error(file, 0, 0, "the file is \(encoding), not UTF-8", help: "save the file as UTF-8")]
    }
    var found: [Diagnostic] = []
    var offset = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    while offset < bytes.count {
      if bytes[offset] >= 0x20, bytes[offset] < 0x7F {
        offset += 1
        continue
      }
      guard let (scalar, length) = decode(bytes, at: offset) else {
        found.append(error(file, offset, 1, "this byte is not valid UTF-8", help: "save the file as UTF-8"))
        return found
      }
      if scalar == 0 {
        found.append(error(file, offset, 1, "the file holds a NUL byte", help: "save the file as UTF-8 text"))
        return found
      }
      if let what = refused(scalar) {
        let code = hexadecimal(scalar)
        found.append(
          error(
            file, offset, length, "unescaped U+\(code), \(what)",
            help: "write it as `\\\(code.count > 4 ? "U000" : "u")\(code)` in double quotes, or delete it"))
        if found.count == 100 { return found }
      }
      offset += length
    }
    return found
  }

  private static func error(_ file: SourceFile, _ offset: Int, _ length: Int, _ message: String, help: String) -> Diagnostic {
    Diagnostic(.invalidYAML, message, at: Place(file, Span(offset, offset + length)), help: [help])
  }

  private static func foreignEncoding(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16" }
    // Text begins with ASCII, so one zero in the first pair is UTF-16 without its mark.
    guard bytes.count >= 2, bytes.count.isMultiple(of: 2), (bytes[0] == 0) != (bytes[1] == 0) else { return nil }
    return "UTF-16"
  }

  /// Why a character may not stand unescaped; nil where it may (threat 11, and YAML 1.2 §5.1).
  private static func refused(_ scalar: UInt32) -> String? {
    switch scalar {
    case 0x09, 0x0A, 0x0D: nil
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: "a bidi control: text may read in another order than it stands"
    case 0x200B, 0x2060, 0xFEFF: "an invisible character"
    // libyaml breaks lines here; YAML 1.2 and every editor do not.
    case 0x85, 0x2028, 0x2029: "a line break that most programs do not show"
    case 0...0x1F, 0x7F...0x9F: "a control character"
    case 0xFFFE, 0xFFFF: "no character"
    default: nil
    }
  }

  private static func hexadecimal(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The scalar at an offset and its length; nil for what RFC 3629 §4 does not allow.
  private static func decode(_ bytes: [UInt8], at offset: Int) -> (scalar: UInt32, length: Int)? {
    let first = bytes[offset]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0..<0x80: return (UInt32(first), 1)
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { second = 0xA0...0xBF } else if first == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { second = 0x90...0xBF } else if first == 0xF4 { second = 0x80...0x8F }
    default: return nil
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return nil }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for byte in bytes[(offset + 1)..<(offset + length)] {
      guard byte & 0xC0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return (scalar, length)
  }
}
