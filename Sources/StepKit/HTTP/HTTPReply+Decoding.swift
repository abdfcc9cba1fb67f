import HTTPTypes
import Values

extension HTTPReply {
  /// The answer of a transfer, its body read by its media type.
  ///
  /// JSON that cannot be read is kept as text unless `isStrict`: an error page with the wrong label is still an answer.
  /// - Throws: `decode` with the place, for a 2xx when `isStrict`.
  init(_ reply: TransportReply, url: String, duration: Duration, isStrict: Bool) throws(StepFailure) {
    self.init(status: reply.status, headers: reply.headers, bytes: reply.body, body: .null, url: url, duration: duration)
    guard !bytes.isEmpty else { return }
    body = .string(text)
    guard Self.isJSON(reply.headers[.contentType] ?? "") else { return }
    do {
      body = try JSON.parse(bytes)
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
