import Diagnostics
import FlowEvents
package import Values

/// The JSON forms of what the records tell: objects are open, members that are not known are absent, times are RFC 3339
/// in UTC, durations whole milliseconds.
package enum RecordsJSON {
  /// A value as an indented JSON text with a line break at its end; nothing in it is obeyed by a terminal.
  package static func text(_ value: Value) -> String { JSONText.inert(value.json(indent: 2)) + "\n" }

  /// `{triggers, runs, more}`
  package static func value(of list: RunList) -> Value {
    ["triggers": .list(list.triggers.map(value)), "runs": .list(list.runs.map(value)), "more": .bool(list.isCut)]
  }

  /// `{run, flow, environment, sandbox, operator, started, ended, verdict, code, durationMs, doubts, next}`
  package static func value(of run: RecordedRun) -> Value { .map(members(of: run)) }

  /// A run's members, and `journaled, flowDigest, inputs, steps, triggers, resumed, report`.
  package static func value(of story: RecordedStory) -> Value {
    var map = members(of: story.run)
    map["journaled"] = .bool(story.isJournaled)
    map["flowDigest"] = story.flowDigest.isEmpty ? nil : .string(story.flowDigest)
    map["inputs"] = story.inputs
    map["steps"] = .list(story.steps.map(value))
    map["triggers"] = .list(story.triggers.map(value))
    map["resumed"] = .list(story.resumptions)
    map["report"] = story.report
    return .map(map)
  }

  /// `{step, how, by, reason, at, outputs?}`
  package static func value(of settlement: RecordedSettlement) -> Value {
    var map = ValueMap()
    map["step"] = .string(settlement.path)
    map["how"] = .string(settlement.how)
    map["by"] = .string(settlement.by)
    map["reason"] = .string(settlement.reason)
    map["at"] = .timestamp(settlement.at)
    map["outputs"] = settlement.outputs
    return .map(map)
  }
}

// MARK: parts

extension RecordsJSON {
  private static func members(of run: RecordedRun) -> ValueMap {
    var map = ValueMap()
    map["run"] = .string(run.id)
    map["flow"] = .string(run.flow)
    map["environment"] = .string(run.environment)
    map["sandbox"] = .bool(run.isSandbox)
    map["operator"] = .string(run.operator)
    map["started"] = .timestamp(run.startedAt)
    map["ended"] = run.endedAt.map(Value.timestamp) ?? .null
    map["verdict"] = .string(run.standing.rawValue)
    map["code"] = run.code.map(Value.string) ?? .null
    map["durationMs"] = run.endedAt.flatMap { run.startedAt.duration(until: $0) }.map { .int($0.wholeMilliseconds) } ?? .null
    map["doubts"] = .list(run.doubts.map(value))
    map["next"] = run.nextCommand.map(Value.string) ?? .null
    return map
  }

  private static func value(of doubt: RecordedDoubt) -> Value {
    var map = ValueMap()
    map["step"] = doubt.path.map(Value.string) ?? .null
    map["action"] = .string(doubt.action)
    map["system"] = doubt.system.map(Value.string)
    map["key"] = doubt.key.map(Value.string)
    map["since"] = .timestamp(doubt.since)
    map["reason"] = .string(doubt.reason)
    return .map(map)
  }

  private static func value(of step: RecordedStep) -> Value {
    var map = ValueMap()
    map["step"] = .string(step.path)
    map["action"] = .string(step.action)
    map["effect"] = step.effect.map(Value.string)
    map["group"] = .bool(step.isGroup)
    map["file"] = step.file.map(Value.string)
    map["line"] = step.line.map { .int(Int64($0)) }
    map["system"] = step.system.map(Value.string)
    map["key"] = step.key.map(Value.string)
    map["status"] = step.status.map(Value.string) ?? .null
    map["started"] = step.startedAt.map(Value.timestamp) ?? .null
    map["ended"] = step.endedAt.map(Value.timestamp) ?? .null
    map["durationMs"] = step.duration.map { .int($0.wholeMilliseconds) }
    map["attempts"] = step.attempts.map { .int(Int64($0)) }
    map["requests"] = step.requests.map { .int(Int64($0)) }
    map["request"] = step.lastRequest.map(value)
    map["error"] = step.error.map(value)
    map["outputs"] = step.outputs
    map["settled"] = step.settlement.map(value)
    return .map(map)
  }

  private static func value(of request: RequestReport) -> Value {
    var map = ValueMap()
    map["method"] = .string(request.method)
    map["url"] = .string(request.url)
    map["status"] = request.status.map { .int(Int64($0)) }
    return .map(map)
  }

  private static func value(of error: ErrorReport) -> Value {
    var map = ValueMap()
    map["code"] = .string(error.code)
    map["title"] = error.title.isEmpty ? nil : .string(error.title)
    map["detail"] = error.detail.isEmpty ? nil : .string(error.detail)
    map["help"] = error.help.isEmpty ? nil : .string(error.help)
    map["sent"] = error.sent.isEmpty ? nil : .string(error.sent)
    map["rejected"] = .bool(error.isRejected)
    map["status"] = error.status.map { .int(Int64($0)) }
    map["cause"] = error.causes.first.map(value)
    return .map(map)
  }

  private static func value(of trigger: RecordedTrigger) -> Value {
    [
      "key": .string(trigger.key), "system": .string(trigger.system), "environment": .string(trigger.environment),
      "attempt": .int(Int64(trigger.attempt)), "run": .string(trigger.runID), "journaled": .bool(trigger.isJournaled),
      "flow": .string(trigger.flow), "operator": .string(trigger.operator), "state": .string(trigger.state),
      "since": .timestamp(trigger.since), "unresolved": .bool(trigger.isUnresolved),
      "transitions": .list(trigger.transitions.map(value)),
    ]
  }

  private static func value(of transition: RecordedTrigger.Transition) -> Value {
    var map = ValueMap()
    map["state"] = .string(transition.state)
    map["at"] = .timestamp(transition.at)
    map["by"] = transition.by.map(Value.string)
    map["reason"] = transition.reason.map(Value.string)
    return .map(map)
  }
}

extension RecordedRun {
  /// The command that goes on from here; nil where nothing is left to do.
  fileprivate var nextCommand: String? {
    if !doubts.isEmpty { return "baton resolve \(id)" }
    switch standing {
    case .passed, .running: return nil
    case .failed, .errored, .cancelled, .indeterminate, .interrupted: return "baton resume \(id)"
    }
  }
}

extension RecordedStory {
  fileprivate var resumptions: [Value] {
    events.compactMap { event in
      guard case .resumed(let moment, let by) = event else { return nil }
      var map = ValueMap()
      map["at"] = .timestamp(moment)
      map["by"] = by.map(Value.string)
      return .map(map)
    }
  }
}
