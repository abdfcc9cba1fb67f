import FlowPlan
import Reporters
import SourceText
import StepKit
import Values

/// What a step does beside its action, in a few words each.
struct StepNotes {
  private let step: StepPlan
  private let scope: KnownScope

  init(_ step: StepPlan, _ scope: KnownScope) {
    self.step = step
    self.scope = scope
  }

  var all: [String] { own + sending + modifiers }

  private var own: [String] {
    switch step.action {
    case .handler(let handler): return note(of: handler)
    case .forEach(let loop): return [note(of: loop)]
    case .repeating(let loop): return [note(of: loop)]
    case .parallel(let parallel): return parallel.stopsOnError ? [] : ["branches go on where one fails"]
    case .fail(_, let message): return text(message).map { ["says: \($0)"] } ?? []
    case .group, .choose, .call, .set, .wait, .end: return []
    }
  }

  private func note(of handler: HandlerPlan) -> [String] {
    let with = scope.shownMembers(handler.with)
    switch handler.step.about.name {
    case "prompt": return with["text"].flatMap { $0.redacted.templateText }.map { ["asks: \($0)"] } ?? []
    case "log": return with["message"].flatMap { $0.redacted.templateText }.map { ["says: \($0)"] } ?? []
    case "exec": return ["runs a program"]
    case "read-file": return with["path"].map { ["reads \($0.redacted.templateText ?? "a file")"] } ?? []
    case "write-file": return with["path"].map { ["writes \($0.redacted.templateText ?? "a file")"] } ?? []
    default: return []
    }
  }

  private func note(of loop: ForEachPlan) -> String {
    let items: String
    switch loop.source {
    case .rows(let rows): items = "for each of \(counted(rows.count, "row"))"
    case .data(let data):
      if let count = scope.exact(data).flatMap({ $0.exposed.listValue?.count ?? $0.exposed.mapValue?.count }) {
        items = "for each of \(counted(count, "item"))"
      } else {
        let most = loop.maxItems.map { ", at most \($0)" } ?? ""
        items = "for each of \(scope.shown(data)?.redacted.templateText ?? "the items")\(most)"
      }
    }
    let none = loop.minItems == 0 ? ", maybe none" : ""
    return items + none + (loop.concurrency > 1 ? ", \(loop.concurrency) at a time" : "")
      + (loop.stopsOnError ? "" : ", the rest goes on where one fails")
  }

  private func note(of loop: RepeatPlan) -> String {
    let every = loop.every.map { ", every \($0.text)" } ?? ""
    return "up to \(counted(loop.max, "round"))\(every)\(loop.until.map { ", until \($0.source)" } ?? "")"
  }

  private var sending: [String] {
    guard case .handler(let handler) = step.action, handler.sends else { return [] }
    var notes: [String] = []
    if let key = handler.dedupeKey { notes.append("once under the key \(text(key) ?? "none")") }
    if let key = handler.idempotency {
      notes.append("repeats are told by \(key.header.isEmpty ? "the key" : key.header) \(text(key.value) ?? "")")
    }
    return notes
  }

  private var modifiers: [String] {
    var notes: [String] = []
    if let retry = step.retry {
      notes.append(
        "up to \(counted(retry.attempts, "attempt")) on \(retry.when.map(\.text).joined(separator: ", ")), at most \(retry.maxDelay.text) apart"
      )
    }
    if let poll = step.poll {
      notes.append("polled every \(poll.every.text) for up to \(poll.timeout.text), until \(poll.until.source)")
    }
    if let error = step.expect.error { notes.append("must fail with \(error.value.text)") }
    if let save = step.save { notes.append("keeps the body in \(text(save) ?? "a file")") }
    return notes
  }

  private func text(_ data: DataPlan?) -> String? {
    data.flatMap { scope.shown($0) }.map { $0.redacted.templateText ?? $0.redacted.json() }
  }
}
