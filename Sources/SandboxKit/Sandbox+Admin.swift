import HTTPTypes
package import Values

extension Sandbox {
  /// Answers what stands below `/_sandbox`; `path` lacks that segment.
  func administer(_ request: SandboxRequest, _ path: [String]) -> SandboxReply {
    do throws(SandboxError) {
      switch (request.method, path.joined(separator: "/")) {
      case (.get, ""): return Self.wantsPage(request) ? SandboxPage(self).reply : .json(summary)
      case (.get, "requests"): return .json(.list(try logged(request.query("route")).map(\.value)))
      case (.get, "counts"): return .json(counts)
      case (.get, "outbox"): return .json(.list(try outbox(request)))
      case (.get, "sms"): return .json(.list(sms(to: request.query("to")).map(\.value)))
      case (.get, "state"): return .json(overview)
      case (.get, "clock"): return .json(["now": .timestamp(clock.now())])
      case (.get, _) where path.first == "openapi" && path.count == 2: return try openAPI(path[1])
      case (.post, "clock"):
        try advanceClock(try body(of: request))
        return .json(["now": .timestamp(clock.now())])
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
      "now": .timestamp(clock.now()),
      "requests": .int(Int64(requests.count)),
      "messages": .int(Int64(messages().count)),
      "pages": [
        "GET /_sandbox/requests?route=POST%20/path", "GET /_sandbox/counts", "GET /_sandbox/outbox?channel=mail&to=ADDRESS",
        "GET /_sandbox/sms?to=NUMBER", "GET /_sandbox/state", "GET /_sandbox/clock", "GET /_sandbox/openapi/SYSTEM.json",
        "POST /_sandbox/clock", "POST /_sandbox/faults", "POST /_sandbox/change", "POST /_sandbox/tokens/revoke",
        "POST /_sandbox/tokens/expire", "POST /_sandbox/reset",
      ],
    ]
  }

  /// A browser asks for HTML first, a program for anything or for JSON.
  private static func wantsPage(_ request: SandboxRequest) -> Bool {
    request.headers[.accept]?.split(separator: ",").first?.hasPrefix("text/html") ?? false
  }

  /// How often each route was asked, with each status: `{ "afero POST /oauth/token": { "200": 2 } }`.
  private var counts: Value {
    var map = ValueMap()
    for request in requests {
      let route = "\(request.system.isEmpty ? "" : request.system + " ")\(request.method) \(request.route ?? request.path)"
      var statuses = map[route]?.mapValue ?? ValueMap()
      statuses[String(request.status)] = .int((statuses[String(request.status)]?.intValue ?? 0) + 1)
      map[route] = .map(statuses)
    }
    return .map(map)
  }

  private func outbox(_ request: SandboxRequest) throws(SandboxError) -> [Value] {
    var channel: SandboxMessage.Channel?
    if let name = request.query("channel") {
      channel = SandboxMessage.Channel(rawValue: name)
      guard channel != nil else {
        let known = SandboxMessage.Channel.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw SandboxError("`\(name)` is no channel; known are \(known)", at: "channel")
      }
    }
    return messages(channel, to: request.query("to")).map(\.value)
  }

  private func advanceClock(_ value: Value) throws(SandboxError) {
    guard let advance = clock.advance else { throw SandboxError("this sandbox's clock is moved by the run that it belongs to") }
    var given = try GivenMap(value, at: "clock")
    guard let duration = try given.span("advance") else { throw SandboxError("`advance` is missing, such as `2h`", at: "clock") }
    try given.finish()
    advance(duration)
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
    if let system { return try change(system, verb, .string(kind)) }
    var refusal: SandboxError?
    var changed = 0
    for name in systemNames {
      do throws(SandboxError) {
        try change(name, verb, .string(kind))
        changed += 1
      } catch {
        refusal = error
      }
    }
    // Some systems have no tokens; that none takes the change is a mistake in it.
    if changed == 0, let refusal { throw refusal }
  }
}

extension SandboxMessage {
  /// As `GET /_sandbox/outbox` shows it.
  package var value: Value {
    var map = ValueMap()
    map["channel"] = .string(channel.rawValue)
    map["to"] = .string(recipient)
    if !subject.isEmpty { map["subject"] = .string(subject) }
    map["text"] = .string(text)
    if body != .null { map["body"] = body }
    map["code"] = code.map { .string($0) } ?? .null
    map["at"] = .timestamp(at)
    return .map(map)
  }
}
