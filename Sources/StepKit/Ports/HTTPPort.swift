package import HTTPTypes
package import Values

/// A request as a step asks for it: its connection adds the base URL, the token and its headers.
package struct HTTPCall: Sendable {
  /// What is sent after the headers.
  package enum Body: Sendable {
    case none
    case json(Value)
    case form([(name: String, value: String)])
    case bytes([UInt8], contentType: String?)
    /// `multipart/form-data` (RFC 7578), in this order.
    case multipart([FormPart])
  }

  package var method: HTTPRequest.Method
  /// A path below the connection's base URL, already percent-encoded, or an absolute URL.
  package var target: String
  /// Encoded when the URL is built.
  package var query: [(name: String, value: String)]
  package var headers: HTTPFields
  package var body: Body
  /// Nil is the step's own class.
  package var token: TokenClass?
  /// Nil is the step's own effect.
  package var effect: Effect?
  /// How many redirects are followed; none for `once`.
  package var redirects: Int
  /// Texts in the target and the query that reports may not show.
  package var hidden: [String]
  /// Members of a JSON answer that are secret, such as `access_token`; marked at any depth.
  package var secretMembers: Set<String>
  /// Whether a text in the place of JSON may be one of those secrets, such as a bare token.
  package var isTextSecret: Bool
  /// Parameters in the `Location` of the answer that are secret beside those members, such as `code`; the header is secret with them.
  package var secretParameters: Set<String> = []
  /// How it is carried, where that is not left to the connection.
  package var options = TransportOptions()
  /// Answers the 401 of a server that asks for Digest; not for what is sent once.
  package var digest: DigestCredentials?
  /// Headers whose values are secret: they never leave the first origin.
  package var secretHeaders: Set<HTTPField.Name> = []
  /// Whether the body holds a secret that its bytes do not tell of; a body of JSON knows by itself. Such a body never leaves
  /// the first origin.
  package var isBodySecret = false
  /// Where the body of an answer goes that is too large to hold; nil holds every body.
  package var openSpool: OpenSpool?
  /// Texts that nothing may show from now on, such as the password of `basic`.
  package var secrets: [String] = []

  package init(
    _ method: HTTPRequest.Method, _ target: String, query: [(name: String, value: String)] = [], headers: HTTPFields = [:],
    body: Body = .none, token: TokenClass? = nil, effect: Effect? = nil, redirects: Int = 0,
    hidden: [String] = [], secretMembers: Set<String> = [], isTextSecret: Bool = false
  ) {
    self.method = method
    self.target = target
    self.query = query
    self.headers = headers
    self.body = body
    self.token = token
    self.effect = effect
    self.redirects = redirects
    self.hidden = hidden
    self.secretMembers = secretMembers
    self.isTextSecret = isTextSecret
  }
}

/// One part of a `multipart/form-data` body.
package struct FormPart: Hashable, Sendable {
  package var name: String
  /// Nil is a plain field.
  package var fileName: String?
  /// Nil is left out, which is text (RFC 7578 §4.4).
  package var contentType: String?
  package var bytes: [UInt8]

  package init(_ name: String, _ bytes: [UInt8], fileName: String? = nil, contentType: String? = nil) {
    self.name = name
    self.fileName = fileName
    self.contentType = contentType
    self.bytes = bytes
  }
}

/// A whole answer.
package struct HTTPReply: Sendable {
  package var status: Int
  package var headers: HTTPFields
  /// The body; empty where it was spooled.
  package var bytes: [UInt8]
  /// JSON if the media type says so, else text, null if empty or spooled.
  package var body: Value
  /// The whole body, where it was too large to hold and is to be saved.
  package var spool: (any BodySpool)?
  /// The one that answered, after redirects, as reports may show it.
  package var url: String
  package var duration: Duration
  /// Headers that hold secrets; `Set-Cookie` always does.
  package var secretHeaders: Set<HTTPField.Name> = [.setCookie]

  package init(status: Int, headers: HTTPFields, bytes: [UInt8], body: Value, url: String, duration: Duration) {
    self.status = status
    self.headers = headers
    self.bytes = bytes
    self.body = body
    self.url = url
    self.duration = duration
  }

  /// Whether the status is 2xx.
  package var isSuccess: Bool { status / 100 == 2 }

  /// The bytes as UTF-8; what is none is replaced.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package var answer: StepFailure.Answer { .init(status: status, headers: headers, body: body) }

  /// What expressions see as `response`: lower-case header names, values joined by `, `.
  package var value: Value {
    var fields = ValueMap()
    for field in headers {
      let name = field.name.canonicalName
      let value = fields[name]?.exposed.stringValue.map { "\($0), \(field.value)" } ?? field.value
      // Whoever reads it could take over the session.
      fields[name] = secretHeaders.contains(field.name) ? Value.string(value).hidden() : .string(value)
    }
    var map = ValueMap()
    map["status"] = .int(Int64(status))
    map["headers"] = .map(fields)
    map["body"] = body
    // Nobody takes a body that was not read for an empty one.
    map["text"] = spool != nil ? .null : body.containsSecret ? Value.string(text).hidden() : .string(text)
    map["url"] = .string(url)
    let parts = duration.components
    map["duration"] = .duration(TimeSpan(nanoseconds: parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000))
    return .map(map)
  }
}

/// Sends the requests of one step over its connection.
package protocol HTTPPort: Sendable {
  /// The answer, whatever its status.
  /// - Throws: `network.*`, `timeout.*`, `tls.*`, `auth.*`, `decode`, `config.*` and `cancelled`.
  func send(_ call: HTTPCall) async throws(StepFailure) -> HTTPReply
  /// Has these texts shown nowhere from now on: a server may send back what it was sent.
  func hide(_ texts: [String])
  /// Method and URL of a call as reports may show them, such as `POST https://login.example.test/token`.
  func shown(_ call: HTTPCall) -> String
}

extension HTTPPort {
  package func hide(_ texts: [String]) {}
  package func shown(_ call: HTTPCall) -> String { "\(call.method.rawValue) \(call.target)" }

  /// Sends a body of JSON made from a record.
  package func send(_ method: HTTPRequest.Method, _ target: String, json: some DescribedRecord) async throws(StepFailure) -> HTTPReply {
    try await send(HTTPCall(method, target, body: .json(json.value)))
  }

  /// Asks for a target, without a body.
  package func get(_ target: String) async throws(StepFailure) -> HTTPReply {
    try await send(HTTPCall(.get, target))
  }
}
