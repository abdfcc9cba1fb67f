import CEL
import FlowEngine
import FlowEvents
import FlowPlan
import SandboxKit
import SourceText
import Values

/// Holds what a case expects against what came of its run: every expectation, whatever the others say.
struct ScenarioJudge {
  private let expect: ScenarioExpect
  private let report: RunReport
  private let requests: [ScenarioRequest]
  private let sandbox: Sandbox

  init(_ expect: ScenarioExpect, report: RunReport, requests: [ScenarioRequest], sandbox: Sandbox) {
    self.expect = expect
    self.report = report
    self.requests = requests
    self.sandbox = sandbox
  }

  /// In the order in which people think of them: how it ended, what it gave, what it did.
  var reports: [ExpectationReport] {
    var reports: [ExpectationReport] = []
    if let verdict = expect.verdict { reports.append(judge(verdict)) }
    if let code = expect.code { reports.append(judge(code)) }
    reports += outputs
    reports += expect.steps.map(judge)
    reports += expect.requests.map(judge)
    if let limit = expect.maxDuration { reports.append(judge(limit)) }
    let frame = expect.that.isEmpty ? [] : outcomeFrame
    return reports + expect.that.map { judge($0, frame) }
  }

  // MARK: - the end

  private func judge(_ verdict: ScenarioExpect.Stated<String>) -> ExpectationReport {
    let actual = report.verdict.rawValue
    let code = report.code.flatMap { $0 == actual ? nil : " (`\($0)`)" } ?? ""
    return ExpectationReport(
      expression: "verdict: \(verdict.value)", place: verdict.place, isMet: actual == verdict.value, expected: verdict.value,
      actual: actual + code)
  }

  private func judge(_ code: ScenarioExpect.Stated<CodePattern>) -> ExpectationReport {
    // A declared error keeps the status of its answer as a tag.
    let codes = [report.code, report.error?.status.map { "http.\($0)" }].compactMap(\.self)
    return ExpectationReport(
      expression: "code: \(code.value.text)", place: code.place, isMet: codes.contains { code.value.matches(code: $0) },
      expected: code.value.text, actual: report.code ?? "none: the run passed")
  }

  private func judge(_ limit: ScenarioExpect.Stated<Duration>) -> ExpectationReport {
    ExpectationReport(
      expression: "max_duration: \(limit.value.text)", place: limit.place, isMet: report.duration <= limit.value,
      expected: "at most \(limit.value.text)", actual: report.duration.text)
  }

  // MARK: - outputs

  /// Without a run that passed there are none, and the verdict says so.
  private var outputs: [ExpectationReport] {
    guard report.verdict == .passed else { return [] }
    return expect.outputs.map { output in
      let path = "outputs.\(output.name)"
      var differences = BodyMatch.differences(expected: .map(single(output)), actual: .map(report.outputs), path: "outputs")
      // A cell knows no types: `3` may be the number or the text.
      if expect.isFromTable, let text = report.outputs[output.name]?.exposed.stringValue, output.value.cellText == text { differences = [] }
      return ExpectationReport(
        expression: path, place: output.place, isMet: differences.isEmpty,
        expected: differences.isEmpty ? nil : told(differences, under: path, \.expected),
        actual: differences.isEmpty ? nil : told(differences, under: path, \.actual))
    }
  }

  private func single(_ output: ScenarioExpect.Output) -> ValueMap {
    var map = ValueMap()
    map[output.name] = output.value
    return map
  }

  /// `true`, or `.items[0].name: "Ada"` for what differs further in.
  private func told(_ differences: [BodyMatch.Difference], under path: String, _ side: (BodyMatch.Difference) -> String) -> String {
    differences.map { difference in
      difference.path == path ? side(difference) : "\(difference.path.dropFirst(path.count)): \(side(difference))"
    }.joined(separator: "\n")
  }

  // MARK: - steps and requests

  private func judge(_ step: ScenarioExpect.Step) -> ExpectationReport {
    let own = report.steps.filter { $0.step.title == step.title }
    // An id without a key means every item; of a step that ran again, its last execution.
    let all = own.isEmpty ? report.steps.filter { $0.step.id == step.title } : own
    var last: [String: StepReport] = [:]
    for report in all { last[report.step.title] = report }
    let different = last.values.filter { $0.status.rawValue != step.status }.sorted { $0.step.title < $1.step.title }.first
    let isMissing = last.isEmpty && step.status != StepStatus.notRun.rawValue
    let actual =
      different.map {
        ($0.step.title == step.title ? "" : "\($0.step.title): ") + $0.status.rawValue + ($0.error.map { " (`\($0.code)`)" } ?? "")
      }
      ?? (isMissing ? StepStatus.notRun.rawValue : step.status)
    return ExpectationReport(
      expression: "steps.\(step.title): \(step.status)", place: step.place, isMet: different == nil && !isMissing, expected: step.status,
      actual: actual)
  }

  private func judge(_ wanted: ScenarioExpect.Requests) -> ExpectationReport {
    guard let route = try? RoutePattern(wanted.route) else {
      return ExpectationReport(expression: wanted.route, place: wanted.place, isMet: false, problem: "`\(wanted.route)` is no route")
    }
    let onRoute = requests.filter { $0.matches(route) }
    var counted = 0
    for request in onRoute {
      do throws(DataError) {
        if try isMeant(request, wanted.that) { counted += 1 }
      } catch {
        return ExpectationReport(expression: wanted.route, place: error.place, isMet: false, problem: error.message)
      }
    }
    let isMet = wanted.count.map { $0 == counted } ?? (counted > 0)
    let such = wanted.that.isEmpty ? "" : " for which `that` holds"
    var actual = "\(counted)"
    if !wanted.that.isEmpty, onRoute.count > counted { actual += " of \(onRoute.count)" }
    return ExpectationReport(
      expression: "requests on \(wanted.route)", place: wanted.place, isMet: isMet,
      expected: (wanted.count.map { "\($0)" } ?? "at least 1") + such, actual: isMet || counted > 0 ? actual : "\(actual); \(sent)")
  }

  private func isMeant(_ request: ScenarioRequest, _ that: [CompiledExpression]) throws(DataError) -> Bool {
    for expression in that {
      guard try expression.evaluate(FlowFrame(slots: [request.value])).exposed == .bool(true) else { return false }
    }
    return true
  }

  /// What went out instead, so that a misspelt route is seen.
  private var sent: String {
    var counts: [(route: String, count: Int)] = []
    for request in requests {
      let route = "\(request.method) \(request.path)"
      if let index = counts.firstIndex(where: { $0.route == route }) { counts[index].count += 1 } else { counts.append((route, 1)) }
    }
    guard !counts.isEmpty else { return "nothing was sent" }
    let shown = counts.prefix(6).map { "\($0.route)" + ($0.count > 1 ? " (\($0.count) times)" : "") }.joined(separator: ", ")
    return "sent were \(shown)" + (counts.count > 6 ? " and \(counts.count - 6) more" : "")
  }

  // MARK: - that

  private var outcomeFrame: [Value?] {
    var frame = [Value?](repeating: nil, count: ScenarioSlots.count)
    frame[ScenarioSlots.run] = report.value
    frame[ScenarioSlots.requests] = .list(requests.map(\.value))
    var seen = sandbox.overview.mapValue ?? ValueMap()
    for channel in SandboxMessage.Channel.allCases { seen[channel.rawValue] = .list(sandbox.messages(channel).map(\.value)) }
    frame[ScenarioSlots.sandbox] = .map(seen)
    return frame
  }

  private func judge(_ that: CompiledExpression, _ frame: [Value?]) -> ExpectationReport {
    let text = that.text.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    do throws(DataError) {
      let value = try that.evaluate(FlowFrame(slots: frame))
      let isMet = value.exposed == .bool(true)
      var report = ExpectationReport(expression: text, place: that.place, isMet: isMet)
      guard !isMet else { return report }
      let sides = that.sides(frame)
      report.expected = sides.map { "\($0.name) \($0.expected.redacted.json())" } ?? "true"
      report.actual = sides.map { $0.actual.redacted.json() } ?? value.redacted.json()
      return report
    } catch {
      return ExpectationReport(expression: text, place: error.place, isMet: false, problem: error.message)
    }
  }
}

extension CompiledExpression {
  /// The two sides of a failed comparison; nil for anything else.
  fileprivate func sides(_ frame: [Value?]) -> (name: String, actual: Value, expected: Value)? {
    guard case .binary(let comparison, let left, let right) = program.expression.kind, let actual = value(of: left, frame),
      let expected = value(of: right, frame)
    else { return nil }
    return (comparison.rawValue, actual, expected)
  }

  /// The value of one part, compiled anew from its text; the whole was checked before.
  private func value(of part: Expression, _ frame: [Value?]) -> Value? {
    let roots = [("run", ScenarioSlots.run), ("requests", ScenarioSlots.requests), ("sandbox", ScenarioSlots.sandbox)]
    let source = String(decoding: Array(program.source.utf8.dropFirst(part.span.start).prefix(part.span.length)), as: UTF8.self)
    let environment = Environment(variables: roots.map { Variable(name: $0.0, type: .dyn, slot: $0.1) }, checking: .none)
    return environment.compile(source).program.flatMap { try? $0.evaluate(frame) }
  }
}

extension RunReport {
  /// What the expressions of a case see as `run`.
  fileprivate var value: Value {
    var steps = ValueMap()
    for report in self.steps {
      steps[report.step.title] = [
        "status": .string(report.status.rawValue), "attempts": .int(Int64(report.attempts)), "requests": .int(Int64(report.requests)),
      ]
    }
    let (seconds, attoseconds) = duration.components
    return [
      "verdict": .string(verdict.rawValue), "code": code.map { .string($0) } ?? .null, "error": error?.value ?? .null,
      "outputs": .map(outputs), "steps": .map(steps),
      "requests": .int(Int64(requests)),
      "duration": .duration(TimeSpan(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)),
    ]
  }
}

extension ErrorReport {
  /// What the expressions of a case see as `run.error`.
  fileprivate var value: Value {
    [
      "code": .string(code), "title": .string(title), "detail": .string(detail), "step": .string(stepID),
      "line": .int(Int64(place.start.line)), "attempt": .int(Int64(attempt)), "sent": .string(sent), "rejected": .bool(isRejected),
      "http": status.map { ["status": .int(Int64($0)), "body": body ?? .null] } ?? .null,
      "errors": .list(problems.map { ["field": .string($0.field), "message": .string($0.message)] }),
      "cause": causes.first?.value ?? .null,
    ]
  }
}

extension Value {
  /// What a cell of a table said.
  fileprivate var cellText: String? {
    switch self {
    case .string(let text): text
    case .int, .double, .bool: json()
    default: nil
    }
  }
}
