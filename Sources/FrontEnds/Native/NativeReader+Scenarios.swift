internal import Diagnostics
internal import FlowSyntax
internal import SourceText
internal import YAMLTree

/// `*.scenarios.yaml`: a table of cases around one flow.
extension NativeReader {
  /// Nil where the root is no map, or names no flow.
  mutating func scenarios(_ root: Node) -> ScenariosDocument? {
    guard let fields = fields(root, of: "a scenarios file", known: NativeKeys.scenarios) else { return nil }
    if let version = fields["baton"] { checkVersion(version) }
    let name = fields["scenarios"].flatMap { text($0, "scenarios") }
    let tags = fields["tags"].map { texts($0, "tags") } ?? []
    let defaults = fields["defaults"].flatMap { scenario($0, of: "`defaults`", known: NativeKeys.scenarioDefaults) }
    let cases = fields["cases"].flatMap { self.cases($0) } ?? .list([])
    if fields["cases"] == nil, !fields.hasUnknownKey { reportMissing("cases", in: "a scenarios file", root.span) }
    guard let path = fields["flow"] else {
      if !fields.hasUnknownKey {
        reportMissing("flow", in: "a scenarios file", root.span, help: ["name the file of the flow, such as `flow: onboarding.flow.yaml`"])
      }
      return nil
    }
    guard let flow = text(path, "flow") else { return nil }
    var document = ScenariosDocument(file: file, flow: flow, cases: cases)
    (document.name, document.tags, document.defaults) = (name, tags, defaults)
    return document
  }

  /// A list of cases, or `csv('cases.csv')`.
  private mutating func cases(_ node: Node) -> ScenariosDocument.Cases? {
    if case .scalar(let scalar) = node.content, scalar.meaning == .string {
      if let path = Self.tablePath(scalar.text.text) { return .table(path: Located(path, node.span)) }
      reportShape("cases", "a list of cases, or `csv('FILE')`", node)
      return nil
    }
    guard let items = items(node, "cases") else { return nil }
    if items.isEmpty { report(.cannotFail, "`cases` has no case", node.span) }
    let cases = items.compactMap { scenario($0, of: "a case", known: NativeKeys.scenario) }
    checkNames(cases)
    return .list(cases)
  }

  /// A report tells cases apart by their names.
  private mutating func checkNames(_ cases: [ScenarioSyntax]) {
    var first: [String: Span] = [:]
    for name in cases.compactMap(\.name) {
      if let span = first[name.value] {
        report(
          .duplicateID, "two cases are named `\(name.value)`", name.span, label: "again", related: [.init(Place(file, span), "first here")])
      } else {
        first[name.value] = name.span
      }
    }
  }

  private static func tablePath(_ text: String) -> String? {
    guard text.hasPrefix("csv("), text.hasSuffix(")") else { return nil }
    var inner = text.dropFirst(4).dropLast()
    while inner.first == " " { inner = inner.dropFirst() }
    while inner.last == " " { inner = inner.dropLast() }
    guard let quote = inner.first, quote == "'" || quote == "\"", inner.count > 2, inner.last == quote else { return nil }
    let path = inner.dropFirst().dropLast()
    return path.contains(quote) || path.contains("\\") ? nil : String(path)
  }

  // MARK: a case

  mutating func scenario(_ node: Node, of what: String, known: [String]) -> ScenarioSyntax? {
    let isCase = known.contains("name")
    guard let fields = fields(node, of: what, known: known) else { return nil }
    var scenario = ScenarioSyntax(span: node.span)
    scenario.name = fields["name"].flatMap { text($0, "name") }
    if isCase, fields["name"] == nil, !fields.hasUnknownKey {
      reportMissing("name", in: what, node.span, help: ["say what it is about, such as `name: the account exists`"])
    }
    scenario.tags = fields["tags"].map { texts($0, "tags") } ?? []
    scenario.skip = fields["skip"].flatMap { reason($0, "skip", such: "skip: waits for the new login") }
    scenario.inputs = fields["inputs"].map { literalMap($0, "inputs") } ?? []
    scenario.secrets = fields["secrets"].map { literalMap($0, "secrets") } ?? []
    scenario.answers = fields["answers"].map { answers($0) } ?? []
    if let sandbox = fields["sandbox"] { self.sandbox(sandbox, into: &scenario) }
    scenario.routes = fields["routes"].map { routes($0) } ?? []
    scenario.expect = fields["expect"].flatMap { scenarioExpect($0) }
    scenario.then = fields["then"].map { continuations($0) } ?? []
    return scenario
  }

  private mutating func answers(_ node: Node) -> [AnswerSyntax] {
    (entries(node, "answers") ?? []).compactMap { entry in
      answer(entry).map { AnswerSyntax(prompt: entry.key, source: $0) }
    }
  }

  private mutating func answer(_ entry: Node.Entry) -> AnswerSyntax.Source? {
    let name = entry.key.value
    switch entry.value.content {
    case .scalar: return text(entry.value, name).map { .always($0) }
    case .sequence(let items):
      if items.isEmpty { report(.invalidValue, "`\(name)` has no answer", entry.value.span) }
      let answers = items.compactMap { text($0, "an answer of `\(name)`") }
      return answers.isEmpty ? nil : .each(answers)
    case .mapping:
      guard let fields = fields(entry.value, of: "the answer `\(name)`", known: NativeKeys.answerSource) else { return nil }
      guard let from = fields["from"] else {
        if !fields.hasUnknownKey { reportMissing("from", in: "the answer `\(name)`", entry.value.span, help: ["write `{ from: sms }`"]) }
        return nil
      }
      return choice(from, "from", ["sms", "mail"]).map { .outbox($0.span) }
    }
  }

  // MARK: then

  /// `run`, `resume`, a map with one of them, or a list of such.
  private mutating func continuations(_ node: Node) -> [ContinuationSyntax] {
    guard case .sequence(let items) = node.content else { return continuation(node).map { [$0] } ?? [] }
    if items.isEmpty { report(.invalidValue, "`then` has nothing to do", node.span) }
    return items.compactMap { continuation($0) }
  }

  private mutating func continuation(_ node: Node) -> ContinuationSyntax? {
    if case .scalar = node.content { return choice(node, "then", NativeKeys.continuations).map { ContinuationSyntax(verb: $0) } }
    guard case .mapping(let entries) = node.content else {
      reportShape("then", "`run`, `resume`, or a map such as `{ run: { expect: … } }`", node)
      return nil
    }
    if let stray = entries.first(where: { NativeKeys.run.contains($0.key.value) }) {
      report(
        .unknownKey, "`then` has no key `\(stray.key.value)`", stray.key.span,
        help: ["put it under what it belongs to: `{ run: { \(stray.key.value): … } }` or `{ resume: { \(stray.key.value): … } }`"])
      return nil
    }
    guard let fields = fields(node, of: "`then`", known: NativeKeys.continuations), let entry = fields.entries.first,
      !fields.hasUnknownKey
    else {
      if entries.isEmpty { reportMissing("run", in: "`then`", node.span, help: ["or `resume`"]) }
      return nil
    }
    if let second = fields.entries.dropFirst().first {
      report(
        .invalidValue, "an item of `then` does one thing, this one has `\(entry.key.value)` and `\(second.key.value)`", second.key.span,
        help: ["make a list of them, in their order"])
      return nil
    }
    var continuation = ContinuationSyntax(verb: entry.key)
    if entry.value.isNull { return continuation }
    let known = entry.key.value == "run" ? NativeKeys.run : NativeKeys.resume
    guard let members = self.fields(entry.value, of: "`\(entry.key.value)`", known: known) else { return nil }
    continuation.inputs = members["inputs"].map { literalMap($0, "inputs") } ?? []
    continuation.answers = members["answers"].map { answers($0) } ?? []
    continuation.expect = members["expect"].flatMap { scenarioExpect($0) }
    return continuation
  }

  // MARK: expect

  private mutating func scenarioExpect(_ node: Node) -> ScenarioExpectSyntax? {
    guard let fields = fields(node, of: "`expect`", known: NativeKeys.scenarioExpect) else { return nil }
    if fields.entries.isEmpty {
      report(.cannotFail, "this `expect` checks nothing", node.span, help: ["say what must hold, or leave it out"])
    }
    var expect = ScenarioExpectSyntax(span: node.span)
    expect.verdict = fields["verdict"].flatMap { choice($0, "verdict", NativeKeys.runVerdicts) }
    expect.code = fields["code"].flatMap { text($0, "code") }
    expect.outputs = fields["outputs"].flatMap { node in entries(node, "outputs").map { .map(data($0), node.span) } }
    expect.steps = (fields["steps"].flatMap { entries($0, "steps") } ?? []).compactMap { entry in
      choice(entry.value, entry.key.value, NativeKeys.stepStatuses).map { (id: entry.key, status: $0) }
    }
    expect.requests = (fields["requests"].flatMap { entries($0, "requests") } ?? []).compactMap { requests($0) }
    expect.that = fields["that"].map { expressions($0, "that") } ?? []
    expect.maxDuration = fields["max_duration"].flatMap { duration($0, "max_duration") }
    if expect.verdict?.value == "passed", let code = expect.code {
      report(
        .invalidValue, "a run that passed has no `code`", code.span,
        related: expect.verdict.map { [.init(Place(file, $0.span), "it is to pass")] } ?? [])
    }
    return expect
  }

  /// A count, or `{count, that}`.
  private mutating func requests(_ entry: Node.Entry) -> ScenarioExpectSyntax.Requests? {
    checkRoute(entry.key)
    guard case .mapping = entry.value.content else {
      return integer(entry.value, "the count of `\(entry.key.value)`", 0...Int.max).map { .init(route: entry.key, count: $0) }
    }
    guard let fields = fields(entry.value, of: "`\(entry.key.value)`", known: NativeKeys.requests) else { return nil }
    let that = fields["that"].map { expressions($0, "that") } ?? []
    if fields.entries.isEmpty {
      report(.cannotFail, "this checks nothing", entry.value.span, help: ["say how many there are, such as `count: 1`"])
    }
    return .init(route: entry.key, count: fields["count"].flatMap { integer($0, "count", 0...Int.max) }, that: that)
  }
}
