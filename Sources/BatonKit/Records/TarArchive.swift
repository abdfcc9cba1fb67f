import Values

/// A few files in one, as every system unpacks them: the `ustar` format of POSIX.1-2017, pax, "ustar Interchange Format".
struct TarArchive {
  struct File {
    let name: String
    let bytes: [UInt8]
  }

  let files: [File]
  /// The folder that they unpack into: with its `/` and a name it has at most 100 bytes.
  let folder: String
  /// When they were made.
  let at: Timestamp

  init(files: [File], folder: String, at: Timestamp) {
    self.files = files
    self.folder = folder
    self.at = at
  }

  private static let block = 512

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for file in files {
      bytes += header(of: file) + file.bytes
      bytes += Self.zeros(to: Self.block, after: file.bytes.count)
    }
    // Two blocks of zeros end it, and it is filled up to a record of twenty.
    bytes += [UInt8](repeating: 0, count: 2 * Self.block)
    return bytes + Self.zeros(to: 20 * Self.block, after: bytes.count)
  }

  private func header(of file: File) -> [UInt8] {
    var header = Self.text("\(folder)/\(file.name)", 100)  // name
    header += Self.octal(0o600, 8)  // mode
    header += Self.octal(0, 8) + Self.octal(0, 8)  // uid, gid: of nobody
    header += Self.octal(file.bytes.count, 12)  // size
    header += Self.octal(max(Int(at.seconds), 0), 12)  // mtime
    let checksumStart = header.count
    header += [UInt8](repeating: 0x20, count: 8)  // chksum: blanks while it is counted
    header += Array("0".utf8)  // typeflag: a regular file
    header += Self.text("", 100)  // linkname
    header += Array("ustar\u{0}00".utf8)  // magic, version
    header += Self.text("", 32) + Self.text("", 32)  // uname, gname
    header += Self.octal(0, 8) + Self.octal(0, 8)  // devmajor, devminor
    header += Self.text("", 155 + 12)  // prefix, and what fills the block
    let sum = header.reduce(0) { $0 + Int($1) }
    // Six digits, a NUL and a blank, as tar has always written it.
    header.replaceSubrange(checksumStart..<checksumStart + 8, with: Self.octal(sum, 7) + [0x20])
    return header
  }

  private static func text(_ text: String, _ width: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(width))
    return bytes + [UInt8](repeating: 0, count: width - bytes.count)
  }

  /// Digits with zeros before them, and a NUL.
  private static func octal(_ number: Int, _ width: Int) -> [UInt8] {
    let digits = String(number, radix: 8).utf8.suffix(width - 1)
    return [UInt8](repeating: 0x30, count: width - 1 - digits.count) + digits + [0]
  }

  private static func zeros(to size: Int, after count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (size - count % size) % size)
  }
}
