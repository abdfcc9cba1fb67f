import HTTPTypes
import Values

/// A call on its way to the wire: address, headers and body are rendered.
struct OutgoingMessage: Sendable {
  private(set) var method: HTTPRequest.Method
  private(set) var address: WebAddress
  private(set) var redirects: Int
  let effect: Effect
  let hasOwnAuthorization: Bool
  let secretMembers: Set<String>
  private var headers: HTTPFields
  private var body: [UInt8]?
  private let hidden: [String]

  /// - Throws: `config.url`.
  init(_ call: HTTPCall, endpoint: ConnectionEndpoint, effect: Effect) throws(StepFailure) {
    method = call.method
    address = try endpoint.address(of: call.target).adding(query: call.query)
    redirects = call.redirects
    self.effect = effect
    headers = call.headers
    hasOwnAuthorization = call.headers.contains(.authorization)
    secretMembers = call.secretMembers
    hidden = call.hidden.filter { !$0.isEmpty }
    let contentType: String?
    switch call.body {
    case .none: (body, contentType) = (nil, nil)
    case .json(let value): (body, contentType) = (value.jsonBytes(secrets: .exposed), "application/json")
    case .form(let items): (body, contentType) = (Array(PercentEncoding.form(items).utf8), "application/x-www-form-urlencoded")
    case .bytes(let bytes, let type): (body, contentType) = (bytes, type)
    case .multipart(let parts):
      let encoded = try MultipartBody(parts)
      (body, contentType) = (encoded.bytes, encoded.contentType)
    }
    if let contentType, !headers.contains(.contentType) { try headers.append("Content-Type", contentType) }
  }

  /// Adds what belongs to the connection's own origin: its headers, where the call has none of that name, and the token.
  mutating func add(endpoint: ConnectionEndpoint, token: Token?) throws(StepFailure) {
    guard endpoint.owns(address) else { return }
    let own = headers
    for field in endpoint.headers where !own.contains(field.name) { headers.append(field) }
    guard let token else { return }
    headers[.authorization] = nil
    try headers.append("Authorization", "Bearer \(token.accessToken)")
  }

  /// Whether an answer of this status sends the request elsewhere.
  func isRedirected(by status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Turns to where an answer points: its own credentials stay behind at another origin, and 303 (as 301 and 302 after
  /// a POST) turns it into a GET without a body (RFC 9110 §15.4).
  mutating func redirect(to location: String, status: Int) throws(StepFailure) {
    let next = try address.resolving(location: location)
    guard next.scheme == "https" || address.scheme == "http" else {
      throw StepFailure(
        "network.protocol", title: "the answer is not valid HTTP", detail: "a redirect leads from https to http", sent: .yes)
    }
    if next.origin != address.origin {
      // Which of the call's own headers hold secrets is not known here, so all of them stay.
      headers = headers.filter { [.accept, .contentType, .userAgent].contains($0.name) }
    }
    if status == 303 && method != .head || (status == 301 || status == 302) && method == .post {
      method = .get
      body = nil
      headers[.contentType] = nil
    }
    address = next
  }

  func request(limits: HTTPLimits, willSend: (@Sendable () -> Bool)?) -> TransportRequest {
    TransportRequest(
      method: method, url: address.text, headers: headers, body: body, delivery: effect.delivery, connectTimeout: limits.connectTimeout,
      timeout: limits.attemptTimeout, maxBodyBytes: limits.maxBodyBytes, redirects: 0, tls: limits.tls, willSend: willSend)
  }

  func exchange(isRepeat: Bool) -> HTTPExchange {
    HTTPExchange(
      method: method.rawValue, url: shown(address.text), address: address, effect: effect, body: body, isRepeat: isRepeat)
  }

  /// A URL as reports may show it.
  func shown(_ url: String) -> String {
    hidden.reduce(url) { text, secret in
      text.replacing(secret, with: "[secret]").replacing(PercentEncoding.component(secret), with: "[secret]")
    }
  }
}
