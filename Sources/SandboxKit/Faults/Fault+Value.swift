import HTTPTypes
package import Values

extension Fault {
  /// A fault as scenarios and `POST /_sandbox/faults` write it: `route`, `after`, `times`, and one of `status`
  /// (with `headers` and `body`), `delay`, `drop`, `bytes_per_second` and `truncate: true`.
  /// - Throws: `SandboxError` for an unknown key, a value of another type, and where none or several of those stand.
  package init(_ value: Value, at path: String = "fault") throws(SandboxError) {
    var given = try GivenMap(value, at: path)
    let route = try RoutePattern(try given.requiredText("route"))
    let after = try given.int("after") ?? 0
    let times = try given.int("times")
    guard after >= 0, times ?? 1 > 0 else { throw SandboxError("`after` is at least 0 and `times` at least 1", at: path) }
    let kinds = [
      try Self.statusKind(&given), try Self.delayKind(&given), try Self.dropKind(&given), try Self.paceKind(&given),
      try given.flag("truncate") == true ? Kind.truncate : nil,
    ].compactMap(\.self)
    try given.finish()
    guard let kind = kinds.first, kinds.count == 1 else {
      throw SandboxError(
        "a fault is exactly one of `status`, `delay`, `drop`, `bytes_per_second` and `truncate`; this has \(kinds.count) of them",
        at: path)
    }
    self.init(route: route, after: after, times: times, kind: kind)
  }

  private static func statusKind(_ given: inout GivenMap) throws(SandboxError) -> Kind? {
    let status = try given.int("status")
    let headers = given.value("headers")
    let body = given.value("body")
    guard let status else {
      if headers == nil, body == nil { return nil }
      throw SandboxError("`headers` and `body` belong to `status`", at: given.path)
    }
    guard (200...599).contains(status) else { throw SandboxError("expected 200 to 599, got \(status)", at: "\(given.path).status") }
    var fields = try headerFields(headers, at: "\(given.path).headers")
    guard let body else { return .status(status, headers: fields, body: []) }
    if case .string(let text) = body { return .status(status, headers: fields, body: Array(text.utf8)) }
    if fields[.contentType] == nil { fields[.contentType] = "application/json" }
    return .status(status, headers: fields, body: body.jsonBytes(secrets: .exposed))
  }

  private static func headerFields(_ value: Value?, at path: String) throws(SandboxError) -> HTTPFields {
    guard let value else { return [:] }
    guard case .map(let map) = value else { throw SandboxError("expected a map, got \(value.typeName)", at: path) }
    var fields = HTTPFields()
    for (key, value) in map {
      guard let name = HTTPField.Name(key.text) else { throw SandboxError("`\(key.text)` is no header's name", at: path) }
      switch value.exposed {
      case .string(let text): fields[name] = text
      case .int(let number): fields[name] = String(number)
      default: throw SandboxError("expected a string, got \(value.typeName)", at: "\(path).\(key.text)")
      }
    }
    return fields
  }

  private static func delayKind(_ given: inout GivenMap) throws(SandboxError) -> Kind? {
    try given.span("delay").map { .delay($0) }
  }

  private static func dropKind(_ given: inout GivenMap) throws(SandboxError) -> Kind? {
    guard let text = try given.text("drop") else { return nil }
    guard let drop = Drop(rawValue: text) else {
      let known = Drop.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw SandboxError("`\(text)` is none of \(known)", at: "\(given.path).drop")
    }
    return .drop(drop)
  }

  private static func paceKind(_ given: inout GivenMap) throws(SandboxError) -> Kind? {
    guard let pace = try given.int("bytes_per_second") else { return nil }
    guard pace > 0 else { throw SandboxError("expected at least 1, got \(pace)", at: "\(given.path).bytes_per_second") }
    return .bytesPerSecond(pace)
  }
}
