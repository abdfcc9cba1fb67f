package import HTTPTypes
package import Values

/// Where a connection leads and what it adds to each request to that origin.
package struct ConnectionEndpoint: Sendable {
  /// Nil where the connection names none; then only absolute URLs can be called.
  package var base: WebAddress?
  /// Sent to the origin of `base` and nowhere else.
  package var headers: HTTPFields

  package init(base: WebAddress? = nil, headers: HTTPFields = [:]) {
    self.base = base
    self.headers = headers
  }

  /// Reads `base_url`, `headers`, `bearer` and `basic: { username, password }` of a connection's settings.
  /// - Throws: `config.url`, `config.header`.
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
      try headers.append(name.text, value.scalarText ?? "")
    }
    if let token = settings["bearer"]?.scalarText {
      try headers.append("Authorization", "Bearer \(token)")
    } else if let pair = settings["basic"]?.exposed {
      headers[.authorization] = HTTPFields.basicAuthorization(
        username: pair["username"]?.scalarText ?? "", password: pair["password"]?.scalarText ?? "")
    }
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

  /// Whether the connection's token and headers may go there.
  package func owns(_ address: WebAddress) -> Bool { base?.origin == address.origin }
}
