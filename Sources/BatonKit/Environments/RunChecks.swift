import Diagnostics
import FlowPlan
import SourceText
import StepKit
import Values

/// What must be permitted, and be there, before the first request of a run.
struct RunChecks {
  let settings: SettingsCheck
  let mayExec: Bool
  let gate: LiveGate

  func findings(in run: PreparedRun) -> [Diagnostic] {
    gate.findings(in: run) + programs(of: run.plan) + zip(run.plan.connections, run.settings).flatMap { settings.files(of: $1, $0) }
      + settings.needs(of: run) + settings.steps(of: run.plan)
  }

  /// Each step that runs a program where none may run.
  private func programs(of plan: Plan) -> [Diagnostic] {
    guard !mayExec else { return [] }
    let mend =
      settings.environment.map { "say `exec: true` in the environment `\($0.name)`" }
      ?? "run it in an environment that says `exec: true`"
    return plan.allSteps.filter(\.runsProgram).map { step in
      Diagnostic(
        .invalidValue, "this step runs a program, which is not permitted here", at: step.place, help: ["\(mend), or give `--allow-exec`"])
    }
  }
}

extension Plan {
  /// Its steps and those of the flows that it calls, at any depth.
  var allSteps: [StepPlan] { ([self] + calledPlans).flatMap { ($0.steps + $0.finally).flatMap(\.withInner) } }
}

extension StepPlan {
  fileprivate var runsProgram: Bool {
    if case .handler(let handler) = action { handler.step.about.name == "exec" } else { false }
  }
}
