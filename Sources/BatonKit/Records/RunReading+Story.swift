import FlowEvents
import Journal
import Reporters
import SourceText
import Values

extension RunReading {
  /// The run in one line.
  var recorded: RecordedRun {
    let last = attempts.last
    return RecordedRun(
      id: id, flow: opening?.flow ?? last?.request.flow ?? "",
      environment: opening?.environment ?? last?.key.environment ?? "",
      startedAt: opening?.startedAt ?? last?.transitions.first?.at ?? Timestamp(seconds: 0), endedAt: end?.at,
      operator: opening?.operator ?? last?.request.operator ?? "", isSandbox: opening?.isSandbox ?? false,
      standing: standing, code: end?.code, doubts: openDoubts.map(recorded))
  }

  /// All that is told of it.
  var story: RecordedStory {
    RecordedStory(
      run: recorded, inputs: opening.flatMap { try? JSON.parse($0.inputs, options: .tolerant) },
      flowDigest: opening?.flowDigest ?? attempts.last?.request.flowDigest ?? "", events: events,
      steps: executions.map(step), triggers: attempts.map { $0.recorded(isJournaled: opening != nil) },
      report: end.map { Value.map($0.shown) }.flatMap { $0 == .map(ValueMap()) ? nil : $0 }, isJournaled: opening != nil)
  }

  /// What the console told while the run went on, from the entries in their order.
  private var events: [RecordedStory.Event] {
    var latest: [String: JournalEntry] = [:]
    return entries.compactMap { entry in
      switch entry.kind {
      case .started:
        latest[entry.path] = entry
        let execution = Execution(path: entry.path, start: entry)
        guard execution.isGroup else { return nil }
        return .groupStarted(StepStart(step: identity(of: execution), action: execution.shown.text("action") ?? "group", isGroup: true))
      case .checkpoint:
        guard let branch = entry.shown.text("branch") else { return nil }
        let execution = Execution(path: entry.path, start: latest[entry.path])
        let error = entry.shownError(of: execution) ?? .unknown
        return .branchTaken(step: identity(of: execution), error: error, then: branch)
      case .ended:
        let told = step(of: Execution(path: entry.path, start: latest[entry.path], end: entry))
        latest[entry.path] = nil
        return told.event
      case .finished: return nil
      case .resumed: return .resumed(at: entry.at, by: entry.shown.text("by") ?? entry.shown.text("operator"))
      case .settled: return .settled(entry.settlement)
      }
    }
  }

  private func step(of execution: Execution) -> RecordedStep {
    let shown = execution.shown
    let ending = execution.end?.shown ?? ValueMap()
    let action = shown.text("action") ?? ending.text("action") ?? ""
    var step = RecordedStep(path: execution.path, step: identity(of: execution), action: action, isGroup: execution.isGroup)
    step.effect = shown.text("effect")
    step.file = shown.text("file")
    step.line = shown.count("line")
    step.system = shown.text("system")
    step.key = shown.text("key")
    step.startedAt = execution.start?.at
    step.endedAt = execution.end?.at
    step.status = execution.end.map { $0.status ?? "unknown" }
    step.duration = ending.seconds("duration")
    step.attempts = ending.count("attempts")
    step.requests = ending.count("requests")
    step.error = execution.end?.shownError(of: execution)
    step.lastRequest = ending["request"]?.mapValue.map { $0.request(of: step.step.id, sent: step.error?.sent ?? "") }
    step.outputs = execution.end?.shownOutputs
    step.settlement = execution.settlement?.settlement
    return step
  }

  private func identity(of execution: Execution) -> StepIdentity {
    let path = StepPath(execution.path)
    let part = execution.shown.text("part") ?? execution.end?.shown.text("part")
    return StepIdentity(
      id: path.id, depth: depth(of: execution, path), place: execution.place, keys: path.keys,
      part: part.flatMap(RunPart.init) ?? .steps)
  }

  /// As it is told; else as deep as its path.
  private func depth(of execution: Execution, _ path: StepPath) -> Int {
    let told = execution.shown.count("depth") ?? execution.end?.shown.count("depth")
    return min(told ?? path.depth, 64)
  }
}

extension RecordedStep {
  fileprivate var event: RecordedStory.Event {
    guard let status = status.flatMap(StepStatus.init) else {
      return .stepEndedSomehow(step: step, action: action, status: status ?? "unknown")
    }
    return .stepEnded(
      StepReport(
        step: step, action: action, isGroup: isGroup, status: status, attempts: attempts ?? 1, requests: requests ?? 0,
        duration: duration ?? measured, error: error, lastRequest: lastRequest))
  }

  /// By the clock on the wall, where nothing better is known.
  private var measured: Duration {
    guard let startedAt, let endedAt, endedAt > startedAt else { return .zero }
    return .seconds(endedAt.seconds - startedAt.seconds) + .nanoseconds(Int64(endedAt.nanoseconds) - Int64(startedAt.nanoseconds))
  }
}

// MARK: parts of entries

extension RunReading.Execution {
  /// The file alone: the text may be another by now.
  fileprivate var place: Place {
    Place(SourceFile(path: shown.text("file") ?? "", text: ""), Span(0, 0))
  }
}

extension JournalEntry {
  /// The error that an entry tells; of what it does not say nothing is claimed.
  func shownError(of execution: RunReading.Execution?) -> ErrorReport? {
    guard let error = shown["error"]?.mapValue else { return code.map { ErrorReport(code: $0) } }
    return ErrorReport(error, code: code, place: execution?.place)
  }

  fileprivate var settlement: RecordedSettlement {
    RecordedSettlement(
      path: path, how: status ?? "", by: shown.text("by") ?? "", reason: shown.text("reason") ?? "", at: at, outputs: shown["outputs"])
  }
}

extension ErrorReport {
  fileprivate static let unknown = ErrorReport(code: "unknown")

  fileprivate init(code: String) {
    self.init(
      code: code, title: "", detail: "", stepID: "", place: Place(SourceFile(path: "", text: ""), Span(0, 0)), attempt: 1,
      sent: "", isRejected: false)
  }

  fileprivate init(_ members: ValueMap, code: String?, place: Place?, depth: Int = 0) {
    self.init(code: members.text("code") ?? code ?? "unknown")
    title = members.text("title") ?? ""
    detail = members.text("detail") ?? ""
    help = members.text("help") ?? ""
    if let place { self.place = place }
    sent = members.text("sent") ?? ""
    isRejected = members["rejected"]?.boolValue ?? false
    status = members.count("status") ?? members["http"]?["status"]?.intValue.map(Int.init)
    if depth < 8, let cause = members["cause"]?.mapValue {
      causes = [ErrorReport(cause, code: nil, place: place, depth: depth + 1)]
    }
  }
}

extension ValueMap {
  fileprivate func request(of stepID: String, sent: String) -> RequestReport {
    RequestReport(
      stepID: stepID, method: text("method") ?? "", url: text("url") ?? "", status: count("status"), sent: text("sent") ?? sent,
      duration: seconds("duration") ?? .zero)
  }

  /// A length of time that stands there as a number of seconds.
  fileprivate func seconds(_ name: String) -> Duration? {
    switch self[name] {
    case .double(let seconds)? where seconds.isFinite && seconds >= 0 && seconds < 1e9: return .seconds(seconds)
    case .int(let seconds)? where seconds >= 0 && seconds < 1_000_000_000: return .seconds(seconds)
    default: return nil
    }
  }
}

extension TriggerRecord {
  func recorded(isJournaled: Bool) -> RecordedTrigger {
    var life = transitions.map { RecordedTrigger.Transition(state: $0.state.rawValue, at: $0.at, by: $0.by, reason: $0.reason) }
    if let authorisation {
      let position = life.firstIndex { $0.at > authorisation.at } ?? life.endIndex
      life.insert(
        .init(state: "retry_authorised", at: authorisation.at, by: authorisation.by, reason: authorisation.reason), at: position)
    }
    return RecordedTrigger(
      key: key.key, system: key.system, environment: key.environment, attempt: attempt, runID: request.runID, flow: request.flow,
      operator: request.operator, transitions: life, isUnresolved: isUnresolved, isJournaled: isJournaled)
  }
}
