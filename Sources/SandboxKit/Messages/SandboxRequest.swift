package import HTTPTypes
package import Values

/// A whole request as a system sees it.
package struct SandboxRequest: Sendable {
  package var method: HTTPRequest.Method
  /// Percent-encoded, without the query.
  package var path: String
  /// Decoded, in the order of the query.
  package var query: [(name: String, value: String)]
  package var headers: HTTPFields
  package var body: [UInt8]
  /// The host and port that the caller has reached, such as `127.0.0.1:4010`; nil where no socket was in between.
  package var authority: String?

  package init(
    _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)] = [], headers: HTTPFields = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// A request as its first line has it: `target` is the path with its query.
  package init(_ method: HTTPRequest.Method, target: String, headers: HTTPFields = [:], body: [UInt8] = []) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      method, String(parts.first ?? ""), query: parts.count == 2 ? formPairs(String(parts[1])) : [], headers: headers, body: body)
  }

  /// A request with a JSON body.
  package static func json(
    _ method: HTTPRequest.Method, _ path: String, _ body: Value, headers: HTTPFields = [:]
  ) -> SandboxRequest {
    var headers = headers
    headers[.contentType] = "application/json"
    return SandboxRequest(method, path, headers: headers, body: body.jsonBytes(secrets: .exposed))
  }

  /// The first value under a name of the query.
  package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The body as JSON; nil where it is none.
  package var json: Value? { try? JSON.parse(body) }

  /// The pairs of an `application/x-www-form-urlencoded` body; nil where it says to be something else.
  package var form: [(name: String, value: String)]? {
    guard mediaType == "application/x-www-form-urlencoded" else { return nil }
    return formPairs(String(decoding: body, as: UTF8.self))
  }

  /// The media type of the body without its parameters, in lower case; nil where none is stated.
  package var mediaType: String? { headers[.contentType]?.split(separator: ";").first?.lowercased().trimmed }

  /// The token of `Authorization: Bearer` (RFC 6750 §2.1).
  package var bearerToken: String? { credentials(of: "bearer") }

  /// The pair of `Authorization: Basic` (RFC 7617 §2).
  package var basicCredentials: (user: String, password: String)? {
    guard let bytes = credentials(of: "basic").flatMap(decodedBase64) else { return nil }
    let pair = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return pair.count == 2 ? (String(pair[0]), String(pair[1])) : nil
  }

  private func credentials(of scheme: String) -> String? {
    let parts = headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
    return String(parts[1]).trimmed
  }
}
