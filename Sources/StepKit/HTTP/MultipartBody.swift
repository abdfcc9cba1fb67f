/// A `multipart/form-data` body (RFC 7578).
struct MultipartBody {
  let bytes: [UInt8]
  let contentType: String

  /// - Throws: `config.header` for a name, a file's name or a type that would break out of its line.
  init(_ parts: [FormPart]) throws(StepFailure) {
    let boundary = Self.boundary(absentFrom: parts)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(64) { $0 + $1.bytes.count + 256 })
    for part in parts {
      bytes += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(try Self.quoted(part.name, "name"))\"".utf8
      if let fileName = part.fileName { bytes += "; filename=\"\(try Self.quoted(fileName, "filename"))\"".utf8 }
      if let type = part.contentType { bytes += "\r\nContent-Type: \(try Self.line(type, "type"))".utf8 }
      bytes += "\r\n\r\n".utf8
      bytes += part.bytes
      bytes += "\r\n".utf8
    }
    bytes += "--\(boundary)--\r\n".utf8
    self.bytes = bytes
    contentType = "multipart/form-data; boundary=\(boundary)"
  }

  /// The same parts have the same boundary, so that a request which is sent again keeps its bytes; none of them holds it.
  private static func boundary(absentFrom parts: [FormPart]) -> String {
    var number = 0
    while true {
      let candidate = "baton-form-\(number)-7MA4YWxkTrZu0gW"
      let isTaken = parts.contains { part in part.bytes.holds(Array(candidate.utf8)) }
      if !isTaken { return candidate }
      number += 1
    }
  }

  /// As browsers write it (WHATWG HTML, "multipart/form-data encoding algorithm"), but that a line break is refused: whoever
  /// wrote it meant another part.
  private static func quoted(_ text: String, _ what: String) throws(StepFailure) -> String {
    try line(text, what).replacing("\"", with: "%22")
  }

  private static func line(_ text: String, _ what: String) throws(StepFailure) -> String {
    guard !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
      throw StepFailure(
        "config.header", title: "the form cannot be sent", detail: "the `\(what)` of a part holds a line break or another control character"
      )
    }
    return text
  }
}

extension [UInt8] {
  /// Whether the other bytes stand somewhere in these.
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return (0...(count - other.count)).contains { start in
      var length = 0
      while length < other.count, self[start + length] == other[length] { length += 1 }
      return length == other.count
    }
  }
}
