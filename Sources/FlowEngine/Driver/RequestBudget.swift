import StepKit
import Synchronization

/// `budget.requests`: counts all that a run, or a called flow in it, sends, tokens and repeats included.
final class RequestBudget: Sendable {
  private let limit: Int?
  private let owner: String
  private let outer: RequestBudget?
  private let admitted = Mutex(0)

  init(_ limit: Int?, of owner: String, within outer: RequestBudget?) {
    self.limit = limit
    self.owner = owner
    self.outer = outer
  }

  @Sendable func admit(_ exchange: HTTPExchange) throws(StepFailure) {
    if let limit {
      let isSpent = admitted.withLock { count in
        count += 1
        return count > limit
      }
      if isSpent {
        throw StepFailure("budget.requests", title: "\(owner) may send \(limit) \(limit == 1 ? "request" : "requests") and no more")
      }
    }
    try outer?.admit(exchange)
  }
}
