import Diagnostics
import FlowPlan
import Glibc
import Reporters

/// Loads and runs the tests of many files, a bounded number at a time, and tells of them in the order of the files:
/// the same text whatever finished first.
struct TestSession {
  let files: TestFiles
  let selection: TestSelection
  let jobs: Int
  let failsFast: Bool
  let givens: Givens
  let isStrict: Bool
  let terminal: Terminal
  let active: ActiveRuns
  let console: ConsoleTestReporter

  /// Something that one task does. Files are loaded when a task is free for them, so that few are in memory at once.
  private enum Work: Sendable {
    case load(file: Int)
    case flow(file: Int)
    case scenario(file: Int, position: Int, ScenariosPlan, ScenarioPlan)
  }

  private enum Outcome: Sendable {
    case loaded(file: Int, ScenarioFile)
    case ran(file: Int, position: Int, TestRun)
    case refused(file: Int, Refusal)
    /// Left out by the selection.
    case unselected(file: Int)
  }

  /// - Returns: with what there is to choose from, where the selection left nothing of it.
  func run() async -> (TestReport, unmatched: TestNames?) {
    let clock = SystemClock()
    let start = clock.elapsed()
    let hidden = HiddenTexts(terminal)
    var queue = TestQueue(files)
    var book = TestBook(count: files.files.count, console: console)
    await withTaskGroup(of: Outcome.self) { group in
      var running = 0
      var stops = false
      func startNext() {
        while running < jobs, !stops, active.exitCode == nil, let work = next(&queue, &book) {
          running += 1
          group.addTask { await perform(work, hidden) }
        }
      }
      startNext()
      while let outcome = await group.next() {
        running -= 1
        let isBad = take(outcome, &queue, &book)
        if failsFast, isBad { stops = true }
        startNext()
      }
      if stops { book.note("stopped at the first failure; the rest did not run") }
    }
    // Whatever was not started is left out, and what was finished is told.
    book.finish()
    let report = TestReport(runs: book.runs, refusals: book.refusals, duration: clock.elapsed() - start)
    let isEmpty = selection.isFiltering && !queue.hasSelected && report.refusals.isEmpty
    if !isEmpty { tellEnd(report) }
    return (report, isEmpty ? queue.names : nil)
  }

  private func tellEnd(_ report: TestReport) {
    if report.runs.isEmpty, report.refusals.isEmpty, let shard = selection.shardName {
      terminal.write("no test is of \(shard)\n", to: .error)
    }
    console.finish(report)
  }

  private func next(_ queue: inout TestQueue, _ book: inout TestBook) -> Work? {
    if let ready = queue.takeScenario() { return .scenario(file: ready.file, position: ready.position, ready.table, ready.scenario) }
    if let file = queue.takeScenariosFile() { return .load(file: file) }
    while let flow = queue.takeFlow() {
      guard flow.isCovered else { return .flow(file: flow.file) }
      book.expect(0, of: flow.file)
    }
    return nil
  }

  /// Whether it is a failure.
  private func take(_ outcome: Outcome, _ queue: inout TestQueue, _ book: inout TestBook) -> Bool {
    switch outcome {
    case .loaded(let file, let loaded):
      queue.noteLoaded(about: loaded.coveredFlows)
      guard let table = loaded.plan else {
        book.add(Refusal(file: loaded.path, diagnostics: loaded.flowDiagnostics + loaded.diagnostics), of: file)
        return true
      }
      queue.note(table)
      let selected = table.cases.filter { selection.accepts(tags: $0.tags, name: $0.name) }
      if !selected.isEmpty { queue.hasSelected = true }
      let own = selected.filter { selection.isInShard(file: loaded.path, name: $0.name) }
      queue.add(own, of: table, file: file)
      book.expect(own.count, of: file)
      return false
    case .ran(let file, let position, let run):
      queue.hasSelected = true
      // A flow is a file of one test.
      if run.caseName == nil { book.expect(1, of: file) }
      book.add(run, of: file, at: position)
      return run.outcome != .passed && run.outcome != .skipped
    case .refused(let file, let refusal):
      if files.files[file].kind == .scenarios { queue.noteLoaded(about: []) }
      book.add(refusal, of: file)
      return true
    case .unselected(let file):
      book.expect(0, of: file)
      return false
    }
  }

  // MARK: - on a task

  private func perform(_ work: Work, _ hidden: HiddenTexts) async -> Outcome {
    switch work {
    case .load(let file):
      if givens.environment != nil { return .refused(file: file, Refusal(file: files.files[file].path, diagnostics: [.sandboxOnly])) }
      let loaded = ScenarioFile.load(files.files[file].path)
      hidden.hide(loaded.openSecrets)
      return .loaded(file: file, loaded)
    case .scenario(let file, let position, let table, let scenario):
      let run = ScenarioRun(table: table, scenario: scenario, hidden: hidden, active: active)
      return .ran(file: file, position: position, await run.run())
    case .flow(let file): return await flow(file, hidden)
    }
  }

  private func flow(_ file: Int, _ hidden: HiddenTexts) async -> Outcome {
    let path = files.files[file].path
    let loaded = FlowFile.load(path)
    hidden.hide(loaded.openSecrets)
    guard let plan = loaded.plan else { return .refused(file: file, Refusal(file: path, diagnostics: loaded.diagnostics)) }
    guard selection.accepts(tags: [], name: nil) else { return .unselected(file: file) }
    guard selection.isInShard(file: path, name: nil) else { return .unselected(file: file) }
    if files.files[file].isFound, let lender = plan.connections.first(where: \.isBorrowed) {
      let reason = "another flow calls it, and lends it the connection `\(lender.alias)`"
      return .ran(file: file, position: 0, TestRun(file: path, reports: [], skipReason: reason))
    }
    let test = FlowTest(plan: plan, givens: givens, terminal: terminal, hidden: hidden, active: active, isStrict: isStrict)
    do throws(Findings) {
      return .ran(file: file, position: 0, try await test.run())
    } catch {
      return .refused(file: file, Refusal(file: path, diagnostics: error.diagnostics.map(\.mendedForTests)))
    }
  }
}

extension Diagnostic {
  /// What a flow lacks when it stands alone, a case could give it.
  fileprivate var mendedForTests: Diagnostic {
    guard kind == .missingInput else { return self }
    var copy = self
    copy.help.append("or write a `*.scenarios.yaml` beside the flow, whose cases give it")
    return copy
  }
}

extension Diagnostic {
  /// An environment has no state that a case could give, and no faults.
  fileprivate static let sandboxOnly = Diagnostic(
    .invalidValue, "scenarios run on the sandbox, not in an environment", at: nil,
    help: ["leave `--env` out, or name the flows that are to run there"])
}

/// How many tests run at once unless told otherwise.
enum Cores {
  static var count: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
