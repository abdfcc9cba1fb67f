package import HTTPTypes
package import Values

/// Where a connection leads and what it adds to each request to that origin.
package struct ConnectionEndpoint: Sendable {
  /// Nil where the connection names none; then only absolute URLs can be called.
  package var base: WebAddress?
  /// Sent to the origin of `base` and nowhere else.
  package var headers: HTTPFields
  /// How requests are carried that do not say; a client's certificate and a pin are for the origin of `base` alone.
  package var options = TransportOptions()
  /// For the origin of `base` alone.
  package var digest: DigestCredentials?
  /// Whether cookies of the origin of `base` are kept, and sent back to it.
  package var keepsCookies = false
  /// How fast its requests follow each other; nil where nothing holds them back.
  package var rate: Rate?
  /// What of its settings nothing may show.
  package var secrets: [String] = []
  package private(set) var memory = ConnectionMemory()

  package init(base: WebAddress? = nil, headers: HTTPFields = [:]) {
    self.base = base
    self.headers = headers
  }

  /// Reads `base_url`, `headers`, `bearer`, `basic`, `digest`, `cookies`, `rate` and the transport options of a connection's
  /// settings.
  /// - Throws: `config.url`, `config.header`, `config.proxy`, and `schema.input` for what does not fit.
  package init(settings: ValueMap) throws(StepFailure) {
    self.init()
    if let text = settings["base_url"]?.exposed.stringValue {
      let base = try WebAddress(text)
      guard base.query == nil else {
        throw StepFailure("config.url", title: "the URL cannot be used", detail: "`base_url` takes no query")
      }
      self.base = base
    }
    for (name, value) in settings["headers"]?.exposed.mapValue ?? ValueMap() {
      for item in value.exposed.listValue ?? [value] where item.exposed != .null { try headers.append(name.text, item.scalarText ?? "") }
    }
    try readCredentials(settings)
    try readCookies(settings["cookies"]?.exposed ?? .null)
    options = try TransportOptions(settings)
    try readRate(settings["rate"]?.exposed ?? .null)
    secrets += Value.map(settings).secretTexts
  }

  /// The address of a call's target: below the base, or absolute as it stands.
  /// - Throws: `config.url`.
  package func address(of target: String) throws(StepFailure) -> WebAddress {
    let start = target.prefix(8).lowercased()
    if start.hasPrefix("http://") || start.hasPrefix("https://") { return try WebAddress(target) }
    guard let base else {
      throw StepFailure(
        "config.url", title: "the URL cannot be used", detail: "`\(target)` is relative, and the connection has no `base_url`")
    }
    return try base.appending(target)
  }

  /// Whether the connection's token, headers and cookies may go there.
  package func owns(_ address: WebAddress) -> Bool { base?.origin == address.origin }

  /// The same endpoint for somebody else, who begins with the cookies that there are and keeps their own from then on.
  package func separated() -> ConnectionEndpoint {
    var copy = self
    copy.memory = memory.copy()
    return copy
  }
}

extension ConnectionEndpoint {
  private mutating func readCredentials(_ settings: ValueMap) throws(StepFailure) {
    let given = ["bearer", "basic", "digest"].filter { name in settings[name].map { $0.exposed != .null } ?? false }
    guard given.count < 2 else { throw Self.unfit("one kind of credentials goes out: `\(given[0])` and `\(given[1])` are given") }
    if let token = settings["bearer"]?.scalarText {
      try headers.append("Authorization", "Bearer \(token)")
      secrets.append(token)
    }
    if let (username, password) = Self.pair(settings["basic"]) {
      headers[.authorization] = HTTPFields.basicAuthorization(username: username, password: password)
      secrets.append(password)
    }
    if let (username, password) = Self.pair(settings["digest"]) {
      digest = DigestCredentials(username: username, password: password)
      secrets.append(password)
    }
  }

  private static func pair(_ value: Value?) -> (username: String, password: String)? {
    guard let pair = value?.exposed, case .map = pair else { return nil }
    return (pair["username"]?.scalarText ?? "", pair["password"]?.scalarText ?? "")
  }

  private mutating func readCookies(_ value: Value) throws(StepFailure) {
    switch value {
    case .null: return
    case .bool(let flag): keepsCookies = flag
    case .map(let map):
      var pairs: [String] = []
      for (name, value) in map {
        guard let text = value.scalarText else { throw Self.unfit("`cookies.\(name.text)` must be a text, a number or a bool") }
        pairs.append(try HTTPFields.cookiePair(name.text, text))
        if text.utf8.count >= Cookie.leastSecretLength { secrets.append(text) }
      }
      if !pairs.isEmpty { try headers.append("Cookie", pairs.joined(separator: "; ")) }
    default: throw Self.unfit("`cookies` must be a bool, or a map of cookies by name")
    }
  }

  private mutating func readRate(_ value: Value) throws(StepFailure) {
    guard value != .null else { return }
    guard let rate = value.stringValue.flatMap(Rate.init) else {
      throw Self.unfit("`rate` must be a count and the time in which it may be reached, such as `90/1m` or `5/1s`")
    }
    self.rate = rate
  }

  private static func unfit(_ detail: String) -> StepFailure {
    StepFailure("schema.input", title: "the connection's settings cannot be used", detail: detail)
  }
}
