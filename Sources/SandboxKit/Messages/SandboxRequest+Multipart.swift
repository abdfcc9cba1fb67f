import HTTPTypes

/// One part of a `multipart/form-data` body.
package struct SandboxPart: Hashable, Sendable {
  package var name: String
  package var fileName: String?
  package var contentType: String?
  package var bytes: [UInt8]
}

extension SandboxRequest {
  /// Whether the body says to be `multipart/form-data`, whole or not.
  package var isMultipart: Bool { mediaType == "multipart/form-data" }

  /// The parts of a `multipart/form-data` body (RFC 7578); nil where it is none, or not a whole one.
  package var parts: [SandboxPart]? {
    guard isMultipart, let boundary = boundary else { return nil }
    let delimiter = Array("--\(boundary)".utf8)
    // The first delimiter has no line before it; every other one starts with a line break (RFC 2046 §5.1.1).
    var rest = Array("\r\n".utf8)[...] + body[...]
    let separator = Array("\r\n".utf8) + delimiter
    guard let preamble = rest.range(of: separator) else { return nil }
    rest = rest[preamble.upperBound...]
    var parts: [SandboxPart] = []
    while !rest.starts(with: Array("--".utf8)) {
      guard let line = rest.range(of: Array("\r\n".utf8)), let next = rest[line.upperBound...].range(of: separator),
        let part = SandboxPart(rest[line.upperBound..<next.lowerBound])
      else { return nil }
      parts.append(part)
      rest = rest[next.upperBound...]
    }
    return parts
  }

  private var boundary: String? {
    guard let parameters = headers[.contentType]?.split(separator: ";").dropFirst() else { return nil }
    for parameter in parameters {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, String(pair[0]).trimmed.lowercased() == "boundary" else { continue }
      let text = String(pair[1]).trimmed.filter { $0 != "\"" }
      return (1...70).contains(text.utf8.count) ? text : nil
    }
    return nil
  }
}

extension SandboxPart {
  /// Nil where the part has no name, or its head does not end.
  fileprivate init?(_ bytes: ArraySlice<UInt8>) {
    // A part without any header starts with the empty line itself.
    let padded = Array("\r\n".utf8) + bytes
    guard let end = padded[...].range(of: Array("\r\n\r\n".utf8)) else { return nil }
    var headers: [String: String] = [:]
    for line in String(decoding: padded[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n") {
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2 else { return nil }
      headers[String(pair[0]).trimmed.lowercased()] = String(pair[1]).trimmed
    }
    guard let disposition = headers["content-disposition"], let name = Self.parameter("name", of: disposition) else { return nil }
    self.init(
      name: name, fileName: Self.parameter("filename", of: disposition), contentType: headers["content-type"],
      bytes: Array(padded[end.upperBound...]))
  }

  /// The quoted value of a parameter; a quote inside is written `%22` by browsers.
  private static func parameter(_ name: String, of disposition: String) -> String? {
    for parameter in disposition.split(separator: ";").dropFirst() {
      let pair = String(parameter).trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, pair[0].lowercased() == name else { continue }
      return pair[1].filter { $0 != "\"" }.replacing("%22", with: "\"")
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func range(of pattern: [UInt8]) -> Range<Int>? {
    guard let first = pattern.first else { return nil }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first) {
      let end = found + pattern.count
      guard end <= endIndex else { return nil }
      if self[found..<end].elementsEqual(pattern) { return found..<end }
      start = found + 1
    }
    return nil
  }
}
