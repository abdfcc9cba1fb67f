import HTTPTypes

/// How far a fault has come.
package struct FaultUse: Hashable, Sendable {
  /// How many requests it could have hit, those among them that `after` spares.
  package var matched: Int
  /// How often it happened.
  package var happened: Int
}

/// The faults of one sandbox and how far each has come.
struct FaultBook: Sendable {
  private struct Armed: Sendable {
    let fault: Fault
    var seen = 0
    var happened = 0
  }

  /// At most one fault of each aspect of an answer.
  struct Due: Sendable {
    var answer: SandboxReply?
    var delay = Duration.zero
    var ending = SandboxOutcome.Ending.whole
    var bytesPerSecond: Int?
    var isTruncated = false
    var names: [String] = []
  }

  private var armed: [Armed] = []

  /// In the order in which they were added.
  var uses: [FaultUse] { armed.map { FaultUse(matched: $0.seen, happened: $0.happened) } }

  mutating func add(_ fault: Fault) { armed.append(Armed(fault: fault)) }
  mutating func removeAll() { armed.removeAll() }

  /// What happens to a request. Of several faults of one kind the first that is due happens and the others keep
  /// their times, so two `status` faults on one route come one after the other.
  mutating func due(system: String, path: [String], request: SandboxRequest) -> Due {
    var due = Due()
    for position in armed.indices {
      let fault = armed[position].fault
      guard fault.route.matches(system: system, method: request.method, path: path), fault.condition?(request) ?? true else { continue }
      armed[position].seen += 1
      guard armed[position].seen > fault.after, armed[position].happened < fault.times ?? .max, due.take(fault) else { continue }
      armed[position].happened += 1
    }
    return due
  }
}

extension FaultBook.Due {
  /// Takes a fault's effect over; false where another fault has had that already.
  fileprivate mutating func take(_ fault: Fault) -> Bool {
    switch fault.kind {
    case .status(let status, let headers, let body):
      guard answer == nil else { return false }
      answer = SandboxReply(status: status, headers: headers, body: body)
    case .delay(let duration):
      guard delay == .zero else { return false }
      delay = duration
    case .drop(let drop):
      guard ending == .whole else { return false }
      ending =
        switch drop {
        case .beforeResponse: .beforeResponse
        case .midBody: .midBody
        case .reset: .reset
        }
    case .bytesPerSecond(let pace):
      guard bytesPerSecond == nil else { return false }
      bytesPerSecond = pace
    case .truncate:
      guard !isTruncated else { return false }
      isTruncated = true
    }
    names.append(fault.name)
    return true
  }
}
