import HTTPTypes
import StepKit
import Values

extension HTTPStep.Input {
  /// The request that the input describes.
  /// - Throws: `config.*` for what cannot be sent, `schema.input` for a value that has no place in a URL or a header.
  func call() throws(StepFailure) -> HTTPCall {
    var hidden: [String] = []
    let parameters = try URLParameters.pairs(query, hidden: &hidden)
    return HTTPCall(
      try HTTPRequest.Method(checked: method), try filledURL(), query: parameters, headers: try headerFields(), body: try content(),
      token: token, redirects: follow ? 5 : 0, hidden: hidden)
  }

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
      for item in value.exposed.listValue ?? [value] where item != .null {
        guard let text = item.scalarText else { throw .input("`headers.\(name)` must be a text, a number or a bool") }
        try fields.append(name, text)
      }
    }
    if let bearer { try fields.append("Authorization", "Bearer \(bearer.exposed)") }
    if let basic {
      fields[.authorization] = HTTPFields.basicAuthorization(username: basic.username.exposed, password: basic.password.exposed)
    }
    return fields
  }

  private func content() throws(StepFailure) -> HTTPCall.Body {
    var given: [(name: String, body: HTTPCall.Body)] = []
    if case .something(let value) = json { given.append(("json", .json(value))) }
    if let form { given.append(("form", .form(try formPairs(form)))) }
    if let body { given.append(("body", try bytes(body.exposed))) }
    guard given.count < 2 else {
      throw .input("a request has one body: \(given.map { "`\($0.name)`" }.joined(separator: " and ")) are given")
    }
    return given.first?.body ?? .none
  }

  private func bytes(_ value: Value) throws(StepFailure) -> HTTPCall.Body {
    if case .bytes(let bytes) = value { return .bytes(bytes, contentType: nil) }
    guard let text = value.scalarText else { throw .input("`body` must be a text or bytes; give a list or a map as `json`") }
    return .bytes(Array(text.utf8), contentType: "text/plain; charset=utf-8")
  }

  private func formPairs(_ form: NamedMembers<Value>) throws(StepFailure) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for (name, value) in form.entries {
      for item in value.exposed.listValue ?? [value] where item != .null {
        guard let text = item.scalarText else { throw .input("`form.\(name)` must be a text, a number or a bool") }
        pairs.append((name, text))
      }
    }
    return pairs
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
