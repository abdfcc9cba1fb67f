package import Values

/// The settings that every connection takes, whatever its system; `ConnectionEndpoint` reads them.
struct CommonSettings: Sendable {
  let proxy: Secret<Value>?
  let tls: TLSFiles?
  let maxBody: Value?
  let connectTimeout: String?
  let rate: String?
  let tokenStore: Bool?
}

extension CommonSettings: DescribedRecord {
  init(_ field: inout Fields) {
    proxy = field("proxy", TransportProse.proxy)
    tls = field("tls", TransportProse.tls)
    maxBody = field("max_body", TransportProse.maxBody, constraint: TransportProse.maxBodyRule)
    connectTimeout = field("connect_timeout", TransportProse.connectTimeout, constraint: TransportProse.connectTimeoutRule)
    rate = field("rate", TransportProse.rate, constraint: TransportProse.rateRule)
    tokenStore = field("token_store", TransportProse.tokenStore)
  }
}

extension RecordShape {
  /// A system's own settings, and those that every connection takes; its own stand over these.
  func withCommonSettings() -> RecordShape {
    var shape = self
    shape.fields += CommonSettings.recordShape.fields.filter { field($0.name) == nil }
    return shape
  }
}

extension RecordShape {
  /// The texts that stand openly where a secret is asked for, such as a password that is written into the flow. Short ones
  /// are left out: to hide `test` would hide half of every text.
  package func openSecrets(in settings: ValueMap) -> [String] {
    fields.flatMap { field -> [String] in
      var shape = field.shape
      if case .nullable(let inner) = shape { shape = inner }
      if case .record(let inner) = shape { return inner.openSecrets(in: settings[field.name]?.exposed.mapValue ?? ValueMap()) }
      guard case .secret(.string) = shape, let text = settings[field.name]?.stringValue else { return [] }
      return text.utf8.count >= Cookie.leastSecretLength ? [text] : []
    }
  }
}
