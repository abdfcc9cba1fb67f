import FlowPlan
import SourceText
import StepKit
import Values

/// One step of a plan, as far as it is known before the run.
struct StepOutline {
  let id: String
  /// `GET https://api.example.test/health`, `rapidsos/register`, `group`.
  let action: String
  let place: Place
  /// Whether a run may pass without it.
  let mayNotRun: Bool
  /// `if`, as it was written.
  let condition: String?
  /// Nil for a step that sends nothing.
  var sending: Sending?
  /// What else it does, in a few words each.
  var notes: [String] = []
  var bodies: [BodyOutline] = []

  /// What a step sends, and over what.
  struct Sending {
    /// The alias of its connection; nil for a whole URL.
    var connection: String?
    /// Where that leads.
    var base: String?
    /// Of plain requests, and of steps that tell their routes.
    var requests: [Request] = []
    var effect: Effect
    var token: TokenClass
    var isEmergency = false
    /// For one request.
    var attemptTimeout: Duration
    /// For the step with its retries and polls; nil is no limit.
    var timeout: Duration?
    /// With retries, polls and repairs; nil is without a bound.
    var mostRequests: Int?
  }

  /// A request as reports may show it.
  struct Request {
    let method: String
    /// With `⟨…⟩` for what is not known yet.
    let url: String
  }
}

/// Steps that stand inside a step, and when they run.
struct BodyOutline {
  enum Kind: String, CaseIterable {
    case steps, `case`, `else`, item, round, branch, flow, onError = "on_error", reconcile, undo
  }

  let kind: Kind
  /// `case: inputs.a == 1`; empty where the step's own line says it all.
  let title: String
  let steps: [StepOutline]
}
