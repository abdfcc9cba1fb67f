import Diagnostics
import FlowPlan
import SourceText
import StepKit
import Values

/// What must hold before a run whose emergencies lead to somebody real sends its first request (language.md §3, "Doubt").
///
/// A step is an emergency where its handler says so, and live unless its connection leads to loopback. That its host is
/// allowed is `HostCheck`'s to say.
struct LiveGate: Sendable {
  /// The one that is named; nil is none.
  var environment: RunEnvironment?
  /// Whether the command has `--live`.
  var isAsked = false
  /// The keys that `--confirm` names.
  var confirmed: [String] = []
  /// Whether there is a terminal at which a key can be typed.
  var canAsk = false
  /// Those of the process.
  var variables: [String: String] = [:]
  /// Where it is recorded what was sent.
  var records: [LiveRecords] = []

  /// Everything that refuses the run, at once; a warning where live is asked for and nothing here is.
  func findings(in run: PreparedRun) -> [Diagnostic] { findings(in: KnownScope(run)) }

  /// The same for a run of which not all is known.
  func findings(in scope: KnownScope) -> [Diagnostic] {
    let live = scope.emergencies.filter(\.isLive)
    guard let first = live.first else { return needless }
    let general = conditions(of: live).compactMap { $0.finding(at: first.step.place) }
    return general + live.flatMap { emergency in conditions(of: emergency).compactMap { $0.finding(at: emergency.step.place) } }
  }

  private var needless: [Diagnostic] {
    let options = (isAsked ? ["`--live`"] : []) + (confirmed.isEmpty ? [] : ["`--confirm`"])
    return options.map { option in
      Diagnostic(
        .invalidValue, "\(option) is given, and no step of this run sets off a real emergency response", at: nil, severity: .warning,
        help: ["leave it out"])
    }
  }

  // MARK: - the run

  /// What holds, or does not, for a run with these live emergencies.
  func conditions(of live: [Emergency]) -> [LiveCondition] {
    [environmentCondition, flag, confirmation(of: live), variableCondition] + records.map(recordCondition)
  }

  private var environmentCondition: LiveCondition {
    guard let environment else {
      return LiveCondition(
        name: .environment, isMet: false, text: "a real emergency response needs an environment, and none is named", kind: .missingKey,
        help: ["name one that says `live: true` with `--env NAME`"])
    }
    if environment.isLive { return .met(.environment, "the environment `\(environment.name)` says `live: true`") }
    return LiveCondition(
      name: .environment, isMet: false,
      text: "a real emergency response needs `live: true`, and the environment `\(environment.name)` does not say it", kind: .missingKey,
      related: [.init(environment.hosts.place, "the environment `\(environment.name)`")],
      help: ["name another environment, or write `live: true` in this one"])
  }

  private var flag: LiveCondition {
    if isAsked { return .met(.flag, "`--live` is given") }
    return LiveCondition(
      name: .flag, isMet: false, text: "this would set off a real emergency response, and `--live` is not given", kind: .missingAnswer,
      help: ["try it in the sandbox with `--sandbox`; give `--live` where it is meant"])
  }

  private func confirmation(of live: [Emergency]) -> LiveCondition {
    if !confirmed.isEmpty { return .met(.confirmation, "`--confirm` is given") }
    if canAsk { return .met(.confirmation, "the key is asked for at this terminal") }
    let keys = live.compactMap { $0.key.map(\.shownKey) }
    return LiveCondition(
      name: .confirmation, isMet: false, text: "nobody can confirm the key: there is no terminal, and `--confirm` is not given",
      kind: .missingAnswer,
      help: [keys.isEmpty ? "give `--confirm KEY`" : "give " + keys.map { "`--confirm \($0)`" }.joined(separator: " ")])
  }

  private var variableCondition: LiveCondition {
    let loading = variables.keys.filter { $0.hasPrefix("LD_") }.sorted()
    let found = loading + variables.keys.filter { $0 == "SSLKEYLOGFILE" }
    guard !found.isEmpty else { return .met(.variables, "no variable changes what is loaded or writes down keys of TLS") }
    let names = found.map { "`\(shownText($0))`" }.joined(separator: ", ")
    let reasons =
      (loading.isEmpty ? [] : ["changes what this program loads"]) + (found.count > loading.count ? ["writes down the keys of TLS"] : [])
    return LiveCondition(
      name: .variables, isMet: false,
      text: "\(names) \(found.count == 1 ? "is" : "are") set, which \(reasons.joined(separator: " and "))",
      help: ["take it out: `env \(found.map { "-u \(shownText($0))" }.joined(separator: " ")) baton run …`"])
  }

  private func recordCondition(_ place: LiveRecords) -> LiveCondition {
    guard let problem = place.problem() else { return .met(.records, "\(place.name) outlasts a restart") }
    return LiveCondition(
      name: .records, isMet: false, text: "\(place.name) cannot be relied upon: \(problem.message)",
      help: problem.mend.isEmpty ? [] : [problem.mend])
  }

  // MARK: - the step

  /// What holds, or does not, for one live emergency.
  func conditions(of emergency: Emergency) -> [LiveCondition] {
    [https(emergency), verification(emergency), key(emergency)]
  }

  private func https(_ emergency: Emergency) -> LiveCondition {
    let name = emergency.step.id
    guard let address = emergency.address else { return .open(.https, "where `\(name)` goes is not known yet") }
    if address.scheme == "https" { return .met(.https, "`\(name)` goes out over https") }
    return LiveCondition(
      name: .https, isMet: false, text: "`\(name)` would go out in the clear, to `\(address.origin)`",
      help: ["let the `base_url` of its connection begin with `https://`"])
  }

  private func verification(_ emergency: Emergency) -> LiveCondition {
    let name = emergency.step.id
    if emergency.handler.idempotency != nil {
      return .met(.verification, "the provider recognises a repeat of `\(name)` by its `idempotency_key`")
    }
    if emergency.step.reconcile != nil { return .met(.verification, "`reconcile` looks up what became of `\(name)`") }
    if let reason = emergency.handler.unverifiable { return .met(.verification, "`\(name)` is `unverifiable`: \(shownText(reason))") }
    return LiveCondition(
      name: .verification, isMet: false,
      text: "nobody could find out what became of `\(name)`: it has no `idempotency_key`, no `reconcile` and no `unverifiable`",
      kind: .missingKey,
      help: ["look it up with `reconcile: { steps, delivered }`, or say why nobody can: `unverifiable: REASON`"])
  }

  private func key(_ emergency: Emergency) -> LiveCondition {
    let name = emergency.step.id
    guard let key = emergency.key, let text = emergency.keyText else {
      return .open(.key, "the key of `\(name)` is not known before it runs")
    }
    let shown = "`\(key.shownKey)`"
    guard !text.isEmpty else {
      return LiveCondition(
        name: .key, isMet: false, text: "the key of `\(name)` is empty", help: ["take a text that is the same for the same emergency"])
    }
    if confirmed.contains(where: { $0.isExactly(text) }) { return .met(.key, "the key \(shown) of `\(name)` is confirmed") }
    guard !confirmed.isEmpty else { return .open(.key, "the key \(shown) of `\(name)` is to be confirmed") }
    return LiveCondition(
      name: .key, isMet: false, text: "the key of `\(name)` is \(shown), and `--confirm` does not name it", kind: .missingAnswer,
      help: ["compare it; where it is meant, give `--confirm \(key.shownKey)`"])
  }
}

extension Value {
  /// A key as people read it: never one that is secret, and nothing that a terminal would obey.
  var shownKey: String { shownText(redacted.stringValue ?? redacted.json()) }
}

extension String {
  /// Whether it is the same text byte by byte; `==` takes two spellings of one letter for the same.
  func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
