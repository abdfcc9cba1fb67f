internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

extension NativeReader {
  /// The whole file; nil where its root is no map.
  mutating func flow(_ root: Node) -> FlowDocument? {
    guard let fields = fields(root, of: "a flow", known: NativeKeys.flow) else { return nil }
    var flow = FlowDocument(file: file)
    if let version = fields["baton"] { checkVersion(version) }
    flow.name = fields["flow"].flatMap { text($0, "flow") }
    flow.description = fields["description"].flatMap { text($0, "description") }
    flow.tags = fields["tags"].map { texts($0, "tags") } ?? []
    flow.inputs = fields["inputs"].map { inputs($0, "inputs") } ?? []
    flow.secrets = fields["secrets"].map { secrets($0) } ?? []
    flow.connections = fields["connections"].map { connections($0) } ?? []
    flow.state = fields["state"].map { inputs($0, "state") } ?? []
    flow.stateKey = fields["state_key"].flatMap { template($0, "state_key") }
    flow.defaults = fields["defaults"].map { defaults($0) } ?? DefaultsSyntax()
    flow.budget = fields["budget"].flatMap { budget($0) }
    if let steps = fields["steps"] {
      flow.steps = self.steps(steps, "steps")
    } else if !fields.unknownKeys.contains(where: { nearest(to: $0, among: NativeKeys.flow) == "steps" }) {
      reportMissing("steps", in: "a flow", root.span)
    }
    flow.outputs = fields["outputs"].map { outputs($0) } ?? []
    flow.finally = fields["finally"].map { steps($0, "finally") } ?? []
    flow.unreadableSteps = unreadableSteps
    return flow
  }

  mutating func checkVersion(_ node: Node) {
    guard let version = integer(node, "baton", Int.min...Int.max), version.value != 1 else { return }
    report(
      .invalidValue, "this version of baton reads version 1 of the language, not \(version.value)", node.span, help: ["write `baton: 1`"])
  }

  private mutating func inputs(_ node: Node, _ name: String) -> [InputSyntax] {
    (entries(node, name) ?? []).compactMap { entry in
      if case .mapping = entry.value.content { return InputSyntax(name: entry.key, schema: data(entry.value)) }
      if case .scalar(let scalar) = entry.value.content, scalar.meaning == .string {
        return text(entry.value, entry.key.value) == nil ? nil : InputSyntax(name: entry.key, schema: data(entry.value))
      }
      reportShape(entry.key.value, "a type such as `string`, or a JSON Schema", entry.value)
      return nil
    }
  }

  private mutating func secrets(_ node: Node) -> [Located<String>] {
    var first: [String: Span] = [:]
    var names: [Located<String>] = []
    for name in texts(node, "secrets") {
      if let span = first[name.value] {
        report(
          .duplicateKey, "the secret `\(name.value)` stands twice in this list", name.span, label: "again",
          related: [.init(Place(file, span), "first here")])
      } else {
        first[name.value] = name.span
        names.append(name)
      }
    }
    return names
  }

  mutating func connections(_ node: Node) -> [ConnectionSyntax] {
    (entries(node, "connections") ?? []).compactMap { entry in
      if case .scalar(let scalar) = entry.value.content, scalar.text.text == "borrowed" {
        return ConnectionSyntax(
          alias: entry.key, system: nil, settings: [], isBorrowed: true, span: entry.key.span.joined(with: entry.value.span))
      }
      guard let members = entries(entry.value, entry.key.value) else { return nil }
      let system = members.first { $0.key.value == "system" }.flatMap { text($0.value, "system") }
      let settings = data(members.filter { $0.key.value != "system" })
      return ConnectionSyntax(alias: entry.key, system: system, settings: settings, span: entry.key.span.joined(with: entry.value.span))
    }
  }

  private mutating func defaults(_ node: Node) -> DefaultsSyntax {
    var defaults = DefaultsSyntax()
    guard let fields = fields(node, of: "`defaults`", known: NativeKeys.defaults) else { return defaults }
    defaults.attemptTimeout = fields["attempt_timeout"].flatMap { duration($0, "attempt_timeout") }
    defaults.timeout = fields["timeout"].flatMap { duration($0, "timeout") }
    defaults.retry = fields["retry"].flatMap { retry($0) }
    defaults.http = fields["http"].map { dataMap($0, "http") } ?? []
    return defaults
  }

  private mutating func budget(_ node: Node) -> BudgetSyntax? {
    guard let fields = fields(node, of: "`budget`", known: NativeKeys.budget) else { return nil }
    return BudgetSyntax(
      time: fields["time"].flatMap { duration($0, "time") },
      requests: fields["requests"].flatMap { integer($0, "requests", 0...Int.max) }, span: node.span)
  }
}
