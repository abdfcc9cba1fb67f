import HTTPTypes
package import Values

extension Sandbox {
  /// Answers what stands below `/_sandbox`; `path` lacks that segment.
  func administer(_ request: SandboxRequest, _ path: [String]) -> SandboxReply {
    do throws(SandboxError) {
      switch (request.method, path.joined(separator: "/")) {
      case (.get, ""): return .json(summary)
      case (.get, "requests"): return .json(.list(try logged(request.query("route")).map(\.value)))
      case (.get, "sms"): return .json(.list(sms(to: request.query("to")).map(\.value)))
      case (.get, "state"): return .json(overview)
      case (.get, _) where path.first == "openapi" && path.count == 2: return try openAPI(path[1])
      case (.post, "change"):
        try change(try body(of: request))
        return SandboxReply(status: 204)
      case (.post, "faults"):
        try addFault(try body(of: request))
        return SandboxReply(status: 204)
      case (.post, "reset"):
        reset()
        return SandboxReply(status: 204)
      case (.post, "tokens/revoke"), (.post, "tokens/expire"):
        try changeTokens(path[1], request)
        return SandboxReply(status: 204)
      default: return .json(["error": .string("no such page; `GET /_sandbox` lists what there is")], status: 404)
      }
    } catch {
      return .json(["error": .string(error.description)], status: 400)
    }
  }

  private var summary: Value {
    [
      "systems": .list(systemNames.map { .string($0) }),
      "requests": .int(Int64(requests.count)),
      "sms": .int(Int64(sms().count)),
      "pages": [
        "GET /_sandbox/requests?route=POST%20/path", "GET /_sandbox/sms?to=NUMBER", "GET /_sandbox/state",
        "GET /_sandbox/openapi/SYSTEM.json", "POST /_sandbox/faults", "POST /_sandbox/change", "POST /_sandbox/tokens/revoke",
        "POST /_sandbox/tokens/expire", "POST /_sandbox/reset",
      ],
    ]
  }

  private func openAPI(_ file: String) throws(SandboxError) -> SandboxReply {
    let name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    guard let document = openAPI(of: name) else {
      return .json(["error": .string("no system `\(name)` with a description here")], status: 404)
    }
    return .json(document)
  }

  private func logged(_ route: String?) throws(SandboxError) -> [LoggedRequest] {
    guard let route else { return requests }
    return try requests(matching: route)
  }

  private func addFault(_ value: Value) throws(SandboxError) {
    let fault = try Fault(value)
    guard has(fault.route) else { throw SandboxError("no system has the route `\(fault.route)`", at: "fault.route") }
    add(fault)
  }

  private func body(of request: SandboxRequest) throws(SandboxError) -> Value {
    guard let value = request.json else { throw SandboxError("the body is no JSON") }
    return value
  }

  /// `{"system"?, "class"?}`: without a system in all that know tokens, without a class of every class.
  private func changeTokens(_ verb: String, _ request: SandboxRequest) throws(SandboxError) {
    var given = try GivenMap(request.body.isEmpty ? [:] : try body(of: request), at: "body")
    let system = try given.text("system")
    let kind = try given.text("class") ?? "all"
    try given.finish()
    for name in system.map({ [$0] }) ?? systemNames { try change(name, verb, .string(kind)) }
  }
}

extension SandboxMessage {
  /// As `GET /_sandbox/sms` shows it.
  package var value: Value {
    ["to": .string(recipient), "text": .string(text), "code": code.map { .string($0) } ?? .null, "at": .timestamp(at)]
  }
}
