import Diagnostics
import FlowEvents
import Reporters
import Testing
import Values

/// One step may run many times: every report says which of its executions it means.
@Suite("executions of a step")
struct ExecutionNamesTests {
  private static let item = StepIdentity(id: "create", depth: 1, place: Sample.place("cart"), keys: ["ada"], number: 3, parent: 2)
  private static let undo = StepIdentity(id: "remove", depth: 0, place: Sample.place("cart"), number: 9, part: .undo)

  private func text(_ event: RunEvent, isVerbose: Bool = false) -> String? {
    var reporter = ConsoleReporter(options: ConsoleOptions(isVerbose: isVerbose)) { _ in }
    return reporter.text(of: event)
  }

  @Test("are named by their item, and by their part of the run")
  func console() {
    #expect(text(.stepEnded(Sample.done(Self.item, "POST /users"))) == "  ✓ create[ada]  POST /users  12 ms\n")
    #expect(text(.stepEnded(Sample.done(Self.undo, "DELETE /users"))) == "✓ remove (undo)  DELETE /users  12 ms\n")
  }

  @Test("are polls where they ask again, for whoever wants to know")
  func polls() {
    let poll = RunEvent.pollScheduled(step: Self.item, attempt: 3, delay: .seconds(2))
    #expect(text(poll) == nil)
    #expect(text(poll, isVerbose: true) == "  ↻ create[ada]  not yet (attempt 3), again in 2 s\n")
    let written = Written()
    var live = LiveConsoleReporter(write: written.sink)
    live.consume(.stepStarted(StepStart(step: Self.item, action: "GET /users", isGroup: false)))
    live.consume(poll)
    #expect(written.text.contains("polling, attempt 4"))
  }

  @Test("have their keys and their part in JSON")
  func json() {
    var report = Sample.passed.report
    report.steps = [Sample.done(Self.item, "POST /users"), Sample.done(Self.undo, "DELETE /users")]
    let steps = JSONReport.value(of: report)["steps"]?.listValue ?? []
    #expect(steps.map { $0["id"] } == ["create", "remove"])
    #expect(steps.map { $0["keys"] } == [["ada"], nil])
    #expect(steps.map { $0["part"] } == [nil, "undo"])
  }

  @Test("of a group that ran again count as they ended last")
  func again() {
    let pin = Sample.step("charge", depth: 1)
    let ask = Sample.step("cart", depth: 1)
    let wrong = Sample.error("shop.wrong", "wrong", in: pin)
    let gone = Sample.error("config.answer", "no answer", in: ask)
    var report = Sample.passed.report
    report.verdict = .errored
    report.error = gone
    report.steps = [
      Sample.done(ask, "prompt"), Sample.done(pin, "POST /pin", .failed, error: wrong), Sample.done(ask, "prompt", .failed, error: gone),
    ]
    #expect(report.failures().map(\.message) == ["step `cart` failed with `config.answer`: no answer"])
  }
}
