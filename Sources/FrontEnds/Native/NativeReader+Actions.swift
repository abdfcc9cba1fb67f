internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

/// Actions that hold no steps of their own.
extension NativeReader {
  mutating func fail(_ node: Node) -> ActionSyntax? {
    guard let fields = fields(node, of: "`fail`", known: NativeKeys.fail) else { return nil }
    let message = fields["message"].flatMap { template($0, "message") }
    guard let code = fields["code"] else {
      reportMissing("code", in: "`fail`", node.span)
      return nil
    }
    return text(code, "code").map { .fail(code: $0, message: message) }
  }

  /// `set: {name: value, state.name: value}`
  mutating func set(_ entry: Node.Entry) -> ActionSyntax? {
    guard let members = entries(entry.value, "set") else { return nil }
    if members.isEmpty { report(.invalidValue, "`set` sets nothing", entry.value.span) }
    for member in members {
      let name = member.key.value
      if name.hasPrefix("vars.") {
        report(
          .invalidValue, "`set` names a variable without `vars.`", member.key.span,
          help: ["write `\(name.dropFirst("vars.".count))`; it is read as `\(name)`"])
      } else {
        checkName(Located(name.hasPrefix("state.") ? String(name.dropFirst("state.".count)) : name, member.key.span), "a name in `set`")
      }
    }
    return .set(data(members), entry.key.span)
  }

  // MARK: call

  mutating func call(_ node: Node, _ step: Fields) -> ActionSyntax? {
    let secrets = step["secrets"].map { lentSecrets($0) } ?? .none
    let connections = step["connections"].map { pairs($0, "connections") } ?? []
    guard let path = text(node, "call") else { return nil }
    var call = CallSyntax(path: path)
    (call.secrets, call.connections) = (secrets, connections)
    return .call(call)
  }

  /// `[a, b]`, `{theirs: ours}` or `inherit`.
  private mutating func lentSecrets(_ node: Node) -> CallSyntax.Secrets {
    switch node.content {
    case .sequence: return .named(texts(node, "secrets").map { (theirs: $0, ours: $0) })
    case .mapping: return .named(pairs(node, "secrets"))
    case .scalar(let scalar):
      if scalar.text.text == "inherit" { return .inherited(node.span) }
      reportShape("secrets", "a list of names, a map `{theirs: ours}`, or `inherit`", node)
      return .none
    }
  }

  private mutating func pairs(_ node: Node, _ name: String) -> [(theirs: Located<String>, ours: Located<String>)] {
    (entries(node, name) ?? []).compactMap { entry in
      guard let ours = text(entry.value, "a name in `\(name)`") else { return nil }
      if name == "connections", ours.value == "borrowed" {
        report(
          .invalidValue, "`borrowed` is what the called flow declares; here stands the connection that is lent", ours.span,
          help: ["name a connection of this flow"])
        return nil
      }
      return (theirs: entry.key, ours: ours)
    }
  }

  // MARK: names

  /// A name that expressions read: letters, digits and `_`, no digit first.
  mutating func variable(_ node: Node, _ name: String) -> Located<String>? {
    guard let text = text(node, name) else { return nil }
    checkName(text, "the name in `\(name)`")
    return text
  }

  mutating func checkName(_ name: Located<String>, _ what: String) {
    let bytes = name.value.utf8
    let isPlain = bytes.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5F }
    guard !isPlain || bytes.isEmpty || bytes.first.map({ (0x30...0x39).contains($0) }) == true else { return }
    report(
      .invalidValue, "\(what) is read in expressions: `\(name.value)` cannot be", name.span,
      help: ["use `a` to `z`, `0` to `9` and `_`, a letter first"])
  }
}
