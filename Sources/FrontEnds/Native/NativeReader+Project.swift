internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

/// `baton.yaml`: what differs from one environment to the next.
extension NativeReader {
  /// Nil where the root is no map.
  mutating func project(_ root: Node) -> ProjectDocument? {
    guard let fields = fields(root, of: "`baton.yaml`", known: NativeKeys.project) else { return nil }
    var project = ProjectDocument(file: file)
    if let version = fields["baton"] { checkVersion(version) }
    guard let node = fields["environments"] else {
      if !fields.hasUnknownKey { reportMissing("environments", in: "`baton.yaml`", root.span) }
      return project
    }
    for entry in entries(node, "environments") ?? [] {
      if let environment = environment(entry) { project.environments.append(environment) }
    }
    return project
  }

  private mutating func environment(_ entry: Node.Entry) -> EnvironmentSyntax? {
    let what = "the environment `\(entry.key.value)`"
    guard let fields = fields(entry.value, of: what, known: NativeKeys.environment) else { return nil }
    var environment = EnvironmentSyntax(name: entry.key, span: entry.key.span.joined(with: entry.value.span))
    environment.extends = fields["extends"].flatMap { text($0, "extends") }
    environment.isLive = fields["live"].flatMap { flag($0, "live") }
    environment.mayExec = fields["exec"].flatMap { flag($0, "exec") }
    environment.connections = fields["connections"].map { settings($0) } ?? []
    environment.inputs = fields["inputs"].map { literalMap($0, "inputs") } ?? []
    environment.secrets = fields["secrets"].map { secretSources($0, of: entry.key) } ?? []
    environment.hosts = fields["hosts"].map { hosts($0) }
    environment.answers = fields["answers"].map { answerSources($0) } ?? []
    return environment
  }

  private mutating func flag(_ node: Node, _ name: String) -> Located<Bool>? {
    bool(node, name).map { Located($0, node.span) }
  }

  private mutating func settings(_ node: Node) -> [ConnectionSyntax] {
    checkLiteral(node, "`connections` of an environment")
    return connections(node).filter { connection in
      if connection.isBorrowed {
        report(
          .invalidValue, "an environment lends no connection", connection.span, help: ["write the settings that differ, such as `base_url`"]
        )
      }
      return !connection.isBorrowed
    }
  }

  /// A map of data without templates.
  mutating func literalMap(_ node: Node, _ name: String) -> [DataSyntax.Entry] {
    checkLiteral(node, "`\(name)`")
    return dataMap(node, name)
  }

  mutating func checkLiteral(_ node: Node, _ what: String) {
    switch node.content {
    case .scalar(let scalar):
      if scalar.text.text.contains("${{") { report(.invalidValue, "\(what) is literal: it cannot hold `${{ }}`", node.span) }
    case .sequence(let items): for item in items { checkLiteral(item, what) }
    case .mapping(let entries): for entry in entries { checkLiteral(entry.value, what) }
    }
  }

  // MARK: where values come from

  private mutating func secretSources(_ node: Node, of environment: Located<String>) -> [(name: Located<String>, source: ValueSourceSyntax)]
  {
    (entries(node, "secrets") ?? []).compactMap { entry in
      guard case .mapping = entry.value.content else {
        reportSecretInFile(entry, environment.span)
        return nil
      }
      return source(entry.value, "the secret `\(entry.key.value)`").map { (name: entry.key, source: $0) }
    }
  }

  /// The line of a value is shown with the message; one that may be a secret is not pointed at.
  private mutating func reportSecretInFile(_ entry: Node.Entry, _ environment: Span) {
    let line = file.position(of: entry.key.span.start).line
    let isApart = file.position(of: environment.start).line < line
    report(
      Diagnostic(
        .typeMismatch, "the secret `\(entry.key.value)` on line \(line) must name where it comes from",
        at: isApart ? Place(file, environment) : nil, label: isApart ? "in this environment" : "",
        help: ["write `{ env: VAR }`, `{ file: PATH }` or `{ command: [PROGRAM, ARGUMENT] }`; a value in this file is no secret"]))
  }

  private mutating func answerSources(_ node: Node) -> [(name: Located<String>, source: ValueSourceSyntax)] {
    (entries(node, "answers") ?? []).compactMap { entry in
      if case .mapping = entry.value.content {
        return source(entry.value, "the answer `\(entry.key.value)`").map { (name: entry.key, source: $0) }
      }
      return text(entry.value, entry.key.value).map { (name: entry.key, source: .literal($0)) }
    }
  }

  private mutating func source(_ node: Node, _ what: String) -> ValueSourceSyntax? {
    guard let fields = fields(node, of: what, known: NativeKeys.valueSource) else { return nil }
    guard let entry = fields.entries.first(where: { NativeKeys.valueSource.contains($0.key.value) }) else {
      if !fields.hasUnknownKey { report(.missingKey, "\(what) needs `env`, `file` or `command`", node.span) }
      return nil
    }
    if fields.entries.count > 1, !fields.hasUnknownKey {
      report(.invalidValue, "\(what) comes from one place, this has \(list(fields.entries.map(\.key.value)))", node.span)
      return nil
    }
    switch entry.key.value {
    case "env": return text(entry.value, "env").map { .variable($0) }
    case "file": return text(entry.value, "file").map { .file($0) }
    default: return command(entry.value)
    }
  }

  /// An argument list; there is no shell.
  private mutating func command(_ node: Node) -> ValueSourceSyntax? {
    if case .scalar(let scalar) = node.content, scalar.meaning == .string {
      let words = scalar.text.text.split(separator: " ").joined(separator: ", ")
      reportShape("command", "a list: no shell reads it", node, help: ["write `[\(words)]`"])
      return nil
    }
    guard let items = items(node, "command") else { return nil }
    let words = texts(node, "command")
    if items.isEmpty { report(.invalidValue, "`command` names no program", node.span) }
    return words.isEmpty || words.count < items.count ? nil : .command(words, node.span)
  }

  // MARK: hosts

  private mutating func hosts(_ node: Node) -> [Located<String>] {
    texts(node, "hosts").filter { host in
      guard let mend = Self.mendedHost(host.value) else { return true }
      report(
        .invalidValue, "`\(host.value)` is no host", host.span,
        help: [mend.isEmpty ? "a host reads `api.example.com`, `*.example.com` or `localhost:8080`" : "write `\(mend)`"])
      return false
    }
  }

  /// Nil for what is a host; else what was meant, empty where nobody knows.
  private static func mendedHost(_ text: String) -> String? {
    if isHost(text) { return nil }
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return isHost(String(host)) ? String(host) : ""
  }

  /// `NAME`, `*.NAME` or `[IPv6]`, with or without `:PORT`.
  private static func isHost(_ text: String) -> Bool {
    var name = text[...]
    if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") {
      guard let port = Int(name[name.index(after: colon)...]), (1...65535).contains(port) else { return false }
      name = name[..<colon]
    }
    if name.hasPrefix("["), name.hasSuffix("]") {
      return name.count > 2 && name.dropFirst().dropLast().allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }
    }
    if name.hasPrefix("*.") { name = name.dropFirst(2) }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.utf8.count <= 63 && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
  }
}
