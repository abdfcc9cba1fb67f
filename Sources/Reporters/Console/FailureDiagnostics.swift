package import Diagnostics
package import FlowEvents
import SourceText
import Values

extension RunReport {
  /// What went wrong and was not put right, shown in the source: a finding for each check that was not met and for each
  /// other error. Steps that a branch or a retry saved are not among them, nor what was cancelled.
  package func failures(redactor: Redactor = Redactor(), isJournaled: Bool = false) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let failures = unsavedFailures
    for step in failures {
      guard let error = step.error else { continue }
      diagnostics += FailedStep(step: step, error: error, redactor: redactor).diagnostics
    }
    if let error, error.code != "cancelled", !failures.contains(where: { $0.error?.isSame(as: error) ?? false }) {
      diagnostics.append(FailedStep(step: nil, error: error, redactor: redactor).diagnostic)
    }
    if isJournaled, verdict == .failed || verdict == .errored, !diagnostics.isEmpty {
      diagnostics[diagnostics.count - 1].help.append(wayOn)
    }
    return diagnostics.map(\.onSingleLines)
  }

  /// How the run goes on. What is sent once, such as a code, signs nobody in a second time.
  private var wayOn: String {
    let way = "go on from here with `baton resume \(runID)`"
    return error?.code == "auth.expired" ? "\(way); where nobody is signed in then either, run the flow again" : way
  }

  /// Where errors arose (they also stand on the groups that they pass through), those left out that were replaced
  /// by another error, of which they are then the cause.
  private var unsavedFailures: [StepReport] {
    let replaced = Set(steps.flatMap { $0.error?.causes ?? [] })
    return steps.indices.filter { index in
      guard let error = steps[index].error, error.code != "cancelled" else { return false }
      let status = steps[index].status
      guard status == .failed || status == .indeterminate, error.stepID == steps[index].step.id else { return false }
      guard !isRepeated(index) else { return false }
      return (self.error?.isSame(as: error) ?? false) || (!replaced.contains(error) && !isSaved(index))
    }.map { steps[$0] }
  }

  /// Whether the steps around it ran again later, such as in a group that a branch repeats: what counts is how they
  /// ended then. In one pass over a body no step ends twice.
  private func isRepeated(_ index: Int) -> Bool {
    let own = steps[index].step
    let earlier = Set(steps[...index].lazy.map(\.step).filter { $0.depth == own.depth && $0.keys == own.keys }.map(\.id))
    return steps[(index + 1)...].contains { later in
      let step = later.step
      return step.part == own.part && step.depth == own.depth && step.keys == own.keys && earlier.contains(step.id)
    }
  }

  /// Whether a step around it ended well: reports come in the order in which steps ended, bodies before what holds them.
  private func isSaved(_ index: Int) -> Bool {
    var depth = steps[index].step.depth
    for step in steps[(index + 1)...] where step.step.depth < depth {
      if step.status == .succeeded || step.status == .recovered { return true }
      depth = step.step.depth
    }
    return false
  }
}

extension Diagnostic {
  /// The same with each remark on one line: texts of the world stand in them, and a line of theirs must not pass for ours.
  var onSingleLines: Diagnostic {
    var copy = self
    copy.notes = notes.map(shownText)
    copy.help = help.map(shownText)
    return copy
  }
}

extension ErrorReport {
  /// Whether it is the same event, told by two reports.
  fileprivate func isSame(as other: ErrorReport) -> Bool {
    code == other.code && stepID == other.stepID && place == other.place
  }
}

extension StepReport {
  /// Whether its action is a typed step or plain HTTP, as reports name them: `rapidsos/register`, `GET /health`.
  fileprivate var sendsRequests: Bool { !isGroup && (action.contains("/") || action == "http") }
}

/// One step's error as findings.
private struct FailedStep {
  /// Nil for an error of the run that belongs to no reported step.
  var step: StepReport?
  var error: ErrorReport
  var redactor: Redactor

  private static let bodyLimit = 400
  private static let labelLimit = 60

  /// One for each check that was not met, or one for the error; the exchange is told once, with the last.
  var diagnostics: [Diagnostic] {
    var findings = (step?.expectations ?? []).filter { !$0.isMet }.map(finding)
    guard !findings.isEmpty else { return [diagnostic] }
    if error.code != "assertion" { findings[findings.count - 1].notes.append("code: `\(error.code)`") }
    findings[findings.count - 1].notes += exchange
    return findings
  }

  var diagnostic: Diagnostic {
    let title = error.title.isEmpty ? "" : ": \(redacted(error.title))"
    let detail = error.detail.isEmpty || error.detail == error.title || isDetailOfProblems ? [] : [redacted(error.detail)]
    let name = step?.step.title ?? error.stepID
    let who = name.isEmpty ? "the run" : "step `\(name)`"
    let what = error.code == Verdict.indeterminate.rawValue ? "is indeterminate" : "failed with `\(error.code)`"
    return Diagnostic(
      .stepFailed, "\(who) \(what)\(title)", at: error.place, severity: .failure,
      notes: detail + exchange + problems + causes, help: error.help.isEmpty ? [] : [redacted(error.help)])
  }

  /// Whether the detail is no more than the problems in one line.
  private var isDetailOfProblems: Bool {
    guard !error.problems.isEmpty else { return false }
    let rest = error.problems.reduce(error.detail) { rest, problem in
      problem.message.isEmpty
        ? rest : rest.replacing("\(problem.field): \(problem.message)", with: "").replacing(problem.message, with: "")
    }
    return rest.allSatisfy { " ;,.".contains($0) }
  }

  /// Those that the detail has not told.
  private var problems: [String] {
    error.problems.filter { isDetailOfProblems || !error.detail.contains($0.message) }.map { problem in
      let message = redacted(problem.message)
      // Some messages name their field.
      return problem.field.isEmpty || message.contains("`\(problem.field)`") ? message : "`\(problem.field)`: \(message)"
    }
  }

  private func finding(_ check: ExpectationReport) -> Diagnostic {
    let name = step?.step.title ?? error.stepID
    let expected = check.expected.map(redacted)
    let actual = check.actual.map(redacted)
    let sides = [expected.map { "expected \($0)" }, actual.map { "actual \($0)" }].compactMap(\.self)
    let label = sides.joined(separator: ", ")
    let message: String
    if !check.problem.isEmpty {
      message = "step `\(name)` could not evaluate `\(check.expression)`"
    } else if let expected, let actual, check.expression.hasPrefix("status:") {
      message = "step `\(name)` expected status \(expected), got \(actual)"
    } else {
      message = "step `\(name)` did not meet `\(redacted(check.expression))`"
    }
    let isShort = label.count <= Self.labelLimit && !label.contains(where: \.isNewline)
    let notes = (isShort ? [] : sides) + (check.problem.isEmpty ? [] : [redacted(check.problem)])
    return Diagnostic(.expectationNotMet, message, at: check.place, label: isShort ? label : "", severity: .failure, notes: notes)
  }

  /// The last request and its answer.
  private var exchange: [String] {
    var notes: [String] = []
    if let request = step?.lastRequest {
      let attempts = max(step?.attempts ?? 1, error.attempt)
      let isLookedUp = request.sent == "maybe" && error.sent == "no" && error.isRejected
      let sent = isLookedUp ? "\(request.sent); looked up: it was not carried out" : request.sent
      notes.append(
        "\(request.method) \(request.url) (attempt \(error.attempt) of \(attempts), \(request.duration.text), request sent: \(sent))"
      )
    } else if error.sent == "no", step?.sendsRequests == true {
      // Such as a token that could not be had: whoever waits for the step's effect must know that there is none.
      notes.append("the request of this step was not sent")
    }
    switch error.body {
    case nil, .null: break
    case .string(let text): notes.append("response body: \(redacted(text, limit: Self.bodyLimit))")
    case let body?: notes.append("response body: \(redacted(body.json(), limit: Self.bodyLimit))")
    }
    return notes
  }

  /// The chain of errors that led to it, nearest first.
  private var causes: [String] {
    var notes: [String] = []
    var next = error.causes.first
    while let cause = next {
      let text = [cause.title, cause.detail].filter { !$0.isEmpty }.map { redacted($0) }.joined(separator: ": ")
      let position = cause.place.start
      notes.append("caused by `\(cause.code)` in step `\(cause.stepID)` at line \(position.line)\(text.isEmpty ? "" : ": \(text)")")
      next = cause.causes.first
    }
    return notes
  }

  private func redacted(_ text: String) -> String { redacted(text, limit: 1000) }

  private func redacted(_ text: String, limit: Int) -> String { redactor.redacted(text).cut(at: limit) }
}
