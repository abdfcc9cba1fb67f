import Diagnostics
import FlowSyntax
import JSONSchema
import SourceText
import StepKit
import Values

/// What a case gives its sandbox: state, faults, events, answers to plain HTTP.
extension ScenarioResolver {
  mutating func resolveWorld(_ syntax: ScenarioSyntax, ownsFaults: Bool) -> ScenarioWorld {
    let routes = syntax.routes.compactMap { resolve($0) }
    return ScenarioWorld(
      given: resolveGiven(syntax.given), faults: syntax.faults.compactMap { resolve($0, routes, isOwn: ownsFaults) },
      events: syntax.events.compactMap { resolve($0) }, routes: routes)
  }

  // MARK: - given

  private mutating func resolveGiven(_ entries: [DataSyntax.Entry]) -> Value {
    let findings = diagnostics.count
    var map = ValueMap()
    for entry in entries {
      guard checkSystem(entry.key), let value = constant(entry.value, "`given`") else { continue }
      map[entry.key.value] = value
      check(value, against: sandbox.givenSchema(entry.key.value), entry, named: "given.\(entry.key.value)")
    }
    // What no schema can say, such as a user who is given twice.
    if diagnostics.count == findings, !entries.isEmpty, let problem = sandbox.givenProblem(.map(map)) {
      let tokens = pathTokens(problem.path).dropFirst()
      report(
        .invalidValue, "`\(problem.path.isEmpty ? "given" : problem.path)`: \(problem.message)",
        at: place(of: Array(tokens), in: .map(entries, entries[0].key.span)))
    }
    return .map(map)
  }

  private mutating func checkSystem(_ name: Located<String>) -> Bool {
    if sandbox.systems.contains(name.value) { return true }
    reportUnknown(.unknownName, "the sandbox has no system `\(name.value)`", name, among: sandbox.systems)
    return false
  }

  private mutating func check(_ value: Value, against schema: Value, _ entry: DataSyntax.Entry, named name: String) {
    guard let schema = try? Schema.compile(schema) else { return }
    for violation in schema.validate(value) {
      let path = violation.dottedPath
      let isUnknown = !violation.knownKeys.isEmpty
      var help: [String] = []
      if case .key(let key)? = violation.path.last, isUnknown {
        help = [
          nearestName(to: key, among: violation.knownKeys).map { "did you mean `\($0)`?" } ?? "known: \(quotedList(violation.knownKeys))"
        ]
      }
      // Some messages name the part that is wrong, others only say what is.
      let whole = isUnknown || path.isEmpty || violation.message.contains("`\(path)") ? name : "\(name).\(path)"
      report(
        isUnknown ? .unknownKey : .invalidValue, "`\(whole)`: \(violation.message)",
        at: place(of: violation.path, in: entry.value, ofKey: isUnknown), help: help)
    }
  }

  // MARK: - faults

  private mutating func resolve(_ syntax: FaultSyntax, _ routes: [ScenarioRoute], isOwn: Bool) -> ScenarioFault? {
    let findings = diagnostics.count
    let settings = constant(syntax.settings, "a fault")
    let match = syntax.match.flatMap { compile($0, .request, isCheck: false) }
    guard diagnostics.count == findings else { return nil }
    // Who is killed is the runner: the sandbox knows nothing of it.
    let isOfSandbox = settings["kill"] == nil
    if isWhole, isOfSandbox, let problem = sandbox.faultProblem(.map(settings)) {
      let tokens = pathTokens(problem.path).dropFirst()
      report(.invalidValue, problem.message, at: place(of: Array(tokens), in: .map(syntax.settings, syntax.span)))
      return nil
    }
    if let entry = syntax.settings.first(where: { $0.key.value == "route" }), case .string(let text)? = settings["route"] {
      checkRoute(Located(text, line(of: entry.value.span)), routes, mayBeReal: false)
    }
    return ScenarioFault(settings: .map(settings), match: match, place: Place(file, line(of: syntax.span)), isOwn: isOwn)
  }

  /// - Parameter mayBeReal: whether plain HTTP of the flow may have such a route, which nobody here knows.
  mutating func checkRoute(_ route: Located<String>, _ stubs: [ScenarioRoute], mayBeReal: Bool) {
    switch sandbox.route(route.value) {
    case .known: return
    // Said by whoever read the file.
    case .malformed: return
    case .unknown(let known):
      if stubs.contains(where: { sandbox.routesOverlap($0.route, route.value) }) { return }
      if mayBeReal, flow.sendsPlainHTTP { return }
      let near = stubs.map(\.route) + known
      report(
        .unknownName, "the sandbox has no route `\(route.value)`", at: route.span,
        help: [ScenarioRouteName.help(for: route.value, among: near)])
    }
  }

  // MARK: - events

  private mutating func resolve(_ syntax: EventSyntax) -> ScenarioEvent? {
    checkStep(syntax.after)
    if syntax.changes.isEmpty {
      report(.invalidValue, "this event changes nothing", at: line(of: syntax.span), help: ["say what changes: `do: { SYSTEM: … }`"])
    }
    var map = ValueMap()
    for entry in syntax.changes {
      guard checkSystem(entry.key), let value = constant(entry.value, "an event") else { continue }
      map[entry.key.value] = value
      check(value, against: sandbox.changeSchema(entry.key.value), entry, named: "do.\(entry.key.value)")
    }
    return ScenarioEvent(step: syntax.after.value, changes: .map(map), place: Place(file, line(of: syntax.span)))
  }

  /// A step of the flow, by its id alone.
  mutating func checkStep(_ id: Located<String>) {
    guard steps[id.value] == nil else { return }
    reportUnknown(.unknownName, "the flow has no step `\(id.value)`", id, among: steps.keys.sorted())
  }

  // MARK: - routes

  private mutating func resolve(_ syntax: RouteSyntax) -> ScenarioRoute? {
    let findings = diagnostics.count
    let settings = constant(syntax.settings, "a route")
    if isWhole, diagnostics.count == findings, let problem = sandbox.stubProblem(syntax.route.value, settings) {
      let tokens = pathTokens(problem.path).dropFirst()
      let isRoute = tokens.isEmpty || tokens.first == .key("route")
      report(
        .invalidValue, problem.message,
        at: isRoute ? syntax.route.span : place(of: Array(tokens), in: .map(syntax.settings, syntax.route.span)))
    }
    return ScenarioRoute(route: syntax.route.value, settings: settings, place: Place(file, line(of: syntax.span)))
  }
}

extension Plan {
  /// Whether some step is plain HTTP, whose paths are not the sandbox's.
  var sendsPlainHTTP: Bool {
    (steps + finally).flatMap(\.withInner).contains { step in
      switch step.action {
      case .handler(let handler): handler.isPlainHTTP || handler.step.about.system == "oauth"
      case .call(let call): call.flow.sendsPlainHTTP
      case .group, .choose, .forEach, .repeating, .parallel, .set, .wait, .fail, .end: false
      }
    }
  }
}
