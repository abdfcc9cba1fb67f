extension StepFailure {
  /// The session is over: a new log-in is needed.
  package static func sessionExpired(detail: String, cause: StepFailure?, reply: HTTPReply? = nil) -> StepFailure {
    expired(title: "the session is not valid any more", detail, cause, reply)
  }

  /// The token that took the place of a refused one was refused with 401 too.
  package static func refusedAgain(_ second: Token, after first: Token, _ reply: HTTPReply) -> StepFailure {
    let isNew = second.accessToken != first.accessToken
    return sessionExpired(
      detail: isNew ? "a new token was refused as well" : "the provider gave the refused token again, and it was refused again", cause: nil,
      reply: reply)
  }

  /// Nobody is signed in where a request needs somebody's token.
  /// - Parameter waysIn: the steps and settings that sign somebody in, each as messages show it.
  static func nobodySignedIn(_ standing: HeldTokens.Standing, waysIn: [String]) -> StepFailure {
    let title = standing == .ended ? "the session is not valid any more" : "nobody is signed in"
    return expired(title: title, "\(standing.told); \(mend(waysIn))", nil, nil)
  }

  /// How somebody gets signed in.
  static func mend(_ waysIn: [String]) -> String {
    guard let last = waysIn.last else { return "run a step that signs in first" }
    let list = waysIn.count == 1 ? last : waysIn.dropLast().joined(separator: ", ") + " or " + last
    return "sign in with \(list)"
  }

  private static func expired(title: String, _ detail: String, _ cause: StepFailure?, _ reply: HTTPReply?) -> StepFailure {
    StepFailure(
      "auth.expired", title: title, detail: detail, tags: reply.map { ["http.\($0.status)"] } ?? [],
      sent: reply == nil ? .no : .yes, isRejected: true, answer: reply?.answer, cause: cause)
  }
}

extension HeldTokens.Standing {
  /// Why nobody is signed in.
  fileprivate var told: String {
    switch self {
    case .notYet, .signedIn: "nobody has signed in on this connection"
    case .failed: "nobody has signed in on this connection: the sign-in before did not succeed"
    case .refused: "nobody is signed in on this connection: the user of its settings was refused"
    case .ended: "nobody is signed in on this connection any more: the token was refused before, or could not be renewed"
    case .signedOut(by: nil): "nobody is signed in on this connection any more: a step has signed out"
    case .signedOut(by: let step?): "nobody is signed in on this connection any more: signed out by step `\(step)`"
    }
  }
}
