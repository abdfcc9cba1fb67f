import Diagnostics
import FlowPlan
import FrontEnds
import SourceText
import StepKit
import Steps
import Synchronization
import Testing
import Values

@testable import BatonKit

/// A flow with one emergency, and the gate that it has to pass.
struct LiveCase {
  /// The modifiers of the emergency beside its key.
  var modifiers = "unverifiable: RapidSOS has no look-up"
  var key = "${{ inputs.incident }}"
  var baseURL = "https://api.example.test"
  /// Further steps of the flow.
  var more = ""
  /// One that lets it through.
  var gate = LiveGate(
    environment: LiveCase.environment(isLive: true), isAsked: true, confirmed: ["incident-1"], variables: ["PATH": "/usr/bin"],
    records: [LiveRecords(name: "the ledger of emergencies") { nil }])

  static func environment(isLive: Bool) -> RunEnvironment {
    let place = Place(SourceFile(path: "baton.yaml", text: "environments: {}\n"), Span(0, 12))
    return RunEnvironment(
      name: "production", folder: ".", isLive: isLive, hosts: .init(patterns: [], place: place, isListed: false))
  }

  var flow: String {
    """
    inputs: { incident: { type: string, default: incident-1 } }
    connections:
      rapidsos: { client_id: "id", client_secret: "the-secret", base_url: "\(baseURL)" }
    steps:
      - id: trigger
        uses: rapidsos/trigger-call-flow
        dedupe_key: \(key)
        \(modifiers)
        with:
          call_flow: kronos_contacts
          variables:
            location: { latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }
            user: { full_name: Dana Reyes, phone_number: "+12345678888" }
            contacts: [{ full_name: Ira Reyes, phone_number: "+12345670000" }]
            company: Baton
    \(more)
    """
  }

  func run(_ inputs: [String: String] = [:]) throws -> PreparedRun {
    let plan = try plan(of: flow)
    var givens = RunGivens()
    givens.inputs = inputs.mapValues { .text($0) }
    let prepared = plan.prepare(givens)
    return try #require(prepared.run, "\(prepared.diagnostics.map(\.message))")
  }

  /// What refuses the run, each with the line where it is shown.
  func findings(_ inputs: [String: String] = [:]) throws -> [String] {
    try gate.findings(in: run(inputs)).map { finding in
      let place = finding.place.map { "\($0.start.line): " } ?? ""
      return place + (finding.severity == .warning ? "warning: " : "") + finding.message
    }
  }
}

/// The plan of a flow that stands nowhere.
func plan(of text: String) throws -> Plan {
  let (document, findings) = NativeFrontEnd.flow(from: SourceFile(path: "a.flow.yaml", text: text))
  let (plan, more) = Planner.plan(try #require(document, "\(findings.map(\.message))"), catalogue: .standard)
  return try #require(plan, "\((findings + more).map(\.message))")
}

/// A person at a terminal: types these lines and then nothing more; notes what is shown and asked.
final class LivePerson: PromptPort, Sendable {
  private struct State {
    var lines: [String]
    var seen = ""
    /// How many questions stood there at once, at most.
    var most = 0
    var open = 0
  }

  private let state: Mutex<State>

  init(_ lines: String...) { state = Mutex(State(lines: lines)) }

  var seen: String { state.withLock { $0.seen } }
  var mostAtOnce: Int { state.withLock { $0.most } }

  func show(_ text: String) { state.withLock { $0.seen += text } }

  func stands(_ isOpen: Bool) {
    state.withLock { state in
      state.open += isOpen ? 1 : -1
      state.most = max(state.most, state.open)
    }
  }

  func answer(_ request: PromptRequest) async throws(StepFailure) -> String {
    // Others get their chance to ask meanwhile.
    for _ in 0..<20 { await Task.yield() }
    let line = state.withLock { state -> String? in
      state.seen += (request.complaint.map { "(\($0)) " } ?? "") + "? \(request.text): "
      let line = state.lines.isEmpty ? nil : state.lines.removeFirst()
      state.seen += (line ?? "END") + "\n"
      return line
    }
    guard let line else { throw StepFailure("config.answer", title: "a prompt has no answer") }
    return line
  }
}
