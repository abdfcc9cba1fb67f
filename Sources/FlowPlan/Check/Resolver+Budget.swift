import Diagnostics
import FlowSyntax
import SourceText

/// Whether a run fits `budget`, its hard ceiling.
extension Resolver {
  /// A run that cannot pass is an error; one that may run into the ceiling is warned of.
  mutating func checkBudget(_ plan: Plan) {
    guard let budget = document.budget, !diagnostics.hasErrors else { return }
    let worst = plan.worstCase
    if let requests = budget.requests {
      let least = plan.leastRequests
      if least > requests.value {
        report(
          .overBudget, "a run that passes sends at least \(least) requests, and the budget is \(requests.value)", at: requests.span,
          help: ["raise it to \(worst.requests ?? least), which is enough for the worst case"])
      } else if let most = worst.requests, most > requests.value {
        report(
          .overBudget, "in the worst case a run sends \(most) requests, and the budget is \(requests.value)", at: requests.span,
          help: ["raise it to \(most), or bound loops, retries and polls closer"], severity: .warning)
      }
    }
    if let time = budget.time, let most = worst.time, most > time.value {
      report(
        .overBudget, "in the worst case a run takes \(most.flowText), and the budget is \(time.value.flowText)", at: time.span,
        help: ["raise it, or shorten `timeout`, `attempt_timeout`, retries and loops"], severity: .warning)
    }
  }
}

extension Duration {
  /// As flows write it, in the largest unit that leaves no rest.
  package var flowText: String {
    let milliseconds = wholeMilliseconds
    let units = [("h", 3_600_000), ("m", 60_000), ("s", 1000)]
    let unit = units.first { milliseconds >= $0.1 && milliseconds % $0.1 == 0 } ?? ("ms", 1)
    return "\(milliseconds / unit.1)\(unit.0)"
  }
}
