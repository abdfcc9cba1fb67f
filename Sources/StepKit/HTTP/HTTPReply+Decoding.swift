import HTTPTypes
import Values

extension HTTPReply {
  /// The answer of a transfer, its body read by its media type.
  ///
  /// JSON that cannot be read is kept as text unless `isStrict`: an error page with the wrong label is still an answer.
  /// - Parameter isDecoded: whether `Content-Encoding` was undone; a body that is still compressed is not read.
  /// - Throws: `decode` with the place, for a 2xx when `isStrict`.
  init(
    _ reply: TransportReply, url: String, duration: Duration, secretMembers: Set<String>, isStrict: Bool, isDecoded: Bool = true
  ) throws(StepFailure) {
    self.init(status: reply.status, headers: reply.headers, bytes: reply.body, body: .null, url: url, duration: duration)
    spool = reply.spool
    guard !bytes.isEmpty else { return }
    body = .string(text)
    guard isDecoded || !reply.headers.contains(.contentEncoding) else { return }
    guard Self.isJSON(reply.headers[.contentType] ?? "") else { return }
    do {
      body = try JSON.parse(bytes).marking(secretMembers)
    } catch {
      guard isStrict, isSuccess else { return }
      throw StepFailure(
        "decode", title: "the answer cannot be read", detail: "the body is not valid JSON: \(error.message) at byte \(error.offset)",
        sent: .yes, answer: answer)
    }
  }

  /// `application/json`, `text/json` and every type that ends in `+json` (RFC 6839 §3.1).
  static func isJSON(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }
}

extension Value {
  /// The value with the members of these names marked secret, wherever they stand.
  fileprivate func marking(_ names: Set<String>) -> Value {
    guard !names.isEmpty else { return self }
    switch self {
    case .list(let items): return .list(items.map { $0.marking(names) })
    case .map(let map):
      var marked = map
      for (key, value) in map { marked[key] = names.contains(key.text) ? value.hidden() : value.marking(names) }
      return .map(marked)
    default: return self
    }
  }
}
