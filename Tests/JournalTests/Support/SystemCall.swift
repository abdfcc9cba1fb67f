/// One line of what `strace -xx` wrote, as far as a file system is concerned.
enum SystemCall: Equatable {
  case open(path: String, descriptor: Int)
  case make(path: String)
  case close(descriptor: Int)
  case write(descriptor: Int, bytes: [UInt8], offset: Int)
  case truncate(descriptor: Int, count: Int)
  case sync(descriptor: Int)
  case remove(path: String)
  /// A line on standard output: what the process took to be stored.
  case said(String)

  /// The successful calls of a trace, in the order in which they ended; a call that other threads interrupted is whole again.
  static func all(in trace: String) -> [SystemCall] {
    var unfinished: [Substring: String] = [:]
    var calls: [SystemCall] = []
    for line in trace.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2 else { continue }
      var text = String(parts[1].drop { $0 == " " })
      if text.hasSuffix(" <unfinished ...>") {
        unfinished[parts[0]] = String(text.dropLast(" <unfinished ...>".count))
        continue
      }
      if text.hasPrefix("<... "), let end = text.firstIndex(of: ">") {
        text = (unfinished.removeValue(forKey: parts[0]) ?? "") + text[text.index(after: end)...].drop { $0 == " " }
      }
      if let call = SystemCall(text) { calls.append(call) }
    }
    return calls
  }

  private init?(_ text: String) {
    // Strings are hexadecimal, so that no bracket stands in them; results stand in a column of their own.
    guard let open = text.firstIndex(of: "("), let end = text[open...].lastIndex(of: ")"), let equals = text[open...].firstIndex(of: "="),
      end < equals
    else { return nil }
    let name = text[..<open]
    let arguments = text[text.index(after: open)..<end].split(separator: ", ").map(String.init)
    guard let result = Int(text[equals...].dropFirst(2).prefix { $0.isNumber || $0 == "-" }), result >= 0 else { return nil }
    func number(_ index: Int) -> Int? { arguments.indices.contains(index) ? Int(arguments[index]) : nil }
    func bytes(_ index: Int) -> [UInt8] { arguments.indices.contains(index) ? Self.bytes(arguments[index]) : [] }
    func path(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }
    switch name {
    case "openat": self = .open(path: path(1), descriptor: result)
    case "mknod": self = .make(path: path(0))
    case "mknodat": self = .make(path: path(1))
    case "close": self = .close(descriptor: number(0) ?? -1)
    case "pwrite64": self = .write(descriptor: number(0) ?? -1, bytes: Array(bytes(1).prefix(result)), offset: number(3) ?? 0)
    case "ftruncate": self = .truncate(descriptor: number(0) ?? -1, count: number(1) ?? 0)
    case "fsync", "fdatasync": self = .sync(descriptor: number(0) ?? -1)
    case "unlink": self = .remove(path: path(0))
    case "write" where number(0) == 1: self = .said(String(path(1).dropLast()))
    default: return nil
    }
  }

  /// Of `"\x41\x42"`.
  private static func bytes(_ literal: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var digits = 0
    var byte: UInt8 = 0
    for character in literal.utf8.dropFirst().dropLast() {
      switch character {
      case UInt8(ascii: "\\"): break
      case UInt8(ascii: "x"): (digits, byte) = (0, 0)
      default:
        byte = byte << 4 | (character <= UInt8(ascii: "9") ? character - UInt8(ascii: "0") : character - UInt8(ascii: "a") + 10)
        digits += 1
        if digits == 2 { bytes.append(byte) }
      }
    }
    return bytes
  }
}
