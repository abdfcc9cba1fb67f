internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

/// What a case does to its sandbox: its first state, faults, events and stubbed routes.
extension NativeReader {
  mutating func sandbox(_ node: Node, into scenario: inout ScenarioSyntax) {
    guard let fields = fields(node, of: "`sandbox`", known: NativeKeys.sandbox) else { return }
    scenario.given = fields["given"].map { literalMap($0, "given") } ?? []
    scenario.faults = (fields["faults"].flatMap { items($0, "faults") } ?? []).compactMap { fault($0) }
    scenario.events = (fields["events"].flatMap { items($0, "events") } ?? []).compactMap { event($0) }
  }

  // MARK: faults

  private mutating func fault(_ node: Node) -> FaultSyntax? {
    guard let fields = fields(node, of: "a fault", known: NativeKeys.fault) else { return nil }
    let kinds = fields.entries.filter { NativeKeys.faultKinds.contains($0.key.value) }
    if kinds.isEmpty, !fields.hasUnknownKey {
      report(
        .missingKey, "a fault needs what goes wrong", firstLine(of: node.span), help: ["one of \(list(NativeKeys.faultKinds, "or"))"])
    }
    if let first = kinds.first, let second = kinds.dropFirst().first {
      report(
        .invalidValue, "a fault is one thing, this one is `\(first.key.value)` and `\(second.key.value)`", second.key.span,
        related: [.init(Place(file, first.key.span), "the first one")], help: ["make two faults of it"])
    }
    if fields["status"] == nil, let stray = fields.entry("headers") ?? fields.entry("body") {
      report(.invalidValue, "`\(stray.key.value)` belongs to a fault with `status`", stray.key.span)
    }
    if fields["route"] == nil, !fields.hasUnknownKey {
      reportMissing("route", in: "a fault", node.span, help: ["name the requests that it is for, such as `route: \"POST /v1/users\"`"])
    }
    if let route = fields["route"].flatMap({ text($0, "route") }) { checkRoute(route) }
    _ = fields["status"].flatMap { integer($0, "status", 200...599) }
    _ = fields["delay"].flatMap { duration($0, "delay") }
    _ = fields["drop"].flatMap { choice($0, "drop", NativeKeys.drops) }
    _ = fields["kill"].flatMap { choice($0, "kill", NativeKeys.kills) }
    _ = fields["bytes_per_second"].flatMap { integer($0, "bytes_per_second", 1...Int.max) }
    _ = fields["truncate"].flatMap { bool($0, "truncate") }
    _ = fields["after"].flatMap { integer($0, "after", 0...Int.max) }
    _ = fields["times"].flatMap { integer($0, "times", 1...Int.max) }
    let settings = fields.entries.filter { $0.key.value != "match" }
    for entry in settings { checkLiteral(entry.value, "`\(entry.key.value)`") }
    return FaultSyntax(settings: data(settings), match: fields["match"].flatMap { expression($0, "match") }, span: node.span)
  }

  // MARK: events

  /// `{ after: STEP, do: { SYSTEM: change } }`
  private mutating func event(_ node: Node) -> EventSyntax? {
    guard let fields = fields(node, of: "an event", known: NativeKeys.event) else { return nil }
    let after = fields["after"].flatMap { text($0, "after") }
    let changes = fields["do"].map { literalMap($0, "do") } ?? []
    if !fields.hasUnknownKey {
      if fields["after"] == nil { reportMissing("after", in: "an event", node.span, help: ["name the step that it comes after"]) }
      if fields["do"] == nil {
        reportMissing("do", in: "an event", node.span, help: ["say what changes, such as `do: { afero: { expire: access } }`"])
      }
    }
    return after.map { EventSyntax(after: $0, changes: changes, span: node.span) }
  }

  // MARK: routes

  mutating func routes(_ node: Node) -> [RouteSyntax] {
    (items(node, "routes") ?? []).compactMap { item in
      guard let fields = fields(item, of: "a route", known: NativeKeys.route) else { return nil }
      if fields["route"] == nil, !fields.hasUnknownKey {
        reportMissing("route", in: "a route", item.span, help: ["name the requests that it answers, such as `route: GET /v1/users/{id}`"])
      }
      _ = fields["status"].flatMap { integer($0, "status", 100...599) }
      _ = fields["delay"].flatMap { duration($0, "delay") }
      _ = fields["times"].flatMap { integer($0, "times", 1...Int.max) }
      if fields["json"] != nil, let body = fields.entry("body") {
        report(.invalidValue, "a route answers with `json` or `body`, this one has both", body.key.span)
      }
      let settings = fields.entries.filter { $0.key.value != "route" }
      for entry in settings { checkLiteral(entry.value, "`\(entry.key.value)`") }
      guard let route = fields["route"].flatMap({ text($0, "route") }) else { return nil }
      checkRoute(route)
      return RouteSyntax(route: route, settings: data(settings), span: item.span)
    }
  }

  /// `[SYSTEM ]METHOD /path/{name}`
  mutating func checkRoute(_ route: Located<String>) {
    let words = route.value.split(separator: " ", omittingEmptySubsequences: false)
    let isRoute: Bool =
      if words.count == 2 || words.count == 3, let method = words.dropLast().last, let path = words.last {
        !method.isEmpty && method.allSatisfy { $0.isASCII && $0.isUppercase } && path.hasPrefix("/")
      } else {
        false
      }
    guard !isRoute else { return }
    report(
      .invalidValue, "`\(route.value)` is no route", route.span,
      help: ["a route reads `POST /v1/users/{id}`, with a system's name in front where it matters"])
  }
}
