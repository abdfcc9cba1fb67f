import StepKit

extension SAMI {
  /// What `body` makes of the connection's token where that stands in the URL, and no connection renews it by itself: after a 401
  /// once more with a new one, as with a token in a header.
  /// - Throws: `auth.expired` where no new one can be had, or that is refused as well; what `body` raises.
  static func withToken<Result: Sendable>(
    _ tokenClass: TokenClass, _ ports: Ports, _ body: (_ token: String) async throws(StepFailure) -> Result
  ) async throws(StepFailure) -> Result {
    let first = try await ports.session.token(tokenClass)
    let refusal: StepFailure
    do throws(StepFailure) {
      return try await body(first.accessToken)
    } catch {
      guard error.answer?.status == 401 else { throw error }
      refusal = error
    }
    let second: Token
    do throws(StepFailure) {
      second = try await ports.session.replacement(for: first, tokenClass)
    } catch {
      guard error.code.hasPrefix("auth.") else { throw error }
      await ports.session.forget(tokenClass, refused: first)
      throw ended("the token was refused, and no new one could be had", refusal, cause: error)
    }
    do throws(StepFailure) {
      return try await body(second.accessToken)
    } catch {
      guard error.answer?.status == 401 else { throw error }
      await ports.session.forget(tokenClass, refused: second)
      throw ended("a new token was refused as well", error, cause: nil)
    }
  }

  private static func ended(_ detail: String, _ refusal: StepFailure, cause: StepFailure?) -> StepFailure {
    var failure = StepFailure.sessionExpired(detail: detail, cause: cause)
    (failure.tags, failure.sent, failure.answer) = (["http.401"], .yes, refusal.answer)
    return failure
  }
}
