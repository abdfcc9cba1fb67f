import Diagnostics
import FlowSyntax
import SourceText
import StepKit
import Values

/// Plain requests: `get: /path` and its like, and `uses: http`.
extension Resolver {
  /// How far the target of a request is known before the run.
  enum Target {
    case path, wholeURL, unknown
    /// Neither a path nor a URL.
    case neither

    init(_ text: String) {
      let lowered = text.lowercased()
      if text.hasPrefix("${{") {
        self = .unknown
      } else if text.hasPrefix("/") {
        self = .path
      } else if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") {
        self = .wholeURL
      } else {
        self = .neither
      }
    }
  }

  mutating func resolveHTTP(_ step: StepSyntax, _ method: Located<String>, _ target: DataSyntax) -> ActionPlan? {
    guard let handler = catalogue.step("http") else { return nil }
    let verb = method.value.uppercased()
    var url = resolveData(target, .secret(.string(TextRules())), named: method.value, Locals())
    if case .text(let segments) = url { url = .url(segments) }
    let extra: [(key: String, value: DataPlan)] = [("method", .constant(.string(verb))), ("url", url)]
    return resolvePlain(
      step, handler, extra: extra, label: "\(verb) \(target.sourceText)", at: method.span, url: Located(target.sourceText, target.span))
  }

  /// The `url` of `uses: http`; nil where it is missing, which is reported as such.
  func literalURL(_ step: StepSyntax) -> Located<String>? {
    step.with.first { $0.key.value == "url" }.map { Located($0.value.sourceText, $0.value.span) }
  }

  mutating func resolvePlain(
    _ step: StepSyntax, _ handler: AnyStep, extra: [(key: String, value: DataPlan)], label: String, at span: Span, url: Located<String>?
  ) -> ActionPlan? {
    let given = Set(extra.map(\.key))
    var shape = handler.input()
    for index in shape.fields.indices where given.contains(shape.fields[index].name) { shape.fields[index].isRequired = false }
    for entry in step.with where given.contains(entry.key.value) {
      report(
        .duplicateKey, "`\(entry.key.value)` is stated by `\(label)` already", at: entry.key.span, label: "again",
        related: [(span, "first here")])
    }
    let with = withDefaults(step.with)
    guard case .map(let members) = resolveMap(with, at: span, .record(shape), named: "", Locals()) else { return nil }
    checkURL(extra + members)
    checkReasons(with)
    checkAlternatives(with)
    let connection = url.flatMap { plainConnection(for: step, $0, at: span) }
    checkToken(step, with, connection, label, at: span)
    checkEmergencyModifiers(step, of: label, isEmergency: false)
    let verb = label == "http" ? Self.method(in: with) : String(label.prefix { $0 != " " })
    if let url { checkReserved(verb, url, with, connection) }
    return .handler(
      HandlerPlan(
        step: handler, label: label, connection: connection, with: .map(extra + members.filter { !given.contains($0.key) }),
        effect: plainEffect(step, verb), attemptTimeout: attemptTimeout(step), dedupeKey: nil,
        idempotency: step.idempotencyKey.map { resolveIdempotency($0, with) }, isPlainHTTP: true))
  }

  /// `with`, and what `defaults.http` says beside it; maps such as `headers` are joined by name.
  private func withDefaults(_ with: [DataSyntax.Entry]) -> [DataSyntax.Entry] {
    var merged = with
    for entry in document.defaults.http where !Self.isReplaced(entry.key.value, by: with) {
      guard let position = merged.firstIndex(where: { $0.key.value == entry.key.value }) else {
        merged.append(entry)
        continue
      }
      guard case .map(let own, let span) = merged[position].value, case .map(let general, _) = entry.value else { continue }
      let added = general.filter { member in !own.contains { $0.key.value.lowercased() == member.key.value.lowercased() } }
      merged[position].value = .map(own + added, span)
    }
    return merged
  }

  /// Members of which a request has one: its body, its credentials.
  private static let alternatives = [["json", "form", "multipart", "body", "file"], ["bearer", "basic", "digest"]]

  /// Whether the step's own `with` says something else in the place of a default.
  private static func isReplaced(_ name: String, by with: [DataSyntax.Entry]) -> Bool {
    let isOther = alternatives.contains { group in group.contains(name) && with.contains { group.contains($0.key.value) } }
    return isOther || alternatives[1].contains(name) && with.hasOwnAuthorization
  }

  private mutating func checkAlternatives(_ with: [DataSyntax.Entry]) {
    for group in Self.alternatives {
      let stated = with.filter { group.contains($0.key.value) }
      guard let first = stated.first, let second = stated.dropFirst().first else { continue }
      report(
        .invalidValue, "a request has one of \(quotedList(group)): this one has `\(first.key.value)` and `\(second.key.value)`",
        at: second.key.span, related: [(first.key.span, "the first one")], help: ["take one of the two out"])
    }
  }

  /// A request says which token it carries where its connection has several.
  private mutating func checkToken(_ step: StepSyntax, _ with: [DataSyntax.Entry], _ connection: Int?, _ label: String, at span: Span) {
    guard let connection, connections[connection].system.tokens != nil else { return }
    let plan = connections[connection]
    let classes = plan.tokenClasses ?? []
    let stated = with.first { $0.key.value == "token" }
    if let stated, let name = stated.value.constant?.stringValue, let own = classes.first, classes.count == 1,
      name != own.rawValue, name != TokenClass.none.rawValue
    {
      return report(
        .invalidValue, "`\(plan.alias)` has a `\(own.rawValue)` token alone", at: stated.value.span, help: ["leave `token` out"])
    }
    guard stated != nil || classes.count < 2 else {
      return report(
        .missingKey, "this request over `\(plan.alias)` must say which token it carries", at: span,
        help: ["add `token: client`, `token: user` or `token: none` to its `with`"])
    }
    let carried = stated.map { $0.value.constant?.stringValue } ?? (with.hasOwnCredentials ? nil : classes.first?.rawValue)
    if carried == TokenClass.user.rawValue, !step.expectsNobody { checkSignedIn(label, connection, at: span) }
  }

  /// The method of `uses: http`; nil where only the run tells.
  private static func method(in with: [DataSyntax.Entry]) -> String? {
    guard let method = with.first(where: { $0.key.value == "method" }) else { return "GET" }
    return method.value.constant?.stringValue?.uppercased()
  }

  private mutating func plainEffect(_ step: StepSyntax, _ verb: String?) -> Effect {
    if let stated = step.effect {
      if let effect = Effect(rawValue: stated.value) { return effect }
      reportUnknown(.invalidValue, "effect", stated, among: Effect.allCases.map(\.rawValue))
    }
    if step.idempotencyKey != nil { return .keyed }
    switch verb {
    case "GET", "HEAD", "OPTIONS": return .read
    case "PUT", "DELETE": return .idempotent
    default: return .unsafe
    }
  }

  /// The connection of a plain request: the one it names, or the only one of the flow; none for a whole URL.
  private mutating func plainConnection(for step: StepSyntax, _ url: Located<String>, at span: Span) -> Int? {
    let target = Target(url.value)
    if case .neither = target {
      report(
        .invalidValue, "`\(url.value)` is neither a path nor a whole URL", at: url.span,
        help: ["write `/\(url.value)` for a path below the connection's base URL, or a URL from `https://` on"])
      return nil
    }
    if let named = step.connection { return connection(named: named) }
    if case .wholeURL = target { return nil }
    if connections.count == 1, document.connections.count == 1 { return 0 }
    let plain = connections.indices.filter { connections[$0].system.name == "http" }
    if plain.count == 1 { return plain[0] }
    if case .unknown = target { return nil }
    if document.connections.isEmpty {
      report(
        .unknownName, "a path needs a connection, and none is declared", at: span,
        help: ["write the whole URL, or declare one: `connections: { api: { system: http, base_url: https://… } }`"])
    } else if connections.count == document.connections.count {
      report(
        .missingKey, "several connections are declared, and this request names none", at: span,
        help: ["add `connection:` with one of \(quotedList(connections.map(\.alias)))"])
    }
    return nil
  }
}

extension DataSyntax {
  var sourceText: String {
    if case .scalar(let scalar) = self { scalar.text.text } else { "" }
  }
}

extension [DataSyntax.Entry] {
  /// Whether it brings credentials of its own, so that it carries no token of the connection's.
  fileprivate var hasOwnCredentials: Bool {
    hasOwnAuthorization || contains { ["bearer", "basic", "digest"].contains($0.key.value) }
  }

  /// Whether `headers` has an `Authorization` of its own.
  fileprivate var hasOwnAuthorization: Bool {
    contains { entry in
      guard entry.key.value == "headers", case .map(let headers, _) = entry.value else { return false }
      return headers.contains { $0.key.value.lowercased() == "authorization" }
    }
  }
}
