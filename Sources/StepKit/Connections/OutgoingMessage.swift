import HTTPTypes
import Values

/// A call on its way to the wire: address, headers and body are rendered.
struct OutgoingMessage: Sendable {
  private(set) var method: HTTPRequest.Method
  private(set) var address: WebAddress
  /// How many redirects are followed.
  let redirects: Int
  let effect: Effect
  let hasOwnAuthorization: Bool
  let secretMembers: Set<String>
  let isTextSecret: Bool
  let secretParameters: Set<String>
  let proxy: ProxySetting
  private let options: TransportOptions
  private let digest: DigestCredentials?
  private let isBodySecret: Bool
  private let secretHeaders: Set<HTTPField.Name>
  private let firstOrigin: String
  private var headers: HTTPFields
  private var body: [UInt8]?
  private let hidden: [String]
  private let openSpool: OpenSpool?

  /// - Throws: `config.url`, `config.header`, and `config.request` for Digest on what is sent once.
  init(_ call: HTTPCall, endpoint: ConnectionEndpoint, effect: Effect) throws(StepFailure) {
    method = call.method
    address = try endpoint.address(of: call.target).adding(query: call.query)
    firstOrigin = address.origin
    options = call.options.merged(over: endpoint.options)
    redirects = effect == .once ? 0 : call.options.redirects ?? (call.redirects > 0 ? call.redirects : endpoint.options.redirects ?? 0)
    proxy = options.proxy ?? .environment
    self.effect = effect
    headers = call.headers
    let hasOwnHeader = call.headers.contains(.authorization)
    digest = call.digest ?? (hasOwnHeader || !endpoint.owns(address) ? nil : endpoint.digest)
    hasOwnAuthorization = hasOwnHeader || call.digest != nil
    secretMembers = call.secretMembers
    isTextSecret = call.isTextSecret
    secretParameters = call.secretParameters.union(call.secretMembers)
    secretHeaders = call.secretHeaders
    hidden = call.hidden.filter { !$0.isEmpty }
    openSpool = call.openSpool
    guard digest == nil || effect != .once else {
      throw StepFailure(
        "config.request", title: "the request cannot be sent",
        detail: "Digest authentication sends a request twice, and this one may be sent only once")
    }
    let contentType: String?
    var isBodySecret = call.isBodySecret
    switch call.body {
    case .none: (body, contentType) = (nil, nil)
    case .json(let value):
      (body, contentType) = (value.jsonBytes(secrets: .exposed), "application/json")
      isBodySecret = isBodySecret || value.containsSecret
    case .form(let items): (body, contentType) = (Array(PercentEncoding.form(items).utf8), "application/x-www-form-urlencoded")
    case .bytes(let bytes, let type): (body, contentType) = (bytes, type)
    case .multipart(let parts):
      let encoded = try MultipartBody(parts)
      (body, contentType) = (encoded.bytes, encoded.contentType)
    }
    self.isBodySecret = isBodySecret
    if let contentType, !headers.contains(.contentType) { try headers.append("Content-Type", contentType) }
  }

  /// Adds what belongs to the connection's own origin: its headers, where the call has none of that name, its cookies, and
  /// the token.
  mutating func add(endpoint: ConnectionEndpoint, token: Token?, at now: Timestamp) throws(StepFailure) {
    guard endpoint.owns(address) else { return }
    let own = headers
    for field in endpoint.headers where !own.contains(field.name) && !(field.name == .authorization && digest != nil) {
      headers.append(field)
    }
    if endpoint.keepsCookies, !own.contains(.cookie), let cookies = endpoint.memory.jar.header(for: address, at: now) {
      try headers.append("Cookie", cookies)
    }
    guard let token else { return }
    headers[.authorization] = nil
    try headers.append("Authorization", "Bearer \(token.accessToken)")
  }

  /// The tokens and pairs of `Authorization` and `Proxy-Authorization`, as a server may send them back. The answer to a Digest
  /// challenge is good for one request and tells nothing.
  var credentialTexts: [String] {
    [.authorization, .proxyAuthorization].flatMap { headers[values: $0] }.compactMap { value in
      guard let text = value.split(separator: " ", maxSplits: 1).last, !text.contains(" ") else { return nil }
      return text.utf8.count >= Cookie.leastSecretLength ? String(text) : nil
    }
  }

  /// The message with the answer to a Digest challenge; nil where it has none to give, such as at another origin.
  func answering(_ reply: HTTPReply, clientNonce: () -> String) -> OutgoingMessage? {
    guard reply.status == 401, let digest, address.origin == firstOrigin, let challenge = DigestChallenge.strongest(in: reply.headers)
    else {
      return nil
    }
    var copy = self
    let target = address.path + (address.query.map { "?\($0)" } ?? "")
    copy.headers[.authorization] = challenge.answer(digest, method: method.rawValue, target: target, clientNonce: clientNonce())
    return copy
  }

  /// Whether an answer of this status sends the request elsewhere.
  func isRedirected(by status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Turns to where an answer points: at another origin its own headers stay behind, but for a few that hold no secret, and
  /// 303 (as 301 and 302 after a POST) turns it into a GET without a body (RFC 9110 §15.4).
  ///
  /// False where a body with a secret would go to another origin: then the redirect is the answer.
  /// - Throws: `network.protocol` for an address that is refused, and for one that leads from https to http.
  mutating func redirect(to location: String, status: Int) throws(StepFailure) -> Bool {
    let next: WebAddress
    do {
      next = try address.resolving(location: location)
    } catch {
      throw Self.refusedRedirect("a redirect is refused: \(error.detail)")
    }
    guard next.scheme == "https" || address.scheme == "http" else { throw Self.refusedRedirect("a redirect leads from https to http") }
    let becomesGet = status == 303 && method != .head || (status == 301 || status == 302) && method == .post
    if next.origin != address.origin {
      guard becomesGet || body == nil || !isBodySecret else { return false }
      // Any other may hold a secret that nobody marked, as `X-Api-Key: abc` does.
      headers = headers.filter { Self.isHarmless($0.name) && !secretHeaders.contains($0.name) }
    }
    // The answer to a Digest challenge is for one address.
    if digest != nil { headers[.authorization] = nil }
    if becomesGet {
      method = .get
      body = nil
      headers = headers.filter { !$0.name.canonicalName.hasPrefix("content-") }
    }
    address = next
    return true
  }

  private static func isHarmless(_ name: HTTPField.Name) -> Bool {
    [.accept, .acceptLanguage, .acceptEncoding, .cacheControl, .contentType, .range, .userAgent].contains(name)
  }

  private static func refusedRedirect(_ detail: String) -> StepFailure {
    StepFailure("network.protocol", title: "the answer is not valid HTTP", detail: detail, sent: .yes)
  }
}

extension OutgoingMessage {
  func request(endpoint: ConnectionEndpoint, limits: HTTPLimits, willSend: (@Sendable () -> Bool)?) -> TransportRequest {
    var request = TransportRequest(
      method: method, url: address.text, headers: headers, body: body, delivery: effect.delivery,
      connectTimeout: options.connectTimeout ?? limits.connectTimeout,
      timeout: limits.attemptTimeout, maxBodyBytes: options.maxBodyBytes ?? limits.maxBodyBytes, redirects: 0,
      tls: tls(endpoint: endpoint, limits), willSend: willSend)
    request.proxy = proxy
    request.httpVersion = options.httpVersion
    request.isCompressed = options.isCompressed ?? true
    request.openSpool = openSpool
    return request
  }

  /// Roots hold for every host; what proves who the client is, and whom it expects, for one origin alone.
  private func tls(endpoint: ConnectionEndpoint, _ limits: HTTPLimits) -> TLSOptions {
    guard let stated = options.tls else { return limits.tls }
    let isOfConnection = endpoint.options.tls == stated
    let isAtHome = isOfConnection ? endpoint.owns(address) : address.origin == firstOrigin
    return isAtHome ? stated : TLSOptions(caFile: stated.caFile)
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

  /// What of an answer nothing may show, as far as it stands in its `Location`, or in a body that is a form.
  func secretTexts(in reply: TransportReply) -> [String] {
    let redirect = redirectSecrets(in: reply)
    guard !secretMembers.isEmpty, reply.body.count <= Self.longestForm else { return redirect }
    return redirect + RedirectParameters.pairs(String(decoding: reply.body, as: UTF8.self)[...]).secretTexts(secretMembers)
  }

  /// Those in its `Location`.
  func redirectSecrets(in reply: TransportReply) -> [String] {
    guard !secretParameters.isEmpty else { return [] }
    return reply.headers[values: .location].flatMap(RedirectParameters.read).secretTexts(secretParameters)
  }

  /// More is no answer with a token.
  private static let longestForm = 64 << 10
}
