package import FlowEvents
package import StepKit

extension StepFailure {
  /// The verdict of a run that ends with this error (language.md §3, "Verdict and exit code").
  package var verdict: Verdict {
    if code == "indeterminate" { return .indeterminate }
    if code == "cancelled" { return .cancelled }
    if tags.contains(Self.statedStatus) { return .failed }
    let segments = code.split(separator: ".")
    switch segments.first ?? "" {
    case "network", "tls", "timeout", "decode", "budget", "expr", "config": return .errored
    case "http": return httpVerdict(segments.dropFirst().first ?? "")
    case "auth": return code == "auth.expired" || code == "auth.pending" ? .errored : .failed
    default: return .failed
    }
  }

  private func httpVerdict(_ status: Substring) -> Verdict {
    status == "429" || status.hasPrefix("5") ? .errored : .failed
  }

  /// Tags an error of a status that the flow states in `expect` and did not get.
  static let statedStatus = "expect.status"

  /// Whether it leaves open if a once-only request was carried out. A clean refusal, a failed connect and an error
  /// that the handler declares as rejected do not.
  var leavesDoubt: Bool {
    switch sent {
    case .no: code == "indeterminate"
    case .maybe: true
    case .yes: !isRejected
    }
  }

  /// The error of a doubt, told from the one that left it.
  var asIndeterminate: StepFailure {
    StepFailure(
      "indeterminate", title: "nobody knows whether this happened",
      detail: detail.isEmpty ? title : "\(title): \(detail)", tags: [code] + tags, sent: sent, answer: answer, problems: problems)
  }

  /// Whether the timeout of the step around it is told in its stead: not where a doubt, or what no branch may catch, stands.
  var yieldsToTimeout: Bool { code == "cancelled" || isCatchable && code != "indeterminate" }
}
