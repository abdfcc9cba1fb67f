/// How an earlier process of a run has left a session, by a step that is not done again.
package enum PastSession: Hashable, Sendable {
  /// By what is good for one use, such as a code or a refresh token that rotates.
  case signedIn(Token)
  /// By the step of this id.
  case signedOut(by: String)
}
