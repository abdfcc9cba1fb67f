import Diagnostics
import FlowEvents
import Reporters
import SourceText
import Synchronization
import Testing
import Values

/// Runs as an engine tells them, event by event.
struct Sample: Sendable, CustomTestStringConvertible {
  var name: String
  var events: [RunEvent]
  var testDescription: String { name }

  var report: RunReport {
    guard case .runEnded(let report)? = events.last else { fatalError("a sample ends with the end of its run") }
    return report
  }

  static let all = [passed, recovered, failedExpectations, errored, indeterminate, cancelled]

  // MARK: the flow

  static let flow = SourceFile(
    path: "flows/checkout.flow.yaml",
    text: """
      flow: checkout
      steps:
        - id: cart
          post: /v1/carts
        - id: register
          uses: shop/register
          on_error:
            - when: shop.username_taken
              then: continue
        - id: pay
          group:
            - id: charge
              post: /v1/charges
              expect:
                status: 201
                that: [ outputs.amount > 1000 ]
        - id: dispatch
          uses: shop/dispatch
        - id: receipt
          get: /v1/receipt

      """)

  /// The first place of a text in the flow, after another text.
  static func place(_ text: String, after anchor: String = "") -> Place {
    let source = String(decoding: flow.bytes, as: UTF8.self)
    let start = anchor.isEmpty ? source.startIndex : source.firstRange(of: anchor)?.upperBound ?? source.startIndex
    guard let range = source[start...].firstRange(of: text) else { fatalError("the flow has no `\(text)`") }
    let offset = source.utf8.distance(from: source.startIndex, to: range.lowerBound)
    return Place(flow, Span(offset, offset + text.utf8.count))
  }

  static func step(_ id: String, depth: Int = 0) -> StepIdentity {
    StepIdentity(id: id, depth: depth, place: place(id, after: "id: "))
  }

  // MARK: parts

  static func request(
    _ step: String, _ method: String, _ path: String, _ status: Int?, ms: Int, sent: String = "yes", failure: String? = nil
  )
    -> RequestReport
  {
    RequestReport(
      stepID: step, method: method, url: "https://api.shop.test\(path)", status: status, sent: sent, duration: .milliseconds(ms),
      failure: failure)
  }

  static func error(
    _ code: String, _ title: String, _ detail: String = "", in step: StepIdentity, attempt: Int = 1, sent: String = "yes",
    status: Int? = nil,
    body: Value? = nil, causes: [ErrorReport] = []
  ) -> ErrorReport {
    ErrorReport(
      code: code, title: title, detail: detail, stepID: step.id, place: step.place, attempt: attempt, sent: sent, isRejected: false,
      status: status, body: body, causes: causes)
  }

  static func done(
    _ step: StepIdentity, _ action: String, _ status: StepStatus = .succeeded, attempts: Int = 1, requests: Int = 1, ms: Int = 12,
    isGroup: Bool = false, error: ErrorReport? = nil, expectations: [ExpectationReport] = [], last: RequestReport? = nil
  ) -> StepReport {
    StepReport(
      step: step, action: action, isGroup: isGroup, status: status, attempts: attempts, requests: requests, duration: .milliseconds(ms),
      error: error, expectations: expectations, lastRequest: last)
  }

  /// The events of a run whose steps ended so, one after the other; other events stand where they are.
  static func run(
    _ name: String, _ verdict: Verdict, error: ErrorReport? = nil, outputs: ValueMap = ValueMap(), ms: Int = 134, _ events: [RunEvent]
  ) -> Sample {
    let steps = events.compactMap { if case .stepEnded(let report) = $0 { report } else { nil } }
    let start = Timestamp(seconds: 1_767_225_600)
    let report = RunReport(
      runID: "7F3K", flow: "checkout", file: flow.path, verdict: verdict, code: error?.code, error: error,
      signalExitCode: verdict == .cancelled ? 130 : nil, outputs: outputs, startedAt: start, duration: .milliseconds(ms),
      requests: steps.filter { !$0.isGroup }.reduce(0) { $0 + $1.requests }, steps: steps)
    let first = RunEvent.runStarted(RunStart(runID: "7F3K", flow: "checkout", file: flow.path, startedAt: start, stepCount: 5))
    return Sample(name: name, events: [first] + events + [.runEnded(report)])
  }

  static func started(_ step: StepIdentity, _ action: String, isGroup: Bool = false) -> RunEvent {
    .stepStarted(StepStart(step: step, action: action, isGroup: isGroup))
  }
}

/// What a reporter wrote.
final class Written: Sendable {
  private let pieces = Mutex<[String]>([])

  var sink: ReportSink { { [self] piece in pieces.withLock { $0.append(piece) } } }
  var all: [String] { pieces.withLock(\.self) }
  var text: String { all.joined() }

  /// What a reporter makes of a sample.
  static func by(_ make: (@escaping ReportSink) -> some Reporter, _ sample: Sample) -> String {
    let written = Written()
    var reporter = make(written.sink)
    for event in sample.events { reporter.consume(event) }
    return written.text
  }
}
