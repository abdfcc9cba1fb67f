/// A `multipart/form-data` body (RFC 7578).
struct MultipartBody {
  let bytes: [UInt8]
  let contentType: String

  /// - Throws: `config.header` for a name that would break out of its line.
  init(_ parts: [FormPart]) throws(StepFailure) {
    let boundary = Self.boundary(absentFrom: parts)
    var bytes: [UInt8] = []
    for part in parts {
      bytes += Array("--\(boundary)\r\n".utf8)
      var disposition = "Content-Disposition: form-data; name=\"\(try Self.quoted(part.name))\""
      if let fileName = part.fileName { disposition += "; filename=\"\(try Self.quoted(fileName))\"" }
      bytes += Array("\(disposition)\r\n".utf8)
      if let type = part.contentType { bytes += Array("Content-Type: \(try Self.quoted(type))\r\n".utf8) }
      bytes += Array("\r\n".utf8) + part.bytes + Array("\r\n".utf8)
    }
    self.bytes = bytes + Array("--\(boundary)--\r\n".utf8)
    contentType = "multipart/form-data; boundary=\(boundary)"
  }

  /// The same parts have the same boundary, so that a keyed request keeps its bytes; it is none of their texts.
  private static func boundary(absentFrom parts: [FormPart]) -> String {
    var number = 0
    while true {
      let candidate = Array("baton-form-\(number)-7MA4YWxkTrZu0gW".utf8)
      if !parts.contains(where: { $0.bytes.contains(candidate) }) { return String(decoding: candidate, as: UTF8.self) }
      number += 1
    }
  }

  /// As browsers write it (WHATWG HTML, "multipart/form-data encoding algorithm").
  private static func quoted(_ text: String) throws(StepFailure) -> String {
    guard !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
      throw StepFailure("config.header", title: "a part of the form has a line break in its name", detail: "`name`, `filename` and the type are one line each")
    }
    return text.replacing("\"", with: "%22")
  }
}
