package import Values

/// How requests are carried, as a flow says it of a step or of a connection; nil where it says nothing.
package struct TransportOptions: Hashable, Sendable {
  /// How many redirects are followed.
  package var redirects: Int?
  package var proxy: ProxySetting?
  package var httpVersion: HTTPVersion?
  package var tls: TLSOptions?
  package var isCompressed: Bool?
  package var maxBodyBytes: Int?
  package var connectTimeout: Duration?

  package init() {}

  /// How many redirects `follow: true` means.
  package static let usualRedirects = 5
  /// The largest count that `follow` takes.
  package static let mostRedirects = 50

  /// Reads `follow`, `proxy`, `http_version`, `tls: { ca, cert, key, pin }`, `compressed`, `max_body` and `connect_timeout` of
  /// a map; what else it holds is passed over.
  /// - Throws: `schema.input` with what is wrong, and `config.proxy`.
  package init(_ map: ValueMap) throws(StepFailure) {
    func given(_ name: String) -> Value? {
      guard let value = map[name]?.fullyExposed, value != .null else { return nil }
      return value
    }
    if let follow = given("follow") { redirects = try Self.redirects(follow) }
    if let proxy = given("proxy") { self.proxy = try Self.proxy(proxy) }
    if let version = given("http_version") {
      guard let known = version.stringValue.flatMap(HTTPVersion.init(rawValue:)) else {
        throw Self.refused("`http_version` must be `\"1.1\"` or `\"2\"`")
      }
      httpVersion = known
    }
    if let tls = given("tls") { self.tls = try Self.tls(tls) }
    if let compressed = given("compressed") {
      guard let flag = compressed.boolValue else { throw Self.refused("`compressed` must be a bool") }
      isCompressed = flag
    }
    if let size = given("max_body") {
      guard let bytes = ByteSize.bytes(size) else {
        throw Self.refused("`max_body` must be a number of bytes, or a size such as `512KB` or `10MB`")
      }
      maxBodyBytes = bytes
    }
    if let time = given("connect_timeout") {
      guard let duration = time.stringValue.flatMap({ Duration(oneUnit: $0[...]) }) else {
        throw Self.refused("`connect_timeout` must be a time such as `500ms` or `2s`")
      }
      connectTimeout = duration
    }
  }

  private static func redirects(_ value: Value) throws(StepFailure) -> Int {
    if let flag = value.boolValue { return flag ? usualRedirects : 0 }
    guard let count = value.intValue, (0...Int64(mostRedirects)).contains(count) else {
      throw refused("`follow` must be a bool, or a count of at most \(mostRedirects)")
    }
    return Int(count)
  }

  private static func proxy(_ value: Value) throws(StepFailure) -> ProxySetting {
    if let text = value.stringValue { return text == "none" ? .direct : .server(try ProxyServer(text)) }
    guard case .map(let map) = value, let url = map["url"]?.stringValue,
      map.allSatisfy({ ["url", "username", "password"].contains($0.key.text) })
    else { throw refused("`proxy` must be a URL such as `http://proxy.example.test:3128`, `{ url, username, password }`, or `none`") }
    var server = try ProxyServer(url)
    if let username = map["username"]?.scalarText { server.username = username }
    if let password = map["password"]?.scalarText { server.password = password }
    return .server(server)
  }

  private static func tls(_ value: Value) throws(StepFailure) -> TLSOptions {
    guard case .map(let map) = value else { throw refused("`tls` must be a map of `ca`, `cert`, `key` and `pin`") }
    var tls = TLSOptions()
    for (key, member) in map {
      guard let text = member.stringValue, !text.isEmpty else {
        if member == .null { continue }
        throw refused("`tls.\(key.text)` must be a text")
      }
      switch key.text {
      case "ca": tls.caFile = text
      case "cert": tls.certificateFile = text
      case "key": tls.keyFile = text
      case "pin": tls.pinnedPublicKey = try pin(text)
      default: throw refused("`tls` knows `ca`, `cert`, `key` and `pin`, not `\(key.text)`")
      }
    }
    guard tls.keyFile == nil || tls.certificateFile != nil else { throw refused("`tls.key` needs `tls.cert` beside it") }
    return tls
  }

  /// One or more `sha256//BASE64`, with `;` between them; anything else libcurl would take for a file's name.
  private static func pin(_ text: String) throws(StepFailure) -> String {
    let isPin = text.split(separator: ";", omittingEmptySubsequences: false).allSatisfy { part in
      part.hasPrefix("sha256//") && part.utf8.count == 52 && part.hasSuffix("=")
    }
    guard isPin else { throw refused("`tls.pin` must be `sha256//` and the digest of the public key in base64") }
    return text
  }

  private static func refused(_ detail: String) -> StepFailure {
    StepFailure("schema.input", title: "the input cannot be used", detail: detail)
  }

  /// These, and where they say nothing, the others.
  package func merged(over others: TransportOptions) -> TransportOptions {
    var merged = others
    if let redirects { merged.redirects = redirects }
    if let proxy { merged.proxy = proxy }
    if let httpVersion { merged.httpVersion = httpVersion }
    if let tls { merged.tls = tls }
    if let isCompressed { merged.isCompressed = isCompressed }
    if let maxBodyBytes { merged.maxBodyBytes = maxBodyBytes }
    if let connectTimeout { merged.connectTimeout = connectTimeout }
    return merged
  }
}
