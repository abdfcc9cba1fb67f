package import HTTPTypes
package import Values

/// An error of a step: what flows see as `error`, and what reports render as RFC 9457.
package struct StepFailure: Error, Hashable, Sendable {
  /// The answer that was an error, as much of it as reports may show.
  package struct Answer: Hashable, Sendable {
    package var status: Int
    package var headers: HTTPFields
    package var body: Value

    package init(status: Int, headers: HTTPFields, body: Value) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// One of several problems with one request, such as a field that the server refused.
  package struct Problem: Hashable, Sendable {
    package var field: String
    package var message: String

    package init(field: String, message: String) {
      self.field = field
      self.message = message
    }
  }

  /// Dotted and stable: `http.503`, `network.connect`, `rapidsos.wrong_pin`.
  package var code: String
  /// Further codes that a pattern matches, such as `http.400` on a declared error.
  package var tags: [String]
  /// What went wrong in general; the same for every error of this code.
  package var title: String
  /// What went wrong here; empty where the title says it all.
  package var detail: String
  /// What the author can do about it, the same for every error of this code; empty where that is not known.
  package var help = ""
  package var sent: Sent
  /// The provider says that it did not act.
  package var isRejected: Bool
  package var answer: Answer?
  package var problems: [Problem]
  /// When the provider takes such a request again, where it says so in words of its own; `Retry-After` needs no mention.
  package var retryAt: Timestamp?
  /// The error that led to this one; at most one element.
  package var causes: [StepFailure]

  package init(
    _ code: String, title: String, detail: String = "", tags: [String] = [], sent: Sent = .no, isRejected: Bool = false,
    answer: Answer? = nil, problems: [Problem] = [], cause: StepFailure? = nil
  ) {
    self.code = code
    self.tags = tags
    self.title = title
    self.detail = detail
    self.sent = sent
    self.isRejected = isRejected
    self.answer = answer
    self.problems = problems
    causes = cause.map { [$0] } ?? []
  }

  /// The error that led to this one.
  package var cause: StepFailure? { causes.first }
}

extension StepFailure {
  /// Codes that no branch may catch.
  package var isCatchable: Bool {
    !["expr", "config", "budget"].contains(code.prefix { $0 != "." }) && code != "cancelled"
  }

  /// `http.STATUS` for a status that the step did not expect. 401 and 429 say that the provider did not act.
  package static func http(_ reply: HTTPReply, detail: String = "") -> StepFailure {
    StepFailure(
      "http.\(reply.status)", title: "the server answered \(reply.status)", detail: detail, sent: .yes,
      isRejected: reply.status == 401 || reply.status == 429, answer: reply.answer)
  }

  /// What the transport could not do, in the codes of flows.
  package static func transport(_ failure: TransportFailure) -> StepFailure {
    let (code, title) = codeAndTitle(of: failure.reason)
    return StepFailure(code, title: title, detail: failure.message, sent: failure.sent)
  }

  private static func codeAndTitle(of reason: TransportFailure.Reason) -> (code: String, title: String) {
    switch reason {
    case .dns: ("network.dns", "the host's name was not found")
    case .connect: ("network.connect", "no connection")
    case .connectTimeout: ("timeout.connect", "no connection in time")
    case .tlsHandshake: ("tls.handshake", "the TLS handshake failed")
    case .tlsCertificate: ("tls.certificate", "the server's certificate is not trusted")
    case .timeout: ("timeout.attempt", "no whole answer in time")
    case .reset: ("network.reset", "the connection ended before the answer was whole")
    case .malformed, .headersTooLarge, .tooManyRedirects: ("network.protocol", "the answer is not valid HTTP")
    case .refusedSecondSend: ("network.reset", "the connection ended, and the request may not be sent twice")
    case .bodyTooLarge: ("decode.too_large", "the answer is larger than allowed")
    case .invalidRequest: ("config.request", "the request cannot be sent")
    case .refusedByCaller: ("config.refused", "the request was stopped before it left")
    case .cancelled: ("cancelled", "cancelled")
    case .system: ("network.system", "the machine could not carry out the transfer")
    }
  }
}
