package import HTTPTypes

/// Reads the header lines of one transfer as they arrive, and refuses what is too long or contradicts itself.
///
/// Interim answers (1xx) are read over; what follows the body (trailers) is left out.
package struct ResponseHead: Sendable {
  /// Why a line ends the transfer.
  package enum Fault: Hashable, Sendable {
    case tooLarge(String)
    case malformed(String)
  }

  /// The longest header line, in bytes. libcurl's own limit is 100 KB, and it then says "out of memory".
  package static let longestLine = 64 << 10
  /// All header lines of a transfer, interim answers and trailers included.
  package static let mostBytes = 256 << 10

  /// Whether the header section of a final answer is whole.
  package private(set) var isComplete = false

  private var bytes = 0
  private var isInterim = false
  private var text: [UInt8] = []
  private var contentLength: Int?
  private var isChunked = false

  package init() {}

  /// Takes one line with its line end; a fault ends the transfer.
  package mutating func take(_ line: Span<UInt8>) -> Fault? {
    bytes += line.count
    guard line.count <= Self.longestLine else { return .tooLarge("a header line of the answer is longer than 64 KiB") }
    guard bytes <= Self.mostBytes else { return .tooLarge("the headers of the answer are longer than 256 KiB") }
    if starts(line, with: "http/") { return begin(line) }
    if isComplete { return nil }
    if line.count > 0, line[0] == UInt8(ascii: "\n") || line[0] == UInt8(ascii: "\r") {
      isComplete = !isInterim
      return nil
    }
    for index in line.indices { text.append(line[index]) }
    if starts(line, with: "content-length:") { return checkLength(line) }
    if starts(line, with: "transfer-encoding:") { isChunked = true }
    return isChunked && contentLength != nil ? Self.twoFramings : nil
  }

  /// Every field of the final answer, one for each line. A line that is no field is left out.
  package func fields() -> HTTPFields {
    var fields = HTTPFields()
    var name: HTTPField.Name?
    var value: ArraySlice<UInt8> = []
    func close(_ fields: inout HTTPFields) {
      guard let name else { return }
      fields.append(HTTPField(name: name, lenientValue: trimmed(value)))
    }
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let line = text[start..<end]
      start = end + 1
      if let first = line.first, isBlank(first) {
        // Obsolete line folding is one space (RFC 9112 §5.2).
        value = trimmed(value) + [UInt8(ascii: " ")] + trimmed(line)
        continue
      }
      close(&fields)
      name = nil
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
      value = line[(colon + 1)...]
    }
    close(&fields)
    return fields
  }

  // MARK: - Lines

  private mutating func begin(_ line: Span<UInt8>) -> Fault? {
    text.removeAll(keepingCapacity: true)
    contentLength = nil
    isChunked = false
    isComplete = false
    // `HTTP/1.1 103 Early Hints`; 101 ends the talk in HTTP and counts as final.
    var digits: [UInt8] = []
    var index = 0
    while index < line.count, line[index] != UInt8(ascii: " ") { index += 1 }
    while index + 1 < line.count, digits.count < 3 {
      index += 1
      digits.append(line[index])
    }
    isInterim = digits.first == UInt8(ascii: "1") && digits != Array("101".utf8)
    return nil
  }

  /// Refuses lengths that differ (RFC 9112 §6.3): libcurl takes the last, another reader may take the first.
  private mutating func checkLength(_ line: Span<UInt8>) -> Fault? {
    var value: [UInt8] = []
    for index in "content-length:".utf8.count..<line.count { value.append(line[index]) }
    for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let digits = trimmed(part)
      guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let length = Int(String(decoding: digits, as: UTF8.self))
      else { return .malformed("the answer's Content-Length is no number") }
      guard contentLength == nil || contentLength == length else {
        return .malformed("the answer has conflicting Content-Length headers")
      }
      contentLength = length
    }
    return isChunked ? Self.twoFramings : nil
  }

  private static let twoFramings = Fault.malformed("the answer has both Content-Length and Transfer-Encoding")

  private func starts(_ line: Span<UInt8>, with prefix: StaticString) -> Bool {
    guard line.count >= prefix.utf8CodeUnitCount else { return false }
    return prefix.withUTF8Buffer { expected in
      for index in expected.indices {
        let byte = line[index]
        let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        if unsafe lower != expected[index] { return false }
      }
      return true
    }
  }
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var (start, end) = (bytes.startIndex, bytes.endIndex)
  while start < end, isBlank(bytes[start]) { start += 1 }
  while start < end, isBlank(bytes[end - 1]) || bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
  return bytes[start..<end]
}
