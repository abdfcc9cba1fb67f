/// Cuts RFC 4180 text into records, each with the line on which it starts.
///
/// Lines end with CRLF or LF; a line without a byte is no record.
struct CSVReader {
  struct Cell: Hashable, Sendable {
    var text: String
    var line: Int
  }

  struct Record: Hashable, Sendable {
    var cells: [Cell]
    var line: Int
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1

  /// A byte order mark before the text is skipped.
  /// - Throws: for what is no UTF-8, and for NUL.
  init(_ bytes: [UInt8]) throws(CSVError) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw CSVError("the file is not UTF-8; save it as CSV UTF-8") }
    if let zero = bytes.firstIndex(of: 0) {
      throw CSVError("there is a NUL; a table is text", line: 1 + bytes[..<zero].count { $0 == Self.lineFeed })
    }
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The next record; nil at the end.
  mutating func next() throws(CSVError) -> Record? {
    while try endLine() {}
    guard offset < bytes.count else { return nil }
    var record = Record(cells: [], line: line)
    while true {
      record.cells.append(try cell())
      if offset == bytes.count { return record }
      if try endLine() { return record }
      offset += 1  // the comma
    }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")

  /// Whether a line ended here; goes past its end.
  private mutating func endLine() throws(CSVError) -> Bool {
    guard offset < bytes.count else { return false }
    switch bytes[offset] {
    case Self.lineFeed: offset += 1
    case Self.carriageReturn:
      guard offset + 1 < bytes.count, bytes[offset + 1] == Self.lineFeed else {
        throw CSVError("a carriage return stands alone; end lines with LF or CRLF", line: line)
      }
      offset += 2
    default: return false
    }
    line += 1
    return true
  }

  /// Ends before the comma, the line's end or the text's.
  private mutating func cell() throws(CSVError) -> Cell {
    if offset < bytes.count, bytes[offset] == Self.quote { return try quotedCell() }
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case Self.comma, Self.lineFeed, Self.carriageReturn: return Cell(text: text(bytes[start..<offset]), line: line)
      case Self.quote:
        throw CSVError("a quote stands inside a plain cell; put the whole cell in quotes and write each quote in it twice", line: line)
      default: offset += 1
      }
    }
    return Cell(text: text(bytes[start...]), line: line)
  }

  private mutating func quotedCell() throws(CSVError) -> Cell {
    let firstLine = line
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == Self.quote {
        guard offset < bytes.count, bytes[offset] == Self.quote else {
          try expectCellEnd()
          return Cell(text: text(content[...]), line: firstLine)
        }
        offset += 1
      }
      if byte == Self.lineFeed { line += 1 }
      content.append(byte)
    }
    throw CSVError("a quote opens here and is never closed", line: firstLine)
  }

  private func expectCellEnd() throws(CSVError) {
    guard offset < bytes.count else { return }
    switch bytes[offset] {
    case Self.comma, Self.lineFeed, Self.carriageReturn: return
    default: throw CSVError("text follows a closing quote; write a quote inside a quoted cell twice", line: line)
    }
  }

  private func text(_ slice: ArraySlice<UInt8>) -> String { String(decoding: slice, as: UTF8.self) }
}
