import HTTPTypes
import StepKit
import Values

extension HTTPStep.Input {
  /// The request that the input describes; its files are read.
  /// - Throws: `config.*` for what cannot be sent, `schema.input` for a value that has no place in a URL or a header.
  func call(files: any FilePort) async throws(StepFailure) -> HTTPCall {
    var hidden: [String] = []
    let parameters = try URLParameters.pairs(query, hidden: &hidden)
    var call = HTTPCall(
      try HTTPRequest.Method(checked: method), try filledURL(), query: parameters, headers: try headerFields(), token: token,
      hidden: hidden,
      secretMembers: Self.tokenNames)
    try addCredentials(to: &call)
    call.options = try transportOptions()
    call.body = try await content(files)
    call.isBodySecret = hasSecretBody
    call.secretHeaders = Set(headers.entries.filter { $0.value.containsSecret }.compactMap { HTTPField.Name($0.name) })
    return call
  }

  /// What an answer calls its tokens (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
  private static let tokenNames: Set<String> = ["access_token", "refresh_token", "id_token"]

  private func filledURL() throws(StepFailure) -> String {
    var filled = ""
    var rest = url[...]
    var used: Set<String> = []
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { break }
      let name = String(rest[rest.index(after: open)..<close])
      guard let value = path.entries.first(where: { $0.name == name })?.value else {
        throw .input("`\(url)` names `{\(name)}`, and `path` has no value for it")
      }
      if case .secret = value { throw .input("`path.\(name)` is a secret, and URLs are shown in reports") }
      guard let text = value.scalarText, let segment = PercentEncoding.pathSegment(text) else {
        throw .input("`path.\(name)` cannot stand in a path: it must be a text that is not empty, `.` or `..`, a number or a bool")
      }
      filled += rest[..<open] + segment
      used.insert(name)
      rest = rest[rest.index(after: close)...]
    }
    if let unused = path.entries.first(where: { !used.contains($0.name) }) {
      throw .input("`path.\(unused.name)` stands nowhere in `\(url)`; write `{\(unused.name)}` where it belongs")
    }
    return filled + rest
  }

  private func headerFields() throws(StepFailure) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in headers.entries {
      for item in value.exposed.listValue ?? [value] where item.exposed != .null {
        guard let text = item.scalarText else { throw .input("`headers.\(name)` must be a text, a number or a bool") }
        try fields.append(name, text)
      }
    }
    return fields
  }

  private func addCredentials(to call: inout HTTPCall) throws(StepFailure) {
    var given: [String] = []
    if call.headers.contains(.authorization) { given.append("headers.authorization") }
    if bearer != nil { given.append("bearer") }
    if basic != nil { given.append("basic") }
    if digest != nil { given.append("digest") }
    guard given.count < 2 else {
      throw .input("a request has one kind of credentials: \(given.map { "`\($0)`" }.joined(separator: " and ")) are given")
    }
    if let bearer {
      try call.headers.append("Authorization", "Bearer \(bearer.exposed)")
      call.secrets.append(bearer.exposed)
    }
    if let basic {
      call.headers[.authorization] = HTTPFields.basicAuthorization(username: basic.username.exposed, password: basic.password.exposed)
      call.secrets.append(basic.password.exposed)
    }
    if let digest {
      call.digest = DigestCredentials(username: digest.username.exposed, password: digest.password.exposed)
      call.secrets.append(digest.password.exposed)
    }
  }

  private func transportOptions() throws(StepFailure) -> TransportOptions {
    var map = ValueMap()
    map["follow"] = follow
    map["proxy"] = proxy?.exposed
    map["http_version"] = httpVersion?.value
    map["tls"] = tls?.value
    map["compressed"] = compressed.map { .bool($0) }
    map["max_body"] = maxBody
    map["connect_timeout"] = connectTimeout.map { .string($0) }
    return try TransportOptions(map)
  }
}

/// Parameters of a query: a secret among them must say why it may stand in a URL.
enum URLParameters {
  static func pairs(_ query: NamedMembers<Value>, hidden: inout [String]) throws(StepFailure) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for (name, value) in query.entries {
      let reasoned = value["secret_in_url"]?.stringValue.map { !$0.isEmpty } == true ? value["value"] : nil
      for item in (reasoned ?? value).listValue ?? [reasoned ?? value] where item != .null {
        if case .secret = item, reasoned == nil {
          throw .input("`query.\(name)` is a secret; write `{ value: …, secret_in_url: REASON }` if it must stand in the URL")
        }
        guard let text = item.scalarText else { throw .input("`query.\(name)` must be a text, a number, a bool, or a list of them") }
        if reasoned != nil { hidden.append(text) }
        pairs.append((name, text))
      }
    }
    return pairs
  }
}

extension StepFailure {
  /// Input that only its values show to be unusable.
  static func input(_ detail: String) -> StepFailure { StepFailure("schema.input", title: "the input cannot be used", detail: detail) }
}
