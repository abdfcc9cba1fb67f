import HTTPTypes
package import StepKit

/// A request that libcurl may see: checked for what would change its shape on the wire, its headers as lines.
package struct RequestLines: Sendable {
  /// Each in libcurl's own notation: `Name: value`, `Name;` for an empty value, `Name:` for none at all.
  package let headers: [String]

  /// Checks `request` before anything else touches it.
  ///
  /// - Throws: `.invalidRequest`, nothing sent.
  package init(_ request: TransportRequest) throws(TransportFailure) {
    try Self.check(method: request.method.rawValue, hasBody: request.body != nil)
    try Self.check(url: request.url)
    // Without `Expect:` a body over 1 MB would wait for a 100, and a 417 would be answered by a second send.
    // Without `Content-Type:` every body would claim to be a form.
    var lines = ["Expect:"]
    if !request.headers.contains(.contentType) { lines.append("Content-Type:") }
    for field in request.headers where try Self.isSent(field, bodyBytes: request.body?.count ?? 0) {
      let value = field.value
      try Self.check(name: field.name.rawName, value: value)
      lines.append(value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(value)")
    }
    headers = lines
  }

  private static func check(method: String, hasBody: Bool) throws(TransportFailure) {
    guard !method.isEmpty, method.utf8.allSatisfy(isTokenByte) else {
      throw refused("`\(method.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())` is no HTTP method")
    }
    guard method != "CONNECT" else { throw refused("the method `CONNECT` is not supported") }
    guard method != "HEAD" || !hasBody else { throw refused("a `HEAD` request cannot carry a body") }
  }

  private static func check(url: String) throws(TransportFailure) {
    guard !url.utf8.contains(where: { $0 < 0x21 || $0 == 0x7F }) else {
      throw refused("the URL contains a space or a control character")
    }
  }

  private static func check(name: String, value: String) throws(TransportFailure) {
    guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { throw refused("a header has a name that HTTP does not allow") }
    guard !value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      throw refused("the header `\(name)` contains a line break or a NUL")
    }
  }

  /// Whether a caller's header goes out: the framing of the message is the transport's.
  private static func isSent(_ field: HTTPField, bodyBytes: Int) throws(TransportFailure) -> Bool {
    switch field.name {
    case .expect:
      return false
    case .contentLength:
      guard Int(field.value) == bodyBytes else {
        throw refused("the header `Content-Length` says \(field.value) and the body has \(bodyBytes) bytes; leave the header out")
      }
      return false
    case .transferEncoding:
      throw refused("the header `Transfer-Encoding` cannot be set; leave it out")
    default:
      return true
    }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func refused(_ message: String) -> TransportFailure {
    TransportFailure(.invalidRequest, sent: .no, message: message)
  }
}
