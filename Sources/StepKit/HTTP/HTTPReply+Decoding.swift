import HTTPTypes
import Values

extension HTTPReply {
  /// The answer of a transfer, its body read by its media type.
  ///
  /// JSON that cannot be read is kept as text unless `isStrict`: an error page with the wrong label is still an answer.
  /// - Parameters:
  ///   - isDecoded: whether `Content-Encoding` was undone; a body that is still compressed is not read.
  ///   - isTextSecret: whether a text may be what was to stand under the secret names.
  /// - Throws: `decode` with the place, for a 2xx when `isStrict`.
  init(
    _ reply: TransportReply, url: String, duration: Duration, secretMembers: Set<String>, isStrict: Bool, isDecoded: Bool = true,
    isTextSecret: Bool = false
  ) throws(StepFailure) {
    self.init(status: reply.status, headers: reply.headers, bytes: reply.body, body: .null, url: url, duration: duration)
    spool = reply.spool
    guard !bytes.isEmpty else { return }
    body = isTextSecret && mayHold(secretMembers) ? Value.string(text).hidden() : .string(text)
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

  /// Whether the body is a text, of which no member is marked.
  var isText: Bool { if case .string = body.exposed { true } else { false } }

  /// Whether a text may hold what should have stood under these names: any text of a success, such as a bare token, and one that
  /// names them. What else a server says in words, such as the page of a gateway, helps whoever reads it.
  private func mayHold(_ names: Set<String>) -> Bool { isSuccess || names.contains { text.contains($0) } }

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
